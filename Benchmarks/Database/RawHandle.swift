import CSQLite
import Foundation
import YapDatabase

/// SQLite called directly from Swift, with the settings of our own files.
final class RawHandle {
    private let handle: OpaquePointer

    init(_ url: URL, _ synchronous: YapDatabaseOptions.Synchronous = .normal, setup: [String] = []) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(url.path, &opened, flags, nil) == SQLITE_OK, let opened else {
            throw RawError("\(url.path) cannot be opened.")
        }
        handle = opened
        for sql in Self.setup(synchronous) + setup { try execute(sql) }
    }

    /// The handle closes with the last of its statements.
    deinit { sqlite3_close_v2(handle) }

    var lastInsertRowid: Int64 { sqlite3_last_insert_rowid(handle) }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw RawError(handle) }
    }

    func inTransaction(_ body: () throws -> Void) throws {
        try execute("BEGIN IMMEDIATE")
        try body()
        try execute("COMMIT")
    }

    func prepare(_ sql: String) throws -> RawStatement {
        var statement: OpaquePointer?
        sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard let statement else { throw RawError(handle) }
        return RawStatement(statement, handle)
    }

    /// Returns the settings of our own files and connections.
    private static func setup(_ synchronous: YapDatabaseOptions.Synchronous) -> [String] {
        [
            "PRAGMA busy_timeout = 5000", "PRAGMA auto_vacuum = FULL", "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = \(synchronous == .full ? "FULL" : "NORMAL")", "PRAGMA wal_autocheckpoint = 0",
            """
            CREATE TABLE IF NOT EXISTS "database2" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, \
            "key" CHAR NOT NULL, "data" BLOB, "metadata" BLOB)
            """,
            #"CREATE UNIQUE INDEX IF NOT EXISTS "true_primary_key" ON "database2" ("collection","key")"#,
        ]
    }
}

/// A prepared statement.
final class RawStatement {
    let pointer: OpaquePointer
    private let handle: OpaquePointer

    init(_ pointer: OpaquePointer, _ handle: OpaquePointer) {
        self.pointer = pointer
        self.handle = handle
    }

    deinit { sqlite3_finalize(pointer) }

    /// SQLite's error of the last call.
    var error: RawError { RawError(handle) }

    func run(_ values: any RawValue...) throws { try run(values) }

    func run(_ values: [any RawValue]) throws {
        bind(values)
        defer { sqlite3_reset(pointer) }
        guard sqlite3_step(pointer) == SQLITE_DONE else { throw error }
    }

    func first<Value>(_ values: any RawValue..., read: (RawStatement) -> Value) throws -> Value? {
        bind(values)
        defer { sqlite3_reset(pointer) }
        return sqlite3_step(pointer) == SQLITE_ROW ? read(self) : nil
    }

    func forEach(binding values: [any RawValue] = [], _ body: (RawStatement) throws -> Void) throws {
        bind(values)
        defer { sqlite3_reset(pointer) }
        while sqlite3_step(pointer) == SQLITE_ROW { try body(self) }
    }

    func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

    func data(_ column: Int32) -> Data { withBytes(column) { Data($0) } }

    func text(_ column: Int32) -> String { withBytes(column) { String(decoding: $0, as: UTF8.self) } }

    /// The bytes are valid inside the body.
    func withBytes<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        let bytes = sqlite3_column_blob(pointer, column)
        return body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(pointer, column))))
    }

    private func bind(_ values: [any RawValue]) {
        for (index, value) in values.enumerated() { value.bind(to: pointer, Int32(index + 1)) }
    }
}

/// A value that can be bound.
protocol RawValue {
    func bind(to statement: OpaquePointer, _ index: Int32)
}

extension Int64: RawValue {
    func bind(to statement: OpaquePointer, _ index: Int32) { sqlite3_bind_int64(statement, index, self) }
}

extension Double: RawValue {
    func bind(to statement: OpaquePointer, _ index: Int32) { sqlite3_bind_double(statement, index, self) }
}

extension Data: RawValue {
    func bind(to statement: OpaquePointer, _ index: Int32) {
        withUnsafeBytes { _ = yap_bind_blob(statement, index, $0.baseAddress, UInt64($0.count)) }
    }
}

extension String: RawValue {
    func bind(to statement: OpaquePointer, _ index: Int32) {
        var text = self
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                _ = yap_bind_text(statement, index, $0.baseAddress, UInt64($0.count))
            }
        }
    }
}

/// An error of SQLite.
struct RawError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
    init(_ handle: OpaquePointer) { description = String(cString: sqlite3_errmsg(handle)) }
}
