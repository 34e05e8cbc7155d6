import SQLiteBridge

/// Writes on which pages of a view the rows are of a whole population, several with one run of a statement: to end a run and to begin
/// the next, with a search from the root, costs as much as to write a row.
///
/// Only in ascending order of the rowids, so that a run changes one or two pages of the file: SQLite saves those that a run of
/// several rows changes, for the case that it fails.
package final class MapFill {
    /// A row and the index of its page.
    @frozen package struct Row {
        package let rowid: Int64
        package let page: Int32

        @inlinable package init(rowid: Int64, page: Int32) { (self.rowid, self.page) = (rowid, page) }
    }

    private static let rowsOfRun = 128

    private let single: SQLiteStatement
    private let several: SQLiteStatement
    /// The texts of the keys that a run binds.
    private let texts = UnsafeMutableRawBufferPointer.allocate(
        byteCount: MapFill.rowsOfRun * PageName.textLength, alignment: 8)

    init(_ store: Store, _ sql: ViewSQL) throws {
        let more = Array(repeating: ", (?, ?)", count: Self.rowsOfRun - 1).joined()
        (single, several) = try store.handle.statements(sql.setPageKey, sql.setPageKey + more)
    }

    deinit {
        single.reset()
        several.reset()
        texts.deallocate()
    }

    /// - Parameter pages: whose keys are UUIDs.
    package func write(_ rows: [Row], pages: [PageName]) throws {
        var rows = rows[...]
        while !rows.isEmpty {
            let isShort = rows.count < Self.rowsOfRun
            let statement = isShort ? single : several
            defer { statement.rewind() }
            for (number, row) in rows.prefix(isShort ? 1 : Self.rowsOfRun).enumerated() {
                let text = UnsafeMutableRawBufferPointer(
                    rebasing: texts[number * PageName.textLength..<(number + 1) * PageName.textLength])
                pages[Int(row.page)].write(uuidText: text)
                try statement.bind(row.rowid, at: 2 * number + 1)
                try statement.bind(borrowingText: UnsafeRawBufferPointer(text), at: 2 * number + 2)
            }
            try statement.run()
            rows.removeFirst(isShort ? 1 : Self.rowsOfRun)
        }
    }
}
