import ListChanges
import SQLiteBridge

/// Reads rows by their rowids, many one after the other, with one statement.
///
/// Rows that follow each other in the table are read without a search. Between two calls the statement may be in the middle of
/// its run if the reader is `isAscending`: for callers that run nothing else meanwhile that changes tables.
///
/// It exists because looking a statement up and clearing it costs as much as finding a row.
package final class RowReader {
    private let store: Store
    private let statement: SQLiteStatement
    /// Reads derived rows, once one was asked for.
    private var derived: SQLiteStatement?
    private let isAscending: Bool
    private var search = AscendingSearch()
    /// Unchecked: no access is inside another one, and each row would be checked.
    @exclusivity(unchecked) private var collection = LastText()

    /// - Parameter isAscending: whether the rowids are asked for in ascending order.
    package init(_ store: Store, isAscending: Bool = false) throws {
        self.isAscending = isAscending
        self.store = store
        statement = try store.handle.statement(
            isAscending
                ? #"SELECT "collection", "key", "data", "metadata", "rowid" FROM "database2" WHERE "rowid" >= ? ORDER BY "rowid""#
                : RowTable.rows.rowOfRowid)
    }

    deinit {
        statement.reset()
        derived?.reset()
    }

    /// Reads a row through `read`.
    /// - Returns: whether there is such a row.
    package func row(_ rowid: Int64, read: (RowKey, StoredRow) throws -> Void) throws -> Bool {
        if RowTable.isDerived(rowid) { return try derivedRow(rowid, read: read) }
        guard try find(rowid) else { return false }
        defer { if !isAscending { statement.rewind() } }
        try read(key, StoredRow(statement, objectColumn: 2, metadataColumn: 3))
        return true
    }

    /// Reads the key of a row; nil when there is no such row.
    package func key(_ rowid: Int64) throws -> RowKey? {
        if RowTable.isDerived(rowid) { return try store.key(forRowid: rowid) }
        guard try find(rowid) else { return nil }
        defer { if !isAscending { statement.rewind() } }
        return key
    }

    private func derivedRow(_ rowid: Int64, read: (RowKey, StoredRow) throws -> Void) throws -> Bool {
        if derived == nil {
            derived = try store.table(isDerived: true).map { try store.handle.statement($0.rowOfRowid) }
        }
        guard let derived else { return false }
        derived.rewind()
        defer { derived.rewind() }
        try derived.bind(rowid, at: 1)
        guard try derived.step() else { return false }
        try read(
            RowKey(collection: derived.text(at: 0) ?? "", key: derived.text(at: 1) ?? ""),
            StoredRow(derived, objectColumn: 2, metadataColumn: 3))
        return true
    }

    private func find(_ rowid: Int64) throws -> Bool {
        if isAscending { return try search.find(rowid, statement, rowidColumn: 4) }
        statement.rewind()
        try statement.bind(rowid, at: 1)
        return try statement.step()
    }

    private var key: RowKey {
        RowKey(collection: collection.read(statement, at: 0), key: statement.text(at: 1) ?? "")
    }
}

/// Finds rows by rowids that are asked for in ascending order. Those that follow each other in the table are read without a search.
package struct AscendingSearch {
    /// The row that the statement has reached; nil if it does not run.
    private(set) var reached: Int64?

    package init() {}

    /// Moves the statement to a row.
    /// - Parameter statement: reads the rows from a rowid on, in ascending order.
    /// - Returns: whether there is such a row.
    package mutating func find(_ rowid: Int64, _ statement: SQLiteStatement, rowidColumn: Int) throws -> Bool {
        // A step may end on another row, whose values SQLite then reads for nothing: not for gaps.
        if reached.map({ $0 &+ 1 != rowid }) ?? true {
            statement.rewind()
            try statement.bind(rowid, at: 1)
        }
        reached = nil
        guard try statement.step() else {
            statement.rewind()
            return false
        }
        reached = statement.int64(at: rowidColumn)
        return reached == rowid
    }
}
