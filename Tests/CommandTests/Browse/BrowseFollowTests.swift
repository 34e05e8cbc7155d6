import Foundation
import SQLiteBridge
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

extension YapProcess {
    func object() throws -> [String: Any] {
        let line = try #require(try readLine())
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// It watches the file only after the first read.
    fileprivate func waitUntilItFollows() throws {
        let patience = ContinuousClock.now + .seconds(600)
        while ContinuousClock.now < patience {
            if hasWatch { return }
            usleep(2_000)
        }
        Issue.record("It does not follow.")
    }
}
