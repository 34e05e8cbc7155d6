import FileEngine
import Foundation
import SQLiteBridge
import Testing
import YapDatabase

@testable import FileReading

@Suite struct ExportTests {
    @Test(arguments: originalFiles) func whatIsExportedComesBackTheSame(name: String) throws {
        try withFile(name) { try expectSame($0) }
    }

    @Test func valuesThatAreNoBytesAndNamesThatAreNoTextComeBack() throws {
        let changes = [
            "UPDATE database2 SET data = 9007199254740993, metadata = 0.1 WHERE rowid = 1",
            "UPDATE database2 SET data = 'text' || char(0) || 'more', metadata = CAST(x'ff41' AS TEXT) WHERE rowid = 2",
            "UPDATE database2 SET key = CAST(x'80' AS TEXT), data = zeroblob(0), metadata = 1e999 WHERE rowid = 3",
            "UPDATE database2 SET rowid = -5 WHERE rowid = 4",
            #"CREATE TABLE "we""ird" (a INTEGER PRIMARY KEY, b TEXT, c AS (a + 1)) "#,
            #"INSERT INTO "we""ird" (b) VALUES ('x')"#,
            "CREATE VIRTUAL TABLE rTreeIndex_r USING rtree(rowid, x0, x1)",
            "INSERT INTO rTreeIndex_r VALUES (1, 0.5, 1.5)",
            "CREATE TABLE pairs (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID", "INSERT INTO pairs VALUES (1, 2)",
        ]
        try withFile("json", changedBy: changes) { try expectSame($0) }
    }

    @Test(arguments: [
        ("{", "not what `yap export` writes"), (#"{"a":1}"#, "no line of an export"), (#"{"yap":2}"#, "newer release"),
        (#"{"table":"t","values":{}}"#, "first line"),
        (#"{"create":"table","sql":"DROP TABLE x","name":"x"}"#, "first line"),
    ])
    func aLineThatIsNoneIsAnError(line: String, sentence: String) throws {
        try withTemporaryFolder { folder in
            let target = try FileImport(path: folder.appending(path: "new.sqlite").path)
            let error = #expect(throws: ImportError.self) { try target.add(Array(line.utf8)) }
            #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
            try target.abandon()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    /// SQLite would store the first of the two values.
    @Test(arguments: [#""a":1,"b":2,"a":3"#, #""a":1,"A":1"#]) func aColumnWithTwoValuesIsRefused(values: String) throws
    {
        try withTemporaryFolder { folder in
            let target = try FileImport(path: folder.appending(path: "new.sqlite").path)
            for line in [
                #"{"yap":1,"pageSize":4096,"encoding":"UTF-8","autoVacuum":1,"userVersion":3,"applicationID":0}"#,
                #"{"create":"table","name":"t","sql":"CREATE TABLE t (a, b, \"é\", \"É\")"}"#,
                #"{"table":"t","rowid":1,"values":{"a":1,"é":2,"É":3}}"#,
            ] { try target.add(Array(line.utf8)) }
            let error = #expect(throws: ImportError.self) {
                try target.add(Array(#"{"table":"t","rowid":2,"values":{\#(values)}}"#.utf8))
            }
            #expect(error?.description.contains("has two values") == true, "\(String(describing: error))")
            try target.abandon()
        }
    }

    /// `object` is only for people: its content must not prevent a row from being imported.
    @Test func valuesThatAreHardToReadAsJSONComeBack() throws {
        let changes = [
            #"UPDATE database2 SET data = '{"a":1e400,"b":' || substr(hex(zeroblob(300)), 1, 400) || '1}' WHERE rowid = 1"#,
            "UPDATE database2 SET data = substr(replace(hex(zeroblob(99)), '0', '['), 1, 99) WHERE rowid = 2",
            #"UPDATE database2 SET data = '{"quote":"\\","brace":"}"}' WHERE rowid = 3"#,
        ]
        try withFile("json", changedBy: changes) { try expectSame($0) }
    }

    /// A rowid that was given out once is not given out again, whatever became of its row.
    @Test func countersOfTablesComeBack() throws {
        let changes = [
            "CREATE TABLE some (id INTEGER PRIMARY KEY AUTOINCREMENT, x)", "INSERT INTO some (x) VALUES (1), (2), (3)",
            "DELETE FROM some WHERE id > 1", #"CREATE TABLE "o'Ne" (id INTEGER PRIMARY KEY AUTOINCREMENT)"#,
            #"INSERT INTO "o'Ne" VALUES (9223372036854775806)"#, #"DELETE FROM "o'Ne""#,
            "CREATE TABLE never (id INTEGER PRIMARY KEY AUTOINCREMENT)",
            "CREATE TABLE odd (id INTEGER PRIMARY KEY AUTOINCREMENT)", "INSERT INTO odd VALUES (5)",
            "UPDATE sqlite_sequence SET seq = -4 WHERE name = 'odd'",
            "CREATE TABLE wrong (id INTEGER PRIMARY KEY AUTOINCREMENT)",
            "INSERT INTO sqlite_sequence VALUES ('wrong', 'x'), ('gone', 7)",
        ]
        try withFile("json", changedBy: changes) { path in
            try expectSame(path)
            let counters = "SELECT name, seq FROM sqlite_sequence ORDER BY name"
            let copied = try query(path + ".copy", counters)
            #expect(copied == [["o'Ne", "9223372036854775806"], ["odd", "5"], ["some", "3"]])
            let repaired = path + ".repaired"
            _ = try FileRepair(path, to: repaired, check: { try YapDatabase.checkReport(url: URL(filePath: $0)) }).run()
            #expect(try query(repaired, counters) == copied)
            let copy = try SQLiteHandle(path: repaired, mode: .readWrite)
            try copy.execute("INSERT INTO some (x) VALUES (4)")
            let statement = try copy.statement("SELECT max(id) FROM some")
            defer { statement.reset() }
            #expect(try statement.step() && statement.int64(at: 0) == 4)
        }
    }

    @Test(arguments: [
        (#""name":"t","counter":"7""#, "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)", "should be a number"),
        (#""name":"t","counter":1.5"#, "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)", "should be a number"),
        (#""name":"t","counter":7"#, "CREATE TABLE t (a INTEGER PRIMARY KEY)", "has no counter"),
        (#""name":"u","counter":7"#, "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)", "has no counter"),
        (#""counter":7"#, "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)", "should be a number"),
    ])
    func aCounterOfNoTableIsRefused(members: String, sql: String, words: String) throws {
        let head = #"{"yap":1,"pageSize":4096,"encoding":"UTF-8","autoVacuum":1,"userVersion":3,"applicationID":0}"#
        try withTemporaryFolder { folder in
            let target = try FileImport(path: folder.appending(path: "new.sqlite").path)
            let error = #expect(throws: ImportError.self) {
                for line in [head, #"{"create":"table","sql":"\#(sql)",\#(members)}"#, #"{"rows":{}}"#] {
                    try target.add(Array(line.utf8))
                }
                try target.end()
            }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
            try target.abandon()
        }
    }

    /// SQLite stores no such number, but NULL; or it would store another one.
    @Test(arguments: ["nan", "-nan", "NaN", "nan(0x1)", "x", "1e400", "-1e999", ""]) func whatIsNoRealNumberIsRefused(
        text: String
    ) throws {
        try withTemporaryFolder { folder in
            let target = try FileImport(path: folder.appending(path: "new.sqlite").path)
            for line in [
                #"{"yap":1,"pageSize":4096,"encoding":"UTF-8","autoVacuum":1,"userVersion":3,"applicationID":0}"#,
                #"{"create":"table","name":"t","sql":"CREATE TABLE t (a)"}"#,
                #"{"table":"t","rowid":1,"values":{"a":{"$real":"-inf"}}}"#,
            ] { try target.add(Array(line.utf8)) }
            for space in ["", " "] {
                let error = #expect(throws: ImportError.self) {
                    try target.add(Array(#"{"table":"t",\#(space)"rowid":2,"values":{"a":{"$real":"\#(text)"}}}"#.utf8))
                }
                let words = "\"$real\" should be a number that SQLite can store, not \"\(text)\""
                #expect(error?.description == words, "\(String(describing: error))")
            }
            try target.abandon()
        }
    }

    /// A table may have columns with the names of the rowid, even with all three. Then it cannot be asked for.
    @Test(arguments: ["rowid", "_rowid_", "OID", "_rowid_, rowid", "rowid, oid, _ROWID_"])
    func rowsOfTablesWithOwnRowidsComeBack(names: String) throws {
        let count = names.split(separator: ",").count
        let some = Array(repeating: "x'01'", count: count).joined(separator: ", ")
        let changes = [
            "CREATE TABLE own (\(names), x)", "INSERT INTO own (x) VALUES ('a'), ('b'), (NULL)",
            "INSERT INTO own VALUES (\(Array(repeating: "7", count: count).joined(separator: ", ")), 'c')",
            "INSERT INTO own VALUES (\(Array(repeating: "'t'", count: count).joined(separator: ", ")), 'd')",
            "INSERT INTO own VALUES (\(some), 'e')", "DELETE FROM own WHERE x = 'b'",
        ]
        try withFile("json", changedBy: changes) { path in
            try expectSame(path)
            let snapshot = try BrowsedFile(path: path).snapshot
            guard count < 3 else {
                #expect {
                    _ = try ListContent(.table("own"), snapshot, catalog: snapshot.catalog())
                } throws: { ($0 as? YapDatabaseError)?.message.contains("all names of a rowid") == true }
                return
            }
            let list = try ListContent(.table("own"), snapshot, catalog: snapshot.catalog())
            try list.loadAll()
            #expect(list.counts["own"] == 5 && list.damage == [])
        }
    }

    /// They are written in pieces, with characters of several bytes at the edges.
    @Test func largeValuesComeBack() throws {
        let long = "replace(hex(zeroblob(35000)), '00', 'a€😀')"
        let changes = [
            "UPDATE database2 SET data = randomblob(300001), metadata = randomblob(280000) WHERE rowid = 1",
            "UPDATE database2 SET data = \(long), metadata = 'a' || \(long) WHERE rowid = 2",
            "UPDATE database2 SET data = CAST(CAST(\(long) AS BLOB) || x'ff' AS TEXT) WHERE rowid = 3",
            #"UPDATE database2 SET data = replace(hex(zeroblob(25000)), '00', '{"$blob":"AAAA') WHERE rowid = 4"#,
            "CREATE TABLE pairs (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID",
            "INSERT INTO pairs VALUES (1, randomblob(300000))",
        ]
        try withFile("json", changedBy: changes) { try expectSame($0) }
    }

    @Test func aMarkInThePlaceOfABlobIsNoBlob() throws {
        try withTemporaryFolder { folder in
            let target = try FileImport(path: folder.appending(path: "new.sqlite").path)
            for line in [
                #"{"yap":1,"pageSize":4096,"encoding":"UTF-8","autoVacuum":1,"userVersion":3,"applicationID":0}"#,
                #"{"create":"table","name":"t","sql":"CREATE TABLE t (a)"}"#,
            ] { try target.add(Array(line.utf8)) }
            for text in ["@0", "@-1", "@9223372036854775807", "@"] {
                #expect(throws: ImportError.self) {
                    try target.add(Array(#"{"table":"t","rowid":1,"values":{"a":{"$blob":"\#(text)"}}}"#.utf8))
                }
            }
            let long = String(repeating: "AAAA", count: 70_000)
            #expect(throws: ImportError.self) {
                try target.add(Array(#"{"table":"t","rowid":2,"values":{"a":{"$blob":"\#(long)*"}}}"#.utf8))
            }
            try target.abandon()
        }
    }

    @Test func aPartThatIsMissingIsNoticed() throws {
        try withFile("json") { path in
            let lines = try exportedLines(path).lines
            let row = try #require(lines.firstIndex { $0.starts(with: Array(#"{"table":"database2""#.utf8)) })
            for (missing, words) in [(row, "were read"), (lines.count - 1, "end of the export is missing")] {
                let target = try FileImport(path: path + ".copy")
                for (index, line) in lines.enumerated() where index != missing { try target.add(line) }
                let error = #expect(throws: ImportError.self) { try target.end() }
                #expect(error?.description.contains(words) == true, "\(String(describing: error))")
                try target.abandon()
            }
        }
    }

    @Test func rowsThatBreakARuleAreLeftOutAndCounted() throws {
        try withFile("json") { path in
            let lines = try exportedLines(path).lines
            let rows = try query(path, "SELECT count(*) FROM database2")[0][0]
            let target = try FileImport(path: path + ".copy")
            let first = #"{"table":"database2","rowid":1,"values":{"#
            for line in lines {
                var text = String(decoding: line, as: UTF8.self)
                // As in a damaged file: a missing key, and one that another row also has.
                if text.hasPrefix(#"{"table":"database2","rowid":2,"#) {
                    text.replace(/"key":"[^"]*"/, with: #""key":null"#)
                }
                if text.hasPrefix(#"{"table":"database2","rowid":3,"#) {
                    let one = String(
                        decoding: try #require(lines.first { $0.starts(with: Array(first.utf8)) }), as: UTF8.self)
                    text = one.replacing(#""rowid":1"#, with: #""rowid":3"#)
                }
                try target.add(Array(text.utf8))
            }
            try target.end()
            #expect(target.leftOut == 2 && target.brokenRule?.contains("database2") == true)
            #expect(try query(path + ".copy", "SELECT count(*) + 2 FROM database2")[0][0] == rows)
            #expect(try query(path + ".copy", "PRAGMA integrity_check") == [["ok"]])
        }
    }

    /// Without their line breaks.
    private func exportedLines(_ path: String) throws -> (lines: [[UInt8]], damage: [String]) {
        var bytes: [UInt8] = []
        let damage = try FileExport(BrowsedFile(path: path)).run { bytes += $1 }
        return (bytes.split(separator: UInt8(ascii: "\n")).map(Array.init), damage)
    }

    private func expectSame(_ path: String) throws {
        let copy = path + ".copy"
        let target = try FileImport(path: copy)
        let export = try exportedLines(path)
        for line in export.lines { try target.add(line) }
        #expect(export.damage == [])
        try target.end()
        let schema = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name"
        #expect(try query(path, schema) == query(copy, schema))
        for pragma in ["user_version", "page_size", "auto_vacuum", "encoding"] {
            #expect(try query(path, "PRAGMA \(pragma)") == query(copy, "PRAGMA \(pragma)"))
        }
        let tables = try query(
            path, "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')")
        for table in tables where !table[0].hasPrefix("sqlite_") {
            let name = table[0].quotedSQL
            let columns = try query(
                path, "SELECT name FROM pragma_table_info('\(table[0].replacing("'", with: "''"))')")
            let fields = columns.map { $0[0].quotedSQL }.map { "typeof(\($0)), hex(\($0)), \($0)" }.joined(
                separator: ", ")
            let rowid = table[1] == "0" ? columns.map { $0[0] }.rowidName.map { $0 + ", " } : nil
            // Without its rowids, a table that is filled again has the rows one after the other.
            let sql = "SELECT \(rowid ?? "")\(fields) FROM \(name)"
            #expect(try query(path, sql) == query(copy, sql), "\(name)")
        }
    }
}
