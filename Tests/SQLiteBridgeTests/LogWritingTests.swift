import Foundation
import Testing

@testable import SQLiteBridge

/// Whether a commit is on its way, as another handle sees it in the log.
@Suite struct LogWritingTests {
    @Test func pagesThatNoCommitHasMadeVisibleAreSeen() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "yap-\(UUID().uuidString).sqlite").path
        defer { for name in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + name) } }
        let writer = try SQLiteHandle(path: path, mode: .create)
        for sql in ["PRAGMA journal_mode = WAL", "CREATE TABLE t (x)"] { try writer.execute(sql) }
        let watch = try SQLiteHandle(path: path, mode: .readWrite)
        for sql in ["BEGIN", "SELECT * FROM t", "COMMIT"] { try watch.execute(sql) }
        try watch.findLogIndex()
        #expect(!watch.isLogBeingWritten)

        // A small cache spills into the log before the commit.
        for sql in ["PRAGMA cache_size = 2", "BEGIN"] { try writer.execute(sql) }
        for _ in 0..<50 { try writer.execute("INSERT INTO t VALUES (randomblob(4000))") }
        #expect(watch.isLogBeingWritten)
        try writer.execute("COMMIT")
        #expect(!watch.isLogBeingWritten)

        // What was given up stays in the log until other pages take its place.
        try writer.execute("BEGIN")
        for _ in 0..<50 { try writer.execute("INSERT INTO t VALUES (randomblob(4000))") }
        try writer.execute("ROLLBACK")
        #expect(watch.isLogBeingWritten)

        // The log begins again with the next commit after a checkpoint.
        for sql in ["PRAGMA wal_checkpoint(RESTART)", "INSERT INTO t VALUES (1)"] { try writer.execute(sql) }
        #expect(!watch.isLogBeingWritten)
        try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(!watch.isLogBeingWritten)
        #expect(try writer.rows("PRAGMA integrity_check") == "ok")
    }

    /// A log that is copied and that no one reads begins again with the next commit; who began to read after the copy does not matter.
    @Test func readersOfTheLogAreSeen() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "yap-\(UUID().uuidString).sqlite").path
        defer { for name in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + name) } }
        let writer = try SQLiteHandle(path: path, mode: .create)
        for sql in ["PRAGMA journal_mode = WAL", "CREATE TABLE t (x)"] { try writer.execute(sql) }
        let watch = try SQLiteHandle(path: path, mode: .readWrite)
        #expect(watch.isLogRead, "It is unknown before the index of the log was found.")
        for sql in ["BEGIN", "SELECT * FROM t", "COMMIT"] { try watch.execute(sql) }
        try watch.findLogIndex()
        #expect(!watch.isLogRead)

        let reader = try SQLiteHandle(path: path, mode: .readWrite)
        for sql in ["BEGIN", "SELECT * FROM t"] { try reader.execute(sql) }
        #expect(watch.isLogRead)
        #expect(try watch.checkpoint(.passive).isComplete)
        #expect(watch.isLogRead)
        for sql in ["COMMIT", "BEGIN", "SELECT * FROM t"] { try reader.execute(sql) }
        #expect(!watch.isLogRead)

        let end = watch.logPosition
        try writer.execute("INSERT INTO t VALUES (1)")
        #expect(watch.logPosition?.salt != end?.salt)
        #expect(try reader.rows("SELECT count(*) FROM t") == "0")
        try reader.execute("COMMIT")
        #expect(try writer.rows("PRAGMA integrity_check") == "ok")
    }
}

extension SQLiteHandle {
    fileprivate func rows(_ sql: String) throws -> String {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.text(at: 0) ?? "" : ""
    }
}
