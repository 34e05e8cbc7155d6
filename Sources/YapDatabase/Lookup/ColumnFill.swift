import Foundation

/// Fills the table of an extension that stores columns, from rows that are read for several extensions at once.
final class ColumnFill: RowReceiver {
    private let extensionTransaction: YapDatabaseColumnTransaction
    /// How columns are read from stored bytes, if fields declare them.
    private let fields: (columns: FieldColumns, read: FieldColumns.ByBytes)?
    private var tally: Tally

    init(_ transaction: YapDatabaseColumnTransaction, _ progress: Progress?) throws {
        extensionTransaction = transaction
        fields = transaction.index.fields.flatMap { columns in
            columns.byBytes(transaction.transaction.codings).map { (columns, $0) }
        }
        tally = try Tally(progress) {
            try transaction.transaction.count(allowedCollections: transaction.index.allowed)
        }
    }

    var allowedCollections: YapWhitelistBlacklist? { extensionTransaction.index.allowed }
    var needs: RowNeeds { extensionTransaction.index.columnHandler.needs }

    func receive(_ row: ScannedRow) throws {
        if let fields {
            let read = try extensionTransaction.decoding(row.rowid, row.key, needs) {
                try row.withObjectBytes { try fields.read($0, row.key) }
            }
            guard let read else { return try tally.add() }
            if let columns = read {
                try extensionTransaction.insert(columns, rowid: row.rowid, by: fields.columns)
                return try tally.add()
            }
        }
        try receive(DecodedRow(row, needs: needs))
    }

    func receive(_ rows: [DecodedRow], in transaction: YapDatabaseReadTransaction) throws { try rows.forEach(receive) }

    private func receive(_ row: DecodedRow) throws {
        try extensionTransaction.insert(row.rowid, row.key) {
            try row.require(needs)
            return RowContent(row, needs: needs)
        }
        try tally.add()
    }

    /// Indexes are made in one go after the rows.
    func end() throws { try extensionTransaction.createIndexes() }
}
