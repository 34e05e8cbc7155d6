import Foundation
import SQLiteBridge
import TerminalTesting
import Testing
import YapDatabase

@Suite struct BrowseFollowTests {
    @Test func eachChangeIsALineAsItIsCommitted() throws {
        try withCopy(of: "json") { url in
            let writer = try SQLiteHandle(path: url.path, mode: .readWrite, busyTimeout: 30_000)
            try writer.execute("UPDATE database2 SET metadata = NULL WHERE rowid = 1")
            let run = try YapProcess(["browse", "--collection", "c", "--last", "2", "--follow", url.path])
            try run.waitUntilItFollows()
            let last = try IndependentReader(path: url.path).rows("SELECT max(key) FROM database2")[0][0]!
            try writer.execute(#"INSERT INTO database2 (collection, key, data) VALUES ('c', 'zz', '{"a":1}')"#)
            let lines = try [run.object(), run.object()]
            #expect(Set(lines.map { $0["change"] as? String }) == ["insert", "delete"])
            let insert = try #require(lines.first { $0["change"] as? String == "insert" })
            #expect(insert["key"] as? String == "zz" && insert["to"] as? [Int] == [0, 1])
            #expect((insert["object"] as? [String: Int]) == ["a": 1])
            try writer.execute(#"UPDATE database2 SET data = '{"a":2}' WHERE key = '\#(last)'"#)
            let update = try run.object()
            #expect(update["change"] as? String == "update" && update["key"] as? String == last)
            #expect(update["from"] as? [Int] == [0, 0] && update["to"] as? [Int] == [0, 0])
            run.send(SIGINT)
            #expect(run.exitCode() == 130)
            #expect(run.errorText() == "")
        }
    }

    /// Whatever takes the file away is noticed at once and said.
    @Test(arguments: ["move", "remove", "empty"]) func aFileThatIsTakenAwayIsSaid(how: String) throws {
        try withCopy(of: "json") { url in
            let run = try YapProcess(["browse", "--collection", "c", "--follow", url.path])
            try run.waitUntilItFollows()
            switch how {
            case "move": #expect(rename(url.path, url.path + ".moved") == 0)
            case "remove": #expect(unlink(url.path) == 0)
            default: #expect(truncate(url.path, 0) == 0)
            }
            #expect(run.exitCode() == 1)
            let words =
                how == "empty" ? "is empty: there is no database in it" : "is gone: it was moved, removed or replaced"
            let errors = run.errorText()
            #expect(errors.contains(words), "\(errors)")
            #expect(try run.readLine() == nil)
        }
    }

    /// The file that may not be read is named, be it the log or its index.
    @Test(
        .enabled(if: OtherUser.isPossible, "becoming another user needs the superuser"),
        arguments: ["-wal", "-shm", ""])
    func aFileThatMayNotBeReadIsNamed(suffix: String) throws {
        try withCopy(of: "json") { url in
            let folder = url.deletingLastPathComponent()
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            let writer = try SQLiteHandle(path: url.path, mode: .readWrite)
            try writer.execute("UPDATE database2 SET metadata = NULL WHERE rowid = 1")
            for part in ["", "-wal", "-shm"] { #expect(chmod(url.path + part, part == suffix ? 0 : 0o644) == 0) }
            let run = Process()
            let errors = Pipe()
            run.executableURL = URL(filePath: "/bin/sh")
            run.arguments = [
                "-c", "\(OtherUser.command(home: folder)) \(try builtProduct("yap")) browse --list \(url.path)",
            ]
            run.standardOutput = FileHandle.nullDevice
            run.standardError = errors
            try run.run()
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            run.waitUntilExit()
            #expect(run.terminationStatus == 1 && text.contains(url.lastPathComponent + suffix), "\(text)")
            #expect(!text.contains("Check that its folder exists"), "\(text)")
            withExtendedLifetime(writer) {}
        }
    }

    /// VACUUM rewrites the file; without a log under the reader's eyes.
    @Test(arguments: ["wal", "delete"]) func itGoesOnWhileTheFileIsVacuumed(journal: String) throws {
        try withCopy(of: "json") { url in
            let writer = try SQLiteHandle(path: url.path, mode: .readWrite, busyTimeout: 30_000)
            try writer.execute("PRAGMA journal_mode = \(journal)")
            // 30 MB, of which SQLite reads and writes all each time; 10 in the quick form.
            let count = Effort.isFull ? 3_000 : 1_000
            try writer.execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) INSERT INTO database2 "
                    + "(collection, key, data) SELECT 'large', 'k' || i, randomblob(10000) FROM n")
            let run = try YapProcess(["browse", "--collection", "c", "--last", "2", "--follow", url.path])
            try run.waitUntilItFollows()
            for round in 0..<5 {
                try writer.execute("DELETE FROM database2 WHERE key = 'k\(round + 1)'")
                try writer.execute("VACUUM")
                try writer.execute(
                    "INSERT INTO database2 (collection, key, data) VALUES ('c', 'zz\(round)', '{\"a\":\(round)}')")
                var found: String?
                while found != "zz\(round)" {
                    let line = try run.object()
                    if line["change"] as? String == "insert" { found = line["key"] as? String }
                    if line["change"] as? String == "reload" { found = "zz\(round)" }
                }
            }
            run.send(SIGINT)
            #expect(run.exitCode() == 130)
            #expect(run.errorText() == "")
        }
    }

    /// VACUUM writes the tables of a full-text index before it.
    @Test func aVacuumedFileWithASearchIsSound() throws {
        try withCopy(of: "chat") { url in
            try SQLiteHandle(path: url.path, mode: .readWrite, busyTimeout: 30_000).execute("VACUUM")
            let before = try YapRun(["browse", "--list", url.path])
            #expect(before.code == 0 && !before.errors.contains("damaged"), "\(before.errors)")
            let copy = url.deletingLastPathComponent().appending(path: "copy.sqlite").path
            let export = try YapRun(["export", "--to", "-", url.path])
            #expect(export.code == 0 && export.errors == "", "\(export.errors)")
            let made = try YapRun(["import", "-", copy], input: export.text)
            #expect(made.code == 0, "\(made.errors)")
            #expect(try YapRun(["browse", "--list", copy]).lines == before.lines)
            #expect(try check([copy]).code == 0)
        }
    }

    /// Another process of ours writes; only the writer's changes may be in the three files.
    @Test func whatItReadsIsLeftAsItIsWhileAnotherWrites() throws {
        try withCopy(of: "chat") { url in
            let database = try YapDatabase(url: url)
            let connection = try database.newConnection()
            try connection.readWrite { try $0.setObject("first", forKey: "k", inCollection: "misc") }
            let before = try FileTrace(url)
            for face in [
                ["--list"], ["--collection", "misc"], ["--view", "messages", "--last", "1"], ["--search", "dave"],
            ] {
                let run = try YapRun(["browse", "--json"] + face + [url.path])
                #expect(run.code == 0 && !run.lines.isEmpty)
            }
            #expect(try FileTrace(url) == before)
            try database.close()
        }
    }
}

private struct Ended: Error, CustomStringConvertible { let description: String }

extension YapProcess {
    func object() throws -> [String: Any] {
        guard let line = try readLine() else {
            throw Ended(description: "yap ended with \(exitCode()): \(errorText())")
        }
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// It watches the file only after the first read.
    func waitUntilItFollows() throws {
        try waitUntil("It follows", state: { hasWatch ? "" : "It has no watch." }) { hasWatch }
    }
}
