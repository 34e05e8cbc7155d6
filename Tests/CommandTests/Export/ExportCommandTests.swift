import Foundation
import SQLiteBridge
import Testing
import YapDatabase

@Suite struct ExportCommandTests {
    @Test(arguments: ["books", "chat", "json"]) func aFileComesBackOutOfAFolder(name: String) throws {
        try withCopy(of: name) { url in
            let before = try FileTrace(url)
            try withTemporaryFolder { folder throws in
                let (rows, copy) = (folder.appending(path: "rows").path, folder.appending(path: "copy.sqlite"))
                #expect(try YapRun(["export", "--to", rows, url.path]).code == 0)
                #expect(try FileTrace(url) == before)
                #expect(try YapRun(["import", rows, copy.path]).code == 0)
                #expect(try YapDatabase.check(url: copy) == [])
                let sql = "SELECT rowid, collection, key, hex(data), hex(metadata) FROM database2"
                #expect(try IndependentReader(path: copy.path).rows(sql) == IndependentReader(path: url.path).rows(sql))
            }
        }
    }

    private func makeTables(_ names: [String], in url: URL) throws {
        let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
        try handle.execute("CREATE TABLE \"\(names[0])\" (a)")
        try handle.execute("CREATE TABLE \"\(names[1])\" (b TEXT PRIMARY KEY, c) WITHOUT ROWID")
        for row in 0..<3 { try handle.execute("INSERT INTO \"\(names[0])\" VALUES (\(row))") }
        for row in 0..<5 { try handle.execute("INSERT INTO \"\(names[1])\" VALUES ('\(row)', \(row))") }
    }

    /// SQLite compares names by their bytes, so it has both tables. Swift's texts are equal.
    @Test func tablesWhoseNamesDifferInTheirFormAloneAreTwo() throws {
        let names = ["caf\u{e9}", "cafe\u{301}"]
        try withCopy(of: "books") { url in
            try makeTables(names, in: url)
            func rows(_ url: URL) throws -> [[[String?]]] {
                try names.map { try IndependentReader(path: url.path).rows("SELECT * FROM \"\($0)\"") }
            }
            let wanted = try rows(url)
            #expect(wanted.map(\.count) == [3, 5])
            let listing = try YapRun(["browse", "--json", url.path])
            let tables = try #require(try listing.objects().first?["tables"] as? [[String: Any]])
            #expect(tables.compactMap { $0["count"] as? Int }.sorted() == [3, 5] && listing.code == 0, "\(tables)")
            try withTemporaryFolder { folder throws in
                let export = folder.appending(path: "rows").path
                #expect(try YapRun(["export", "--to", export, url.path]).code == 0)
                let copies = ["copy", "repaired"].map { folder.appending(path: "\($0).sqlite") }
                let imported = try YapRun(["import", export, copies[0].path])
                #expect(imported.code == 0, "\(imported.errors)")
                #expect(try YapRun(["repair", "--to", copies[1].path, url.path]).code != 2)
                for copy in copies where FileManager.default.fileExists(atPath: copy.path) {
                    #expect(try rows(copy) == wanted, "\(copy.lastPathComponent)")
                    #expect(try YapDatabase.check(url: copy) == [])
                }
            }
        }
    }

    /// Damages the root of the keys' index, and the last page, which holds rows.
    @Test func whatIsLeftOfADamagedFileIsShownExportedAndMadeAFile() throws {
        try withCopy(of: "books") { url in
            let lastPage = try Int(IndependentReader(path: url.path).rows("PRAGMA page_count")[0][0]!)!
            for page in [6, lastPage] {
                var bytes = try Data(contentsOf: url)
                bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(repeating: 0xab, count: 4096))
                try bytes.write(to: url)
            }
            let shown = try YapRun(["browse", "--json", "--collection", "books", url.path])
            #expect(shown.code == 3 && shown.errors.contains("the rows are ordered by rowid"), "\(shown.errors)")
            try withTemporaryFolder { folder throws in
                let (rows, copy) = (folder.appending(path: "rows").path, folder.appending(path: "copy.sqlite"))
                let exported = try YapRun(["export", "--to", rows, url.path])
                #expect(exported.code == 1 && exported.errors.contains("are missing"), "\(exported.errors)")
                let imported = try YapRun(["import", rows, copy.path])
                #expect(imported.code == 1 && imported.errors.contains("of a damaged file"), "\(imported.errors)")
                let saved = try IndependentReader(path: copy.path).rows("SELECT count(*) FROM database2")[0][0]
                #expect(saved == String(shown.lines.count(where: { !$0.contains(#""error""#) })))
            }
        }
    }

    @Test func aDamagedLineIsNamedAndLeavesNoFile() throws {
        try withTemporaryFolder { folder throws in
            let lines = folder.appending(path: "lines.jsonl")
            let head = #"{"yap":1,"pageSize":4096,"encoding":"UTF-8","autoVacuum":1,"userVersion":3,"applicationID":0}"#
            try Data("\(head)\n{\"table\": 5}\n".utf8).write(to: lines)
            let copy = folder.appending(path: "copy.sqlite").path
            let run = try YapRun(["import", lines.path, copy])
            #expect(run.code == 1)
            #expect(run.errors.contains("lines.jsonl, line 2: this is no line of an export"))
            let row = #"{"table":"t","rowid":1,"values":{"a":1}}"#
            for (second, words) in [
                (row, #"line 2: no line before it creates the table "t""#),
                (#"{"create":"table","name":"t","sql":"CREATE TABLE"}"#, "line 2: SQLite says: incomplete input"),
            ] {
                try Data("\(head)\n\(second)\n".utf8).write(to: lines)
                let run = try YapRun(["import", lines.path, copy])
                #expect(run.code == 1 && run.errors.contains("lines.jsonl, \(words)"), "\(run.errors)")
            }
            let index = #"{"create":"index","name":"i","sql":"CREATE INDEX i ON t (a)"}"#
            try Data("\(head)\n\(index)\n{\"rows\":{}}\n".utf8).write(to: lines)
            let late = try YapRun(["import", lines.path, copy])
            #expect(late.code == 1 && late.errors.contains("cannot be run"), "\(late.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["lines.jsonl"])
        }
    }

    /// Half a file never has the name, so the next attempt can make it.
    @Test func anImportThatIsKilledLeavesTheNameFree() throws {
        try withTemporaryFolder { folder throws in
            let copy = folder.appending(path: "copy.sqlite").path
            let lines = try YapRun(["export", "--to", "-", originalFile("json").path]).text
            let killed = try YapProcess(["import", "-", copy])
            try killed.write(String(lines.prefix(lines.count / 2)))
            func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
            try waitUntil("it has begun") { try !names().isEmpty }
            killed.send(SIGKILL)
            #expect(killed.exitCode() == -SIGKILL)
            #expect(try names().allSatisfy { $0.hasPrefix("copy.sqlite.unfinished-") })
            let run = try YapRun(["import", "-", copy], input: lines)
            #expect(run.code == 0 && run.errors == "", "\(run.errors)")
            #expect(try check([copy]).code == 0)
            let again = try YapRun(["import", "-", copy])
            #expect(again.code == 1 && again.errors.contains("copy.sqlite exists already"), "\(again.errors)")
        }
    }

    /// Steps as a person takes them: what is exported, imported and repaired gives out no rowid a second time.
    @Test func rowidsOfRemovedRowsStayTaken() throws {
        try withCopy(of: "json") { url in
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            try handle.execute("CREATE TABLE some (id INTEGER PRIMARY KEY AUTOINCREMENT, x)")
            try handle.execute("INSERT INTO some (x) VALUES (1), (2), (3)")
            try handle.execute("DELETE FROM some WHERE id > 1")
            let (copy, repaired) = (url.path + ".copy", url.path + ".repaired")
            let export = try YapRun(["export", "--to", "-", url.path])
            #expect(try YapRun(["import", "-", copy], input: export.text).code == 0)
            #expect(try YapRun(["repair", "--to", repaired, url.path]).code == 0)
            for path in [copy, repaired] {
                let rows = try IndependentReader(path: path).rows("SELECT name, CAST(seq AS TEXT) FROM sqlite_sequence")
                #expect(rows == [["some", "3"]], "\(path)")
            }
        }
    }
}
