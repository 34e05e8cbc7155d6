import Foundation

/// Fills the table of an extension that stores columns, from rows that are read for several extensions at once.
final class ColumnFill: RowReceiver {
    private let extensionTransaction: YapDatabaseColumnTransaction
    private var tally: Tally

    init(_ transaction: YapDatabaseColumnTransaction, _ progress: Progress?) throws {
        extensionTransaction = transaction
        tally = try Tally(progress) {
            try transaction.transaction.count(allowedCollections: transaction.index.allowed)
        }
    }

    var allowedCollections: YapWhitelistBlacklist? { extensionTransaction.index.allowed }
    var needs: RowNeeds { extensionTransaction.index.columnHandler.needs }

    func receive(_ row: ScannedRow) throws { try receive(DecodedRow(row, needs: needs)) }

    func receive(_ rows: [DecodedRow], in transaction: YapDatabaseReadTransaction) throws { try rows.forEach(receive) }

    private func receive(_ row: DecodedRow) throws {
        try extensionTransaction.insert(RowContent(row, needs: needs))
        try tally.add()
    }

    /// Indexes are made in one go after the rows.
    func end() throws { try extensionTransaction.createIndexes() }
}
