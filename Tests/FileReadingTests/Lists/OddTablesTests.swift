import FileEngine
import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import FileReading

/// Tables at the limits of SQLite, and names and values that look alike: everything is shown as it is, and comes back out of an export.
@Suite struct OddTablesTests {
    private static func rows(_ path: String, _ table: String, valueBytes: Int = 1_000) throws -> [BrowsedRow] {
        let file = try BrowsedFile(path: path)
        let content = try ListContent(.table(table), file.snapshot, catalog: file.snapshot.catalog())
        try content.loadAll()
        var rowids: [Int64] = []
        try content.enumerate(RowSelection()) { rowids.append($0.row.rowid) }
        return try rowids.map { rowid in
            try file.snapshot.work { try content.row(rowid, valueBytes: valueBytes, $0) }
        }
    }

    private static func withTable(_ statements: [String], _ body: (String) throws -> Void) throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "t.sqlite").path
            let handle = try SQLiteHandle(path: path, mode: .create)
            for statement in statements { try handle.execute(statement) }
            try body(path)
        }
    }

    private static func exported(_ path: String) throws -> ExportReport {
        let copy = try FileImport(path: path + ".copy")
        let lines = ImportLines { for line in $0 { if let line { try copy.add(line) } } }
        let report = try FileExport(BrowsedFile(path: path)).report { _, bytes in try lines.add(bytes) }
        try lines.finish()
        try copy.end()
        return report
    }

    /// SQLite has at most 2,000 columns in a table and in an answer.
    @Test(arguments: [999, 1_000, 1_001, 1_999, 2_000]) func aTableMayHaveManyColumns(count: Int) throws {
        let columns = (0..<count).map { "c\($0)" }
        try Self.withTable([
            "CREATE TABLE wide(\(columns.joined(separator: ", ")))",
            "INSERT INTO wide(c0, c\(count - 1)) VALUES ('first', 'last'), (NULL, x'00')",
        ]) { path in
            for row in try Self.rows(path, "wide") {
                #expect(row.error == nil && row.columns.map(\.name) == columns)
            }
            #expect(try Self.rows(path, "wide").map { $0.columns[count - 1].value.text } == ["last", "1 bytes"])
            let report = try Self.exported(path)
            #expect(report.damage == [] && report.notes.isEmpty == (count < 2_000))
            let sql = "SELECT rowid, c0, c\(count - 1) FROM wide ORDER BY rowid"
            #expect(try query(path, sql) == query(path + ".copy", sql))
        }
    }

    /// - Parameter size: of a text around the sizes up to which a value is shown whole, and up to which SQLite returns one.
    @Test(arguments: [1_000, 4 << 20, (4 << 20) + 1, (16 << 20) - 10, (16 << 20) + 1])
    func aLargeTextIsNotDamaged(size: Int) throws {
        let text = String(repeating: "é", count: size / 2) + (size % 2 == 0 ? "" : "x")
        try Self.withTable(["CREATE TABLE big(a, t, b)"]) { path in
            let handle = try SQLiteHandle(path: path, mode: .readWrite)
            let statement = try handle.statement("INSERT INTO big VALUES (1, ?1, CAST(?1 AS BLOB))")
            try statement.bind(text, at: 1)
            try statement.run()
            statement.reset()
            let row = try #require(try Self.rows(path, "big", valueBytes: FileSnapshot.valueBytes).first)
            #expect(row.error == nil && row.columns.map(\.name) == ["a", "t", "b"])
            for column in row.columns.dropFirst() {
                #expect(column.value.size == size, "\(column.name)")
                #expect(column.value.bytes?.elementsEqual(text.utf8.prefix(column.value.bytes?.count ?? 0)) == true)
                #expect((column.value.bytes?.count ?? 0) >= min(size, FileSnapshot.valueBytes))
            }
        }
    }

    @Test func generatedColumnsAreShownAndMadeAgain() throws {
        try Self.withTable([
            """
            CREATE TABLE stock(id INTEGER PRIMARY KEY, price REAL, vat REAL AS (price * 0.5) STORED,
              label TEXT AS ('#' || id))
            """,
            "INSERT INTO stock(price) VALUES (2), (8)",
        ]) { path in
            let rows = try Self.rows(path, "stock")
            #expect(rows[0].columns.map(\.name) == ["id", "price", "vat", "label"])
            #expect(
                rows.map { $0.columns.map(\.value.text) } == [["1", "2.0", "1.0", "#1"], ["2", "8.0", "4.0", "#2"]])
            let file = try BrowsedFile(path: path)
            let content = try ListContent(.table("stock"), file.snapshot, catalog: file.snapshot.catalog())
            let filtered = try FilteredRows(content, where: "vat > 3 AND label = '#2'", order: nil)
            var found: [Int64] = []
            try filtered.enumerate(RowSelection()) { found.append($0.row.rowid) }
            #expect(found == [2])
            #expect(try Self.exported(path).damage == [])
            #expect(try query(path, "SELECT * FROM stock") == query(path + ".copy", "SELECT * FROM stock"))
        }
    }

    /// Another program counts the versions of its schema, too.
    @Test func aFileOfAnotherProgramWithOurVersionLacksNothing() throws {
        try Self.withTable(["PRAGMA user_version = 3", "CREATE TABLE t(a)", "INSERT INTO t VALUES (1)"]) { path in
            let report = try Self.exported(path)
            #expect(report.damage == [] && report.lost.isEmpty)
            #expect(try query(path + ".copy", "SELECT name FROM sqlite_master") == [["t"]])
        }
    }

    /// Names compare by their bytes, as SQLite compares them: é as one scalar and as two are two fields.
    @Test func namesThatLookAlikeAreTwo() throws {
        let (one, two) = ("\u{e9}", "e\u{301}")
        try Self.withTable([
            "CREATE TABLE t(\"\(one)\", \"\(two)\")", "INSERT INTO t VALUES ('nfc', 'nfd'), ('nfc', NULL)",
        ]) { path in
            let file = try BrowsedFile(path: path)
            let content = try ListContent(.table("t"), file.snapshot, catalog: file.snapshot.catalog())
            var lines = ""
            let printer = try ColumnPrinter(columns: "\"\(one)\",\"\(two)\"", .plain, isForTerminal: false) {
                lines += String(decoding: $0, as: UTF8.self)
            }
            try content.enumerate(RowSelection()) { try printer.print($0.row) }
            try printer.flush()
            #expect(lines == "nfc\tnfd\nnfc\t\n")
            for (condition, count) in [
                ("\"\(one)\" = 'nfc'", 2), ("\"\(two)\" = 'nfd'", 1), ("\"\(two)\" IS NULL", 1),
                ("\"\(one)\" = 'nfd'", 0),
            ] {
                let rows = try FilteredRows(content, where: condition, order: nil)
                var found = 0
                try rows.enumerate(RowSelection()) { _ in found += 1 }
                #expect(found == count, "\(condition)")
            }
        }
    }
}
