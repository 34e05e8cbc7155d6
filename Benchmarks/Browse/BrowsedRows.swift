import CSQLite
import Foundation

/// A file of many rows like an app's, made with SQLite alone and kept for the cases that need it: ten million rows with
/// a view take 2.1 GB and a minute. `YAP_BENCH_BROWSE_ROWS` sets another number.
struct BrowsedRows {
    static let count = ProcessInfo.processInfo.environment["YAP_BENCH_BROWSE_ROWS"].flatMap { Int($0) } ?? 10_000_000
    static let pageRows = 50

    private static var url: URL {
        FileManager.default.temporaryDirectory.appending(path: "yap-bench-browse-\(count).sqlite")
    }

    /// Returns the path of the file, which is created if it does not exist.
    static func path() throws -> String {
        if !FileManager.default.fileExists(atPath: url.path) {
            let unfinished = url.appendingPathExtension("new")
            try? FileManager.default.removeItem(at: unfinished)
            try make(unfinished, count: count)
            try FileManager.default.moveItem(at: unfinished, to: url)
        }
        return url.path
    }

    /// Removes the file if it exists.
    static func remove() throws {
        if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
    }

    /// Creates such a file, which must not exist.
    static func make(_ url: URL, count: Int) throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        guard sqlite3_open_v2(url.path, &handle, flags, nil) == SQLITE_OK, let handle else {
            throw RawError("\(url.path) cannot be made.")
        }
        defer { sqlite3_close_v2(handle) }
        for statement in statements(count) { try execute(statement, handle) }
        try execute("BEGIN", handle)
        try addPages(handle, count)
        try execute("COMMIT", handle)
    }

    private static func execute(_ sql: String, _ handle: OpaquePointer) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw RawError(handle) }
    }

    /// Adds a view that holds all rows in one group, ordered by rowid.
    private static func addPages(_ handle: OpaquePointer, _ count: Int) throws {
        var statement: OpaquePointer?
        let sql = "INSERT INTO view_order_page VALUES (?, 'all', ?, ?, ?)"
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw RawError(handle) }
        defer { sqlite3_finalize(statement) }
        for page in 0..<count / pageRows {
            let rowids = (0..<pageRows).map { Int64(page * pageRows + $0 + 1).littleEndian }
            sqlite3_reset(statement)
            _ = yap_bind_text(statement!, 1, pageKey(page), 36)
            if page > 0 { _ = yap_bind_text(statement!, 2, pageKey(page - 1), 36) }
            sqlite3_bind_int64(statement, 3, Int64(pageRows))
            _ = rowids.withUnsafeBytes { yap_bind_blob(statement!, 4, $0.baseAddress, UInt64($0.count)) }
            guard sqlite3_step(statement) == SQLITE_DONE else { throw RawError(handle) }
        }
    }

    private static func pageKey(_ page: Int) -> String {
        String(format: "%08X-0000-4000-8000-000000000000", page)
    }

    private static func statements(_ count: Int) -> [String] {
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(count - 1))"
        return [
            "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA cache_size = -200000",
            "PRAGMA user_version = 3",
            """
            CREATE TABLE "yap2" ("extension" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, \
            PRIMARY KEY ("extension","key"))
            """,
            """
            CREATE TABLE "database2" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, "key" CHAR NOT NULL, \
            "data" BLOB, "metadata" BLOB)
            """,
            #"CREATE UNIQUE INDEX "true_primary_key" ON "database2" ("collection","key")"#,
            #"CREATE TABLE "view_order_map" ("rowid" INTEGER PRIMARY KEY, "pageKey" CHAR NOT NULL)"#,
            """
            CREATE TABLE "view_order_page" ("pageKey" CHAR NOT NULL PRIMARY KEY, "group" CHAR NOT NULL, \
            "prevPageKey" CHAR, "count" INTEGER, "data" BLOB)
            """,
            """
            INSERT INTO yap2 VALUES ('', 'snapshot', 1), ('order', 'class', 'YapDatabaseAutoView'), \
            ('order', 'versionTag', '1')
            """,
            """
            \(numbers) INSERT INTO database2 (rowid, collection, key, data) SELECT i + 1, 'messages', \
            printf('message-%09d', i), CAST(printf('{"number":%d,"sender":"a sender","text":"what they had to say"}', i) \
            AS BLOB) FROM n
            """,
            """
            \(numbers) INSERT INTO view_order_map SELECT i + 1, \
            printf('%08X-0000-4000-8000-000000000000', i / \(pageRows)) FROM n
            """,
        ]
    }
}
