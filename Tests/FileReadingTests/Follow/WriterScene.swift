import Foundation
import SQLiteBridge
import Testing

@testable import FileReading

/// A file with a few hundred rows and a program that writes to it at random.
final class WriterScene {
    let writer: SQLiteHandle
    let file: BrowsedFile
    var random: SplitMix64

    static func run(
        pageSize: Int = 4096, vacuum: String = "NONE", rows: Int = 400, seed: UInt64,
        _ body: (WriterScene) throws -> Void
    ) throws {
        try withTemporaryFolder { folder in
            try body(WriterScene(folder.appending(path: "t.sqlite").path, pageSize, vacuum, rows, seed))
        }
    }

    private init(_ path: String, _ pageSize: Int, _ vacuum: String, _ rows: Int, _ seed: UInt64) throws {
        writer = try SQLiteHandle(path: path, mode: .create, busyTimeout: 30_000)
        for sql in [
            "PRAGMA page_size = \(pageSize)", "PRAGMA auto_vacuum = \(vacuum)", "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = OFF",
            """
            CREATE TABLE "database2" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, "key" CHAR NOT NULL, \
            "data" BLOB, "metadata" BLOB)
            """,
            #"CREATE UNIQUE INDEX "true_primary_key" ON "database2" ("collection","key")"#,
            #"CREATE TABLE "secondaryIndex_n" ("rowid" INTEGER PRIMARY KEY, "n" INTEGER)"#,
            #"CREATE TABLE "yap2" ("extension" CHAR, "key" CHAR, "data" BLOB, PRIMARY KEY ("extension","key"))"#,
            "INSERT INTO yap2 VALUES ('', 'snapshot', 1), ('n', 'class', 'YapDatabaseSecondaryIndex')",
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) \
            INSERT INTO database2 SELECT i, CASE i % 5 WHEN 0 THEN 'b' ELSE 'a' END, printf('k%06d', i * 7919 % 100003), \
            printf('{"word":"w%d"}', i % 10), NULL FROM n
            """,
            "INSERT INTO secondaryIndex_n SELECT rowid, rowid % 17 FROM database2",
        ] {
            try writer.execute(sql)
        }
        file = try BrowsedFile(path: path)
        random = SplitMix64(seed: seed)
    }

    /// A commit of one or several changes.
    func commit() throws {
        try writer.execute("BEGIN")
        for _ in 0...random.below(5) { try change() }
        try writer.execute("COMMIT")
    }

    private func change() throws {
        let key = "k\(random.below(1_000_000))"
        let word = "w\(random.below(10))"
        let near = "(SELECT rowid FROM database2 WHERE rowid >= \(random.below(450)) LIMIT \(1 + random.below(4)))"
        switch random.below(9) {
        case 0: try writer.execute("DELETE FROM database2 WHERE rowid IN \(near)")
        case 1:
            let start = random.below(450)
            try writer.execute("DELETE FROM database2 WHERE rowid BETWEEN \(start) AND \(start + random.below(60))")
        case 2: try writer.execute("UPDATE OR IGNORE database2 SET key = '\(key)' WHERE rowid IN \(near)")
        case 3: try writer.execute("UPDATE OR IGNORE database2 SET rowid = rowid + 7 WHERE rowid IN \(near)")
        case 4:
            try writer.execute("UPDATE OR REPLACE secondaryIndex_n SET n = \(random.below(20)) WHERE rowid IN \(near)")
        case 5:
            // A long value; a value written over it later may have the same length.
            try writer.execute(
                """
                UPDATE database2 SET data = printf('{"word":"%.*c","end":"\(word)"}', \(3_000 + random.below(2) * 4_000), 'x') \
                WHERE rowid IN \(near)
                """)
        case 6, 7:
            try writer.execute("UPDATE database2 SET data = '{\"word\":\"\(word)\"}' WHERE rowid IN \(near)")
        default:
            let collection = random.percent(80) ? "a" : "b"
            try writer.execute(
                """
                INSERT OR REPLACE INTO database2 (collection, key, data) \
                VALUES ('\(collection)', '\(key)', '{"word":"\(word)"}')
                """)
        }
    }

    /// Returns every row of the present state.
    func rows() throws -> [Int64: [String]] {
        var rows: [Int64: [String]] = [:]
        try file.snapshot.read { store in
            _ = try store.all("SELECT rowid, collection, key, data FROM database2") { statement in
                rows[statement.int64(at: 0)] = (1...3).map { statement.text(at: $0) ?? "" }
            }
        }
        return rows
    }
}
