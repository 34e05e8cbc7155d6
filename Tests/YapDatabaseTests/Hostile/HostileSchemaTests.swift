import Foundation
import HostileFiles
import SQLiteBridge
import TestTraits
import Testing

@testable import FileEngine
@testable import YapDatabase

/// Files of ours with code in their schema: none of it runs, and the check reports it.
@Suite(.ends(within: 300)) struct HostileSchemaTests {
    private func withHostileFile(_ schema: HostileSchema, _ body: (URL) throws -> Void) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            try YapDatabase(url: url, options: .forTests).close()
            try schema.apply(to: url.path)
            try body(url)
        }
    }

    @Test(arguments: HostileSchema.all) func nothingOfTheSchemaRuns(schema: HostileSchema) throws {
        try withHostileFile(schema) { url in
            if case .refused(let words) = schema.answer {
                let before = try Data(contentsOf: url)
                expectError(.notAYapDatabase, mentioning: words) { _ = try YapDatabase(url: url) }
                #expect(try Data(contentsOf: url) == before)
                #expect(FileManager.default.fileExists(atPath: url.path + "-wal") == false)
                return
            }
            try write(url)
            let handle = try SQLiteHandle(path: url.path, mode: .readOnly)
            func value(_ sql: String) throws -> String? {
                let statement = try handle.statement(sql)
                defer { statement.reset() }
                return try statement.step() ? statement.text(at: 0) : nil
            }
            #expect(try value("SELECT group_concat(key) FROM (SELECT key FROM database2 ORDER BY key)") == "b,c")
            #expect(try value("SELECT data FROM yap2 WHERE extension = '' AND key = 'snapshot'") == "3")
            if try value("SELECT name FROM sqlite_master WHERE name = 'evil'") != nil {
                #expect(try value("SELECT count(*) FROM evil") == "0")
            }
        }
    }

    @Test(arguments: HostileSchema.all) func theCheckTellsOfIt(schema: HostileSchema) throws {
        try withHostileFile(schema) { url in
            let problems = try YapDatabase.check(url: url)
            #expect(problems.contains { $0.description.contains(schema.told) }, "\(problems)")
        }
    }

    /// Inserts, updates, a delete, and a view.
    private func write(_ url: URL) throws {
        let database = try YapDatabase(url: url, options: .forTests)
        let connection = try database.newConnection()
        try connection.readWrite { transaction throws in
            for key in ["a", "b", "c"] { try transaction.setObject(key, forKey: key) }
        }
        try connection.readWrite { try $0.setObject("B", forKey: "b") }
        try connection.readWrite { try $0.removeObject(forKey: "a") }
        try connection.read { transaction throws in
            let (b, c) = try (transaction.object(forKey: "b") as? String, transaction.object(forKey: "c") as? String)
            #expect(b == "B" && c == "c")
        }
        try database.close()
    }

    /// A view's tables are written row by row as well.
    @Test func aTableOfAViewIsLookedAtToo() throws {
        try withCopy(of: "books") { url in
            let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
            try handle.execute("CREATE INDEX boom ON view_order_map (hex(pageKey))")
            expectError(.notAYapDatabase, mentioning: "view_order_map", "expression") {
                _ = try YapDatabase(url: url, options: .forTests)
            }
        }
    }

    @Test func theLibraryDoesNothingToOtherTables() throws {
        try withTemporaryDatabase { database throws in
            let store = try Store(path: database.databaseURL.path, mode: .readWrite, busyTimeout: 1_000)
            for sql in [
                "CREATE TABLE other (a)", "ATTACH DATABASE ':memory:' AS m", "CREATE TEMP TABLE t (a)",
                "CREATE TRIGGER t AFTER INSERT ON yap2 BEGIN SELECT 1; END", "CREATE VIEW v AS SELECT 1",
                "ALTER TABLE yap2 RENAME TO yap3", "PRAGMA writable_schema = OFF; ", "ANALYZE",
                "SELECT load_extension('x')", "CREATE VIRTUAL TABLE fts_x USING dbstat",
            ] where !sql.hasPrefix("PRAGMA") {
                let error = #expect(throws: YapDatabaseError.self) { try store.execute(sql) }
                #expect(error?.sqliteCode.map { $0 & 0xff } == SQLiteError.forbidden, "\(sql)")
            }
            // What extensions have.
            for sql in [
                "CREATE VIRTUAL TABLE fts_x USING fts5(a)", "INSERT INTO fts_x VALUES ('b')",
                "SELECT * FROM fts_x('b')",
                "CREATE VIRTUAL TABLE fts_y USING fts4(a)", "INSERT INTO fts_y VALUES ('b')",
                "SELECT snippet(fts_y) FROM fts_y WHERE fts_y MATCH 'b'", "DELETE FROM fts_y",
                "CREATE VIRTUAL TABLE rTreeIndex_x USING rtree(rowid, a, b)",
                "INSERT INTO rTreeIndex_x VALUES (1, 2, 3)",
                "SELECT * FROM rTreeIndex_x",
                #"CREATE TABLE "secondaryIndex_x" ("rowid" INTEGER PRIMARY KEY, "a" TEXT)"#,
                "CREATE INDEX a ON secondaryIndex_x (a)", "DROP TABLE secondaryIndex_x", "DROP TABLE fts_x",
                "DROP TABLE fts_y", "DROP TABLE rTreeIndex_x",
            ] { try store.execute(sql) }
            _ = try store.vacuum { _ in }
            #expect(throws: YapDatabaseError.self) { try store.execute("CREATE TABLE other (a)") }
        }
    }

    @Test func anyStatementCanBeStopped() throws {
        try withTemporaryDatabase { database throws in
            let store = try Store(path: database.databaseURL.path, mode: .readWrite, busyTimeout: 1_000)
            let interrupter = store.interrupter
            let ticks = DispatchSource.makeTimerSource(queue: .global())
            ticks.schedule(deadline: .now() + 0.1, repeating: 0.1)
            ticks.setEventHandler { interrupter.interrupt() }
            ticks.resume()
            expectError(.interrupted) {
                try store.execute(
                    "WITH RECURSIVE e(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM e) SELECT max(a) FROM e")
            }
            ticks.cancel()
            store.handle.cancelStatements { true }
            expectError(.interrupted) {
                try store.execute(
                    "WITH RECURSIVE e(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM e) SELECT max(a) FROM e")
            }
            store.handle.cancelStatements(when: nil)
            #expect(try store.snapshotNumber() == 0)
        }
    }
}
