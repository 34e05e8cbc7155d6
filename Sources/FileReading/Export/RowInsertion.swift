import SQLiteBridge
import FileEngine

/// Inserts rows into one table, with one statement for as long as the columns stay the same.
final class RowInsertion {
    private let table: String
    private let columns: [String]
    /// Whether the lines have rowids.
    private let hasRowid: Bool
    /// The name by which the table's rowids are set; nil if they are not, or columns have all of their names.
    private let rowid: String?
    private let statement: SQLiteStatement
    /// The number of rows inserted so far.
    var count: Int

    /// - Throws: ``ImportError`` if a column is named twice.
    init(_ row: ImportLine.Row, _ store: Store, count: Int) throws {
        try Self.checkNames(row.columns)
        table = row.table
        columns = row.columns
        hasRowid = row.rowid != nil
        rowid = hasRowid ? columns.rowidName : nil
        self.count = count
        let names = columns.map(\.quotedSQL) + (rowid.map { [$0] } ?? [])
        let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        statement = try store.handle.statement(
            "INSERT INTO \(table.quotedSQL) (\(names.joined(separator: ", "))) VALUES (\(places))")
    }

    deinit { statement.reset() }

    /// Of a column that is named twice, SQLite would store the first value and say nothing. It does not tell names apart that differ only in the
    /// case of ASCII letters.
    private static func checkNames(_ columns: [String]) throws {
        var names: Set<[UInt8]> = []
        for name in columns {
            let folded = name.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
            if !names.insert(folded).inserted {
                throw ImportError("the column \"\(name)\" has two values")
            }
        }
    }

    func isFor(_ row: ImportLine.Row) -> Bool {
        hasRowid == (row.rowid != nil) && table.utf8.elementsEqual(row.table.utf8) && columns.count == row.columns.count
            && zip(columns, row.columns).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }

    func run(_ row: ImportLine.Row) throws {
        defer { statement.rewind() }
        if rowid != nil, let rowid = row.rowid { try statement.bind(rowid, at: columns.count + 1) }
        try ExportedValue.bind(row.values[...], to: statement, at: 1) { try statement.run() }
    }
}
