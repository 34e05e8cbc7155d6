import ListChanges
import SQLiteBridge

/// Which rows an enumeration visits.
package enum RowScope: Hashable {
    /// Every row, in no particular order.
    case all
    /// The rows of one collection, in the order of their keys' bytes; with a range only the keys from its lower bound
    /// up to, but not including, its upper bound.
    case collection(String, Range<String>? = nil)
    /// The rows with these rowids, which are in ascending order.
    case rowids([Int64])

    /// Whether the rows are derived ones, which only a scope of their collection has.
    var isDerived: Bool { if case .collection(let name, _) = self { RowTable.isDerived(name) } else { false } }
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
    /// The collection of every row, if the cursor visits only one.
    private let onlyCollection: String?
    private let isAllowed: ((String) -> Bool)?
    /// The column of the object.
    private let firstValue: Int
    // Unchecked: no member runs inside another one, and for most rows the check would cost as much as everything else.
    @exclusivity(unchecked) private var collection = LastText()
    @exclusivity(unchecked) private var order: CursorOrder
    /// The collection that was asked for last, and whether it is allowed.
    @exclusivity(unchecked) private var asked: (collection: String, isAllowed: Bool)?
    /// The rows that are still to be visited, if their rowids are given.
    @exclusivity(unchecked) private var rowids: ArraySlice<Int64>?
    @exclusivity(unchecked) private var search = AscendingSearch()

    /// - Parameter isAllowed: which collections' rows are visited, of those in the scope. Asked once for rows of one collection that follow
    ///   each other.
    package init(
        _ store: Store, _ scope: RowScope, _ columns: ScanColumns, where isAllowed: ((String) -> Bool)? = nil
    ) throws {
        self.isAllowed = isAllowed
        let table = try store.table(isDerived: scope.isDerived)
        // If the file has no table of derived rows, the statement reads the other table, which finds none.
        statement = try store.handle.statement(Self.select(scope, columns, table ?? .rows))
        switch scope {
        case .collection(let collection, let range):
            (onlyCollection, firstValue, order) = (collection, 2, CursorOrder(.key))
            try statement.bind(collection, at: 1)
            guard let range else { return }
            try statement.bind(range.lowerBound, at: 2)
            try statement.bind(range.upperBound, at: 3)
        case .all:
            (onlyCollection, firstValue) = (nil, 3)
            order = CursorOrder(columns == .keys ? .collectionAndKey : .rowid)
        case .rowids(let rowids):
            (onlyCollection, firstValue, order) = (nil, 3, CursorOrder(.rowid))
            self.rowids = rowids[...]
        }
    }

    deinit { statement.reset() }

    /// - Throws: also if a damaged index leads back to an earlier row.
    package func next() throws -> Bool {
        repeat {
            guard try step() else { return false }
            try order.advance(to: statement)
        } while isAllowed.map(isOutside) ?? false
        return true
    }

    @inline(__always)
    private func step() throws -> Bool { rowids == nil ? try statement.step() : try stepToNextRowid() }

    private func stepToNextRowid() throws -> Bool {
        guard let next = rowids?.popFirst() else { return false }
        guard next != search.reached else {
            throw YapDatabaseError(
                .corrupt, "Row \(next) is in the index of the keys twice. Run `yap check` on the file.")
        }
        guard try search.find(next, statement, rowidColumn: 0) else {
            throw YapDatabaseError(
                .corrupt, "Row \(next) is in the index of the keys and not in the table. Run `yap check` on the file.")
        }
        return true
    }

    /// Whether the row is of a collection that is not allowed.
    private func isOutside(_ isAllowed: (String) -> Bool) -> Bool {
        let name = collectionName
        if let asked, asked.collection.hasSameBytes(as: name) { return !asked.isAllowed }
        asked = (name, isAllowed(name))
        return asked?.isAllowed == false
    }

    package var rowid: Int64 { statement.int64(at: 0) }

    package var key: RowKey { RowKey(collection: collectionName, key: statement.text(at: 1) ?? "") }

    private var collectionName: String { onlyCollection ?? collection.read(statement, at: 2) }

    /// Appends the object's bytes; nothing where the column is NULL. Not for a cursor over keys.
    /// - Returns: the number of stored bytes of object and metadata.
    package func appendObject(to bytes: inout [UInt8]) -> Int {
        let row = row
        let start = bytes.count
        row.withObject { if let object = $0 { bytes.append(contentsOf: object) } }
        return bytes.count - start + row.metadataSize
    }

    /// The values' bytes. Not for a cursor over keys.
    package var row: StoredRow {
        StoredRow(statement, objectColumn: firstValue, metadataColumn: firstValue + 1)
    }

    private static func select(_ scope: RowScope, _ columns: ScanColumns, _ table: RowTable) -> String {
        let (identity, condition) =
            switch scope {
            case .all where columns == .keys:
                (#""rowid", "key", "collection""#, #" ORDER BY "collection", "key""#)
            case .all: (#""rowid", "key", "collection""#, #" ORDER BY "rowid""#)
            case .rowids: (#""rowid", "key", "collection""#, #" WHERE "rowid" >= ? ORDER BY "rowid""#)
            case .collection(_, nil): (#""rowid", "key""#, #" WHERE "collection" = ? ORDER BY "key""#)
            case .collection(_, _?):
                (#""rowid", "key""#, #" WHERE "collection" = ? AND "key" >= ? AND "key" < ? ORDER BY "key""#)
            }
        switch columns {
        case .keys: return #"SELECT \#(identity) FROM "\#(table.name)"\#(condition)"#
        // SQLite does not read a value that is not accessed, so one statement serves objects, metadata and rows.
        case .values: return #"SELECT \#(identity), "data", "metadata" FROM "\#(table.name)"\#(condition)"#
        }
    }
}
