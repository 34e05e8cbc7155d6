import ListChanges
import SQLiteBridge

/// Reads rows by their rowids, many one after the other, with one statement.
///
/// Rows that follow each other in the table are read without a search. Between two calls the statement may be in the middle of
/// its run if the reader is `isAscending`: for callers that run nothing else meanwhile that changes tables.
package final class RowReader {
    private let statement: SQLiteStatement
    private let isAscending: Bool
    /// The row that the statement has reached; nil if it does not run.
    private var reached: Int64?
    /// Unchecked: no access is inside another one, and each row would be checked.
    @exclusivity(unchecked) private var collection = LastText()

    /// - Parameter isAscending: whether the rowids are asked for in ascending order.
    package init(_ store: Store, isAscending: Bool = false) throws {
        self.isAscending = isAscending
        statement = try store.handle.statement(
            isAscending
                ? #"SELECT "collection", "key", "data", "metadata", "rowid" FROM "database2" WHERE "rowid" >= ? ORDER BY "rowid""#
                : #"SELECT "collection", "key", "data", "metadata" FROM "database2" WHERE "rowid" = ?"#)
    }

    deinit { statement.reset() }

    /// Reads a row through `read`.
    /// - Returns: whether there is such a row.
    package func row(_ rowid: Int64, read: (RowKey, StoredRow) throws -> Void) throws -> Bool {
        guard try find(rowid) else { return false }
        defer { if !isAscending { rewind() } }
        try read(key, StoredRow(statement, objectColumn: 2, metadataColumn: 3))
        return true
    }

    /// Reads the key of a row; nil when there is no such row.
    package func key(_ rowid: Int64) throws -> RowKey? {
        guard try find(rowid) else { return nil }
        defer { if !isAscending { rewind() } }
        return key
    }

    private func find(_ rowid: Int64) throws -> Bool {
        guard isAscending else {
            rewind()
            try statement.bind(rowid, at: 1)
            return try statement.step()
        }
        // A step may end on another row, whose values SQLite then reads for nothing: not for gaps.
        if reached.map({ $0 &+ 1 != rowid }) ?? true {
            rewind()
            try statement.bind(rowid, at: 1)
        }
        guard try statement.step() else {
            rewind()
            return false
        }
        reached = statement.int64(at: 4)
        return reached == rowid
    }

    private func rewind() {
        statement.rewind()
        reached = nil
    }

    private var key: RowKey {
        RowKey(collection: collection.read(statement, at: 0), key: statement.text(at: 1) ?? "")
    }
}
