import Foundation
import HostileFiles
import SQLiteBridge
import TerminalTesting
import TestTraits
import Testing
import YapDatabase

/// The commands on hostile files and lines: each ends and leaves nothing behind.
@Suite(.ends(within: 300)) struct HostileFileCommandTests {
    @Test(arguments: HostileExport.all) func anImportOfHostileLinesLeavesNothing(export: HostileExport) throws {
        try withTemporaryFolder { folder throws in
            let lines = folder.appending(path: "lines.jsonl")
            try Data(export.lines.joined(separator: "\n").utf8).write(to: lines)
            let run = try YapRun(["import", lines.path, folder.appending(path: "new").path])
            #expect(run.code == 1 && run.errors.contains(export.words), "\(run.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["lines.jsonl"])
        }
    }

    /// A single function call that takes hours and that SQLite does not interrupt.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func anImportEndsInTheMiddleOfAStatement(signal: Int32) throws {
        try withTemporaryFolder { folder throws in
            let slow = "instr(hex(zeroblob(20000000)), hex(zeroblob(10000000)) || '1')"
            let lines = [
                #"{"yap":1,"pageSize":4096,"encoding":"UTF-8","autoVacuum":1,"userVersion":3,"applicationID":0}"#,
                #"{"create":"table","name":"t","sql":"CREATE TABLE t (a CHECK (\#(slow) = 0))"}"#,
                #"{"table":"t","rowid":1,"values":{"a":1}}"#, #"{"rows":{"t":1}}"#,
            ]
            let new = folder.appending(path: "new").path
            let run = try YapProcess(["import", "-", new])
            try run.write(lines.map { $0 + "\n" }.joined())
            try waitUntil("It writes") {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.hasSuffix("-journal") }
            }
            // Reading so few lines takes a tenth of that: it is inside the statement.
            try waitUntil("It computes") { (run.processorSeconds ?? 0) > 0.2 }
            run.send(signal)
            #expect(run.exitCode() == 128 + signal && run.errorText() == "")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    /// What a condition makes of a small row is bounded; the row is left out, and said.
    @Test func aConditionMakesNoGigabytesOfARow() throws {
        try withTemporaryFolder { folder throws in
            let large = "length(hex(zeroblob(400000000)))"
            let lines = [
                #"{"yap":1,"pageSize":4096,"encoding":"UTF-8","autoVacuum":1,"userVersion":3,"applicationID":0}"#,
                #"{"create":"table","name":"t","sql":"CREATE TABLE t (a CHECK (a < 2 OR \#(large) > 0))"}"#,
                #"{"table":"t","rowid":1,"values":{"a":1}}"#, #"{"table":"t","rowid":2,"values":{"a":2}}"#,
                #"{"rows":{"t":2}}"#,
            ]
            let (export, new) = (folder.appending(path: "lines"), folder.appending(path: "new.sqlite"))
            try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: export)
            let run = try YapRun(["import", export.path, new.path])
            #expect(
                run.code == 1 && run.errors.contains("1 row was left out") && run.errors.contains("67,108,864 bytes"),
                "\(run.errors)")
            #expect(try IndependentReader(path: new.path).rows("SELECT a FROM t") == [["1"]])
        }
    }

    /// Neither a descriptor for each table nor a scan of all names for each would be acceptable.
    @Test func aFileOfManyTablesIsExportedWithFewDescriptors() throws {
        try withCopy(of: "json") { url in
            do {
                let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
                try handle.execute("BEGIN")
                for number in 0..<1_000 {
                    try handle.execute("CREATE TABLE \"table\(number % 2 == 0 ? "+" : "-")\(number / 2)\" (a)")
                    try handle.execute(
                        "INSERT INTO \"table\(number % 2 == 0 ? "+" : "-")\(number / 2)\" VALUES (\(number))")
                }
                try handle.execute("COMMIT")
            }
            let rows = url.path + ".rows"
            let yap = try builtProduct("yap")
            #expect(
                try output(of: "/bin/sh", ["-c", "ulimit -n 40; '\(yap)' export --to '\(rows)' '\(url.path)'"]) == "")
            #expect(try FileManager.default.contentsOfDirectory(atPath: rows).count > 1_000)
            let copy = url.path + ".copy"
            #expect(try YapRun(["import", rows, copy]).code == 0)
            for sql in [
                "SELECT a FROM \"table-499\"", "SELECT a FROM \"table+499\"", "SELECT count(*) FROM sqlite_master",
            ] {
                #expect(try IndependentReader(path: copy).rows(sql) == IndependentReader(path: url.path).rows(sql))
            }
        }
    }

    /// Also if the signal arrives while SQLite works.
    @Test(arguments: [SIGINT, SIGTERM]) func anExportThatIsStoppedLeavesNothing(signal: Int32) throws {
        try withCopy(of: "json") { url in
            do {
                let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
                try handle.execute("CREATE TABLE many (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID")
                try handle.execute(
                    """
                    INSERT INTO many WITH RECURSIVE e(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM e LIMIT 300000) \
                    SELECT a, a FROM e
                    """)
            }
            let rows = url.path + ".rows"
            let run = try YapProcess(["export", "--to", rows, url.path])
            try waitUntil("It exports rows") { FileManager.default.fileExists(atPath: rows + "/rows-many.jsonl") }
            run.send(signal)
            #expect(run.exitCode() == 128 + signal)
            #expect(!FileManager.default.fileExists(atPath: rows))
        }
    }

    /// The walk over rowids went on for ever, by one at a time.
    @Test(arguments: ["row", "reserved"]) func aDamagedRowFarAwayEndsTheCommandsSoon(damage: String) throws {
        try withCopy(of: "books") { url in
            do {
                let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
                for rowid in ["1000000000000", "9223372036854775807"] {
                    try handle.execute(
                        "INSERT INTO database2 VALUES (\(rowid), 'books', 'far \(rowid)', CAST(printf('%.*c', 20000, 'y') AS BLOB), NULL)"
                    )
                }
                try handle.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            }
            var bytes = Array(try Data(contentsOf: url))
            if damage == "reserved" { bytes[20] = 8 }
            for start in stride(from: 4096, to: bytes.count, by: 4096)
            where damage == "row" && bytes[start + 8..<start + 4096].allSatisfy({ $0 == UInt8(ascii: "y") }) {
                bytes.replaceSubrange(start..<start + 4, with: [0, 0, 0, 0])
            }
            try Data(bytes).write(to: url)
            let exported = try YapRun(["export", "--to", "-", url.path])
            let rows = exported.lines.count { $0.hasPrefix(#"{"table":"database2""#) }
            #expect(exported.code == 1 && rows == (damage == "row" ? 481 : 483), "\(exported.errors)")
            if damage == "row" { #expect(exported.errors.contains("Lost: books/far 1000000000000, row 1000000000000")) }
            #expect(try check([url.path]).code == 1)
            let listed = try browse("--list", url.path)
            #expect(listed.code == 3 || damage == "row", "\(listed.text)")
        }
    }

    @Test func aLinkThatLeadsNowhereIsNotFollowed() throws {
        try withTemporaryFolder { folder throws in
            let (link, target) = (folder.appending(path: "link").path, folder.appending(path: "target").path)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let run = try YapRun(["import", "-", link], input: HostileExport.all[0].lines[0])
            #expect(run.code == 1 && run.errors.contains("exists already"), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: target))
        }
    }

    @Test(arguments: HostileSchema.all) func theCommandsReadAHostileFileAndTellOfIt(schema: HostileSchema) throws {
        try withCopy(of: "json") { url in
            try schema.apply(to: url.path)
            let checked = try check([url.path])
            #expect(checked.code == 1 && checked.text.contains(schema.told), "\(checked.text) \(checked.errors)")
            #expect(try browse("--list", url.path).code == 0)
            #expect(try YapRun(["export", "--to", "-", url.path]).code == 0)
        }
    }

    /// The search for the next name used the last one as text and never ended.
    @Test(arguments: ["x'ff'", "CAST(x'ff' AS TEXT)"]) func aCheckEndsAtACollectionOfAnyBytes(name: String) throws {
        try withCopy(of: "json") { url in
            try SQLiteHandle(path: url.path, mode: .readWrite).execute(
                "UPDATE database2 SET collection = \(name) WHERE rowid < 3")
            let run = try check([url.path])
            #expect(run.code == 1 && run.text.contains("The name of the collection"), "\(run.text)")
            #expect(try browse("--list", url.path).code == 0)
        }
    }
}
