import ListChanges
import SQLiteBridge

/// Which rows an enumeration visits.
package enum RowScope: Hashable {
    /// Every row, in no particular order.
    case all
    /// The rows of one collection, in the order of their keys' bytes; with a range only the keys from its lower bound
    /// up to, but not including, its upper bound.
    case collection(String, Range<String>? = nil)
}

/// What an enumeration reads of each row.
package enum ScanColumns: Hashable {
    /// The rowid and the key.
    case keys
    /// Also the values' bytes, which are read on access.
    case values
}

/// The cursor of every enumeration of rows.
///
/// The current row is valid until the next call of `next()`. A cursor over keys reads only the index.
package final class RowCursor {
    private let statement: SQLiteStatement
    private let scope: RowScope
    // Unchecked: no member runs inside another one, and for most rows the check would cost as much as everything else.
    @exclusivity(unchecked) private var collection = LastText()
    @exclusivity(unchecked) private var order: CursorOrder

    package init(_ store: Store, _ scope: RowScope, _ columns: ScanColumns) throws {
        self.scope = scope
        order =
            switch (scope, columns) {
            case (.collection, _): CursorOrder(.key)
            case (.all, .keys): CursorOrder(.collectionAndKey)
            case (.all, .values): CursorOrder(.rowid)
            }
        statement = try store.handle.statement(Self.select(scope, columns))
        guard case .collection(let collection, let range) = scope else { return }
        try statement.bind(collection, at: 1)
        guard let range else { return }
        try statement.bind(range.lowerBound, at: 2)
        try statement.bind(range.upperBound, at: 3)
    }

    deinit { statement.reset() }

    /// - Throws: also if a damaged index leads back to an earlier row.
    package func next() throws -> Bool {
        guard try statement.step() else { return false }
        try order.advance(to: statement)
        return true
    }

    package var rowid: Int64 { statement.int64(at: 0) }

    package var key: RowKey {
        switch scope {
        case .collection(let collection, _): RowKey(collection: collection, key: statement.text(at: 1) ?? "")
        case .all: RowKey(collection: collection.read(statement, at: 2), key: statement.text(at: 1) ?? "")
        }
    }

    /// The values' bytes. Not for a cursor over keys.
    package var row: StoredRow {
        let first = scope == .all ? 3 : 2
        return StoredRow(statement, objectColumn: first, metadataColumn: first + 1)
    }

    private static func select(_ scope: RowScope, _ columns: ScanColumns) -> String {
        let (identity, condition) =
            switch scope {
            case .all where columns == .keys:
                (#""rowid", "key", "collection""#, #" ORDER BY "collection", "key""#)
            case .all: (#""rowid", "key", "collection""#, #" ORDER BY "rowid""#)
            case .collection(_, nil): (#""rowid", "key""#, #" WHERE "collection" = ? ORDER BY "key""#)
            case .collection(_, _?):
                (#""rowid", "key""#, #" WHERE "collection" = ? AND "key" >= ? AND "key" < ? ORDER BY "key""#)
            }
        switch columns {
        case .keys: return #"SELECT \#(identity) FROM "database2"\#(condition)"#
        // SQLite does not read a value that is not accessed, so one statement serves objects, metadata and rows.
        case .values: return #"SELECT \#(identity), "data", "metadata" FROM "database2"\#(condition)"#
        }
    }
}
