import SQLiteBridge

/// Writes on which pages of a view the rows are of a whole population, several with one run of a statement: to end a run and to begin
/// the next, with a search from the root, costs as much as to write a row.
///
/// Only in ascending order of the rowids, so that a run changes one or two pages of the file: SQLite saves those that a run of
/// several rows changes, for the case that it fails.
package final class MapFill {
    /// A row and the index of its page's key.
    package typealias Row = (rowid: Int64, page: Int32)

    private static let rowsOfRun = 32

    private let single: SQLiteStatement
    private let several: SQLiteStatement

    init(_ store: Store, _ sql: ViewSQL) throws {
        let more = Array(repeating: ", (?, ?)", count: Self.rowsOfRun - 1).joined()
        (single, several) = try store.handle.statements(sql.setPageKey, sql.setPageKey + more)
    }

    deinit {
        single.reset()
        several.reset()
    }

    /// - Parameter didWrite: is called with the numbers of rows that were written.
    package func write(_ rows: [Row], pageKeys: [String], didWrite: (Int) throws -> Void) throws {
        var start = 0
        while start < rows.count {
            let (statement, end) =
                rows.count - start < Self.rowsOfRun ? (single, start + 1) : (several, start + Self.rowsOfRun)
            defer { statement.rewind() }
            for place in start..<end {
                let parameter = 2 * (place - start) + 1
                try statement.bind(rows[place].rowid, at: parameter)
                try statement.bind(pageKeys[Int(rows[place].page)], at: parameter + 1)
            }
            try statement.run()
            try didWrite(end - start)
            start = end
        }
    }
}
