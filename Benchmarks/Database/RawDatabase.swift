import CSQLite
import Foundation
import YapDatabase

/// The reference: SQLite with prepared statements and nothing around them, on the same schema with the same settings.
final class RawDatabase {
    private let handle: OpaquePointer
    private let insertion: OpaquePointer
    private let selection: OpaquePointer
    private let scan: OpaquePointer
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init(_ url: URL, _ synchronous: YapDatabaseOptions.Synchronous) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(url.path, &opened, flags, nil) == SQLITE_OK, let opened else {
            throw RawError("\(url.path) cannot be opened.")
        }
        handle = opened
        for statement in Self.setup(synchronous) {
            guard sqlite3_exec(opened, statement, nil, nil, nil) == SQLITE_OK else { throw RawError(opened) }
        }
        insertion = try Self.prepare(
            opened, #"INSERT INTO "database2" ("collection", "key", "data", "metadata") VALUES (?, ?, ?, NULL)"#)
        selection = try Self.prepare(
            opened, #"SELECT "data" FROM "database2" WHERE "collection" = ? AND "key" = ?"#)
        scan = try Self.prepare(
            opened,
            #"SELECT "rowid", "key", "data", "metadata" FROM "database2" WHERE "collection" = ? ORDER BY "key""#)
    }

    func close() {
        for statement in [insertion, selection, scan] { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw RawError(handle) }
    }

    func insert(_ person: Person, _ key: String) throws {
        let data = try encoder.encode(person)
        bind(Person.collection, 1, insertion)
        bind(key, 2, insertion)
        let status = data.withUnsafeBytes { bytes in
            _ = yap_bind_borrowed_blob(insertion, 3, bytes.baseAddress, Int32(bytes.count))
            return sqlite3_step(insertion)
        }
        sqlite3_reset(insertion)
        guard status == SQLITE_DONE else { throw RawError(handle) }
    }

    func person(_ key: String) throws -> Person? {
        bind(Person.collection, 1, selection)
        bind(key, 2, selection)
        defer { sqlite3_reset(selection) }
        return sqlite3_step(selection) == SQLITE_ROW ? try decode(selection, 0) : nil
    }

    /// Every row, in the order of the keys.
    func enumerate(_ body: (String, Person) -> Void) throws {
        bind(Person.collection, 1, scan)
        defer { sqlite3_reset(scan) }
        while sqlite3_step(scan) == SQLITE_ROW {
            body(String(cString: sqlite3_column_text(scan, 1)), try decode(scan, 2))
        }
    }

    private func decode(_ statement: OpaquePointer, _ column: Int32) throws -> Person {
        guard let bytes = sqlite3_column_blob(statement, column) else { throw RawError(handle) }
        let count = Int(sqlite3_column_bytes(statement, column))
        return try decoder.decode(Person.self, from: Data(bytes: bytes, count: count))
    }

    private func bind(_ text: String, _ index: Int32, _ statement: OpaquePointer) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                _ = yap_bind_text(statement, index, $0.baseAddress, Int32($0.count))
            }
        }
    }

    private static func prepare(_ handle: OpaquePointer, _ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard let statement else { throw RawError(handle) }
        return statement
    }

    /// What our own files and connections are set to.
    static func setup(_ synchronous: YapDatabaseOptions.Synchronous) -> [String] {
        [
            "PRAGMA auto_vacuum = FULL", "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = \(synchronous == .full ? "FULL" : "NORMAL")", "PRAGMA wal_autocheckpoint = 0",
            """
            CREATE TABLE IF NOT EXISTS "database2" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, \
            "key" CHAR NOT NULL, "data" BLOB, "metadata" BLOB)
            """,
            #"CREATE UNIQUE INDEX IF NOT EXISTS "true_primary_key" ON "database2" ("collection","key")"#,
        ]
    }
}

/// What SQLite says against it.
struct RawError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
    init(_ handle: OpaquePointer) { description = String(cString: sqlite3_errmsg(handle)) }
}
