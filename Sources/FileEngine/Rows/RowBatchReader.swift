import ListChanges
import SQLiteBridge

/// Reads rows by their rowids, in the order in which they are asked for, many with one run of a statement: to end a run and to begin
/// the next costs as much as half of a search.
///
/// The statement is in the middle of its run until the next batch, so it is for callers that run nothing else meanwhile that changes
/// tables.
package final class RowBatchReader {
    /// The most rows of a batch.
    package static let limit = 50

    private let statement: SQLiteStatement
    /// Unchecked: no access is inside another one, and each row would be checked.
    @exclusivity(unchecked) private var collection = LastText()

    /// - Parameter isDerived: whether all of the rows are derived ones, or none.
    package init(_ store: Store, isDerived: Bool) throws {
        let table = try store.table(isDerived: isDerived)
        statement = try store.handle.statement(table?.isDerived == true ? Self.selectDerived : Self.select)
    }

    deinit { statement.reset() }

    /// Begins with rows that ``next()`` reads.
    package func begin(_ rowids: [Int64]) throws {
        require(rowids.count <= Self.limit, "A batch of \(rowids.count) rows.")
        statement.rewind()
        // The other parameters keep the values of an earlier batch, which are not reached.
        for (index, rowid) in rowids.enumerated() { try statement.bind(rowid, at: index + 1) }
    }

    /// Moves on to the next row of the batch.
    /// - Returns: whether there is such a row.
    package func next() throws -> Bool { try statement.step() && !statement.isNull(at: 4) }

    package var key: RowKey {
        RowKey(collection: collection.read(statement, at: 0), key: statement.text(at: 1) ?? "")
    }

    /// Whether the row is of the collection.
    package func isRow(of collection: String) -> Bool { statement.holds(collection, at: 0) }

    package var row: StoredRow { StoredRow(statement, objectColumn: 2, metadataColumn: 3) }

    /// The outer join has a row for each rowid, in their order.
    private static let (select, selectDerived) = (select(from: .rows), select(from: .derived))

    private static func select(from table: RowTable) -> String {
        """
        SELECT "collection", "key", "data", "metadata", "\(table.name)"."rowid" \
        FROM (VALUES \(Array(repeating: "(?)", count: limit).joined(separator: ", "))) AS "asked" \
        LEFT JOIN "\(table.name)" ON "\(table.name)"."rowid" = "asked"."column1"
        """
    }
}
