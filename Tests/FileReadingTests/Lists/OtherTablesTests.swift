import Foundation
import SQLiteBridge
import SeededRandom
import Testing

@testable import FileReading

/// Tables that are not the library's are lists, of any file of SQLite.
@Suite struct OtherTablesTests {
    private static let cases = Effort.dearCases(150)

    /// A table of any form has the rows that SQLite returns, with all their values.
    @Test func aTableHasItsRowsWhateverItsForm() throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        try withTemporaryFolder { folder in
            for number in 0..<Self.cases {
                let path = folder.appending(path: "\(number).sqlite").path
                let (columns, hasRowid) = try Self.make(path, using: &random)
                try Self.expectSame(path, columns, hasRowid, "seed \(seed), case \(number)")
            }
        }
    }

    private static func make(
        _ path: String, using random: inout SplitMix64
    ) throws -> (columns: [String], hasRowid: Bool) {
        let handle = try SQLiteHandle(path: path, mode: .create)
        let own = ["rowid", "_rowid_", "ROWID\", oid, \"_Rowid_"].randomElement(using: &random)!
        let names = (["a", "b \"quoted\""] + own.components(separatedBy: "\", oid, \"") + ["käse"]).prefix(
            Int.random(in: 2...5, using: &random))
        let types = names.map { _ in ["INTEGER", "TEXT", "BLOB", "REAL", ""].randomElement(using: &random)! }
        let hasRowid = Bool.random(using: &random)
        let keys = names.prefix(Int.random(in: 1...2, using: &random)).map(\.quotedSQL).joined(separator: ", ")
        let columns = zip(names, types).map { "\($0.quotedSQL) \($1)" }.joined(separator: ", ")
        let table = "t'\"x".quotedSQL
        try handle.execute(
            hasRowid
                ? "CREATE TABLE \(table) (\(columns))"
                : "CREATE TABLE \(table) (\(columns), PRIMARY KEY (\(keys))) WITHOUT ROWID")
        try handle.execute("CREATE VIEW seen AS SELECT count(*) FROM \(table)")
        let count = [0, 1, 7, 1_000, 1_001, 2_500].randomElement(using: &random)!
        let values = names.indices.map { place in
            ["i * 7 % 1013", "'text ' || i", "CAST('k' || i AS BLOB)", "i / 3.0", "zeroblob(i % 9000)"][
                (place + Int.random(in: 0..<5, using: &random)) % 5]
        }
        try handle.execute(
            """
            INSERT OR IGNORE INTO \(table) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(count)) \
            SELECT \(values.joined(separator: ", ")) FROM n WHERE \(count) > 0
            """)
        return (Array(names), hasRowid)
    }

    private static func expectSame(_ path: String, _ columns: [String], _ hasRowid: Bool, _ what: String) throws {
        let name = "t'\"x"
        let file = try BrowsedFile(path: path)
        let catalog = try file.snapshot.catalog()
        #expect(catalog.tables.map(\.name) == [name] && catalog.sqlViews == ["seen"], "\(what)")
        let list = try ListContent(.table(name), file.snapshot, catalog: catalog)
        try list.loadAll()
        var found: [[String]] = []
        try list.enumerate(RowSelection()) { stop in
            #expect(stop.row.error == nil && stop.row.columns.map(\.name) == columns, "\(what)")
            found.append(stop.row.columns.map { hex($0.value) })
        }
        let order = hasRowid ? columns.rowidName ?? "" : "1, 2"
        let fields = columns.map {
            "CASE typeof(\($0.quotedSQL)) WHEN 'real' THEN 'real' ELSE hex(\($0.quotedSQL)) END"
        }
        let expected = try query(
            path, "SELECT \(fields.joined(separator: ", ")) FROM \(name.quotedSQL) ORDER BY \(order)")
        #expect(Set(found) == Set(expected) && found.count == expected.count, "\(what)")
        if hasRowid { #expect(found == expected, "\(what)") }
        // Any row by its place, and a value's beginning.
        guard let source = list.sources[name], !found.isEmpty else { return }
        for place in [0, found.count / 2, found.count - 1] {
            let row = try file.snapshot.read { store in
                try list.row(source.rowids(in: place..<place + 1, store)[0], valueBytes: 100, store)
            }
            for (column, whole) in zip(row.columns, found[place]) where column.value.bytes != nil {
                #expect(column.value.size * 2 == whole.count, "\(what)")
                #expect(whole.hasPrefix(hex(column.value)), "\(what)")
            }
        }
    }

    private static func hex(_ value: StoredValue) -> String {
        switch value.content {
        case .null: ""
        case .integer(let number): "\(number)".utf8.map { String($0, radix: 16, uppercase: true) }.joined()
        case .real: "real"
        case .text(let bytes), .blob(let bytes):
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        }
    }

    @Test func aDamagedTableShowsTheRowsThatCanBeFound() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "torn.sqlite").path
            let handle = try SQLiteHandle(path: path, mode: .create)
            try handle.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
            try handle.execute(
                "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT i, 'row ' || i FROM n"
            )
            var bytes = Array(try Data(contentsOf: URL(filePath: path)))
            let leaf = try #require((3...bytes.count / 4_096).first { bytes[($0 - 1) * 4_096] == 13 })
            bytes.replaceSubrange((leaf - 1) * 4_096..<leaf * 4_096, with: repeatElement(0, count: 4_096))
            try Data(bytes).write(to: URL(filePath: path))
            let file = try BrowsedFile(path: path)
            let list = try ListContent(.table("t"), file.snapshot, catalog: try file.snapshot.catalog())
            try list.loadAll()
            #expect(list.counts["t"]! > 4_000 && list.counts["t"]! < 5_000 && list.loss != nil)
        }
    }
}
