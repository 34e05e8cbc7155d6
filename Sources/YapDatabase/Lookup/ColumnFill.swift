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
    var needsValues: Bool { !extensionTransaction.index.columnHandler.needs.isEmpty }

    func receive(_ row: ScannedRow) throws {
        try extensionTransaction.insert(RowContent(row, needs: extensionTransaction.index.columnHandler.needs))
        try tally.add()
    }

    /// Indexes are made in one go after the rows.
    func end() throws { try extensionTransaction.createIndexes() }
}
