import FileEngine
import ListChanges

extension YapDatabaseReadTransaction {
    /// Reads, with one query, what a block needs of a row; nil if there is no such row. Leaves the connection's caches
    /// alone, because they belong to the application.
    func content(ofRowid rowid: Int64, needs: RowNeeds) throws -> RowContent? {
        try store.row(rowid) { try content(rowid, needs, $0, $1) }
    }

    fileprivate func content(_ rowid: Int64, _ needs: RowNeeds, _ key: RowKey, _ row: StoredRow) throws -> RowContent {
        RowContent(
            rowid: rowid, key: key,
            object: needs.contains(.object) ? try caches.object(key) ?? decodeObject(row, key) : nil,
            metadata: needs.contains(.metadata) ? try decodeMetadata(row, key) : nil,
            size: needs.isEmpty ? 0 : row.size)
    }
}

/// Reads what a block needs of many rows, with one statement for all of them.
final class ContentReader {
    private unowned let transaction: YapDatabaseReadTransaction
    private let needs: RowNeeds
    private let reader: RowReader

    /// - Parameter isAscending: whether the rows are asked for in the order of their rowids, while nothing is written.
    init(_ transaction: YapDatabaseReadTransaction, _ needs: RowNeeds, isAscending: Bool = false) throws {
        self.transaction = transaction
        self.needs = needs
        reader = try RowReader(transaction.store, isAscending: isAscending)
    }

    /// Returns nil if there is no such row.
    func content(ofRowid rowid: Int64) throws -> RowContent? {
        var content: RowContent?
        _ = try row(rowid) { content = try $1() }
        return content
    }

    /// Calls the body with a row's key and with a function that decodes the row.
    /// - Returns: whether there is such a row.
    func row(_ rowid: Int64, _ body: (RowKey, () throws -> RowContent) throws -> Void) throws -> Bool {
        try reader.row(rowid) { key, row in try body(key) { try transaction.content(rowid, needs, key, row) } }
    }
}
