import CSQLite

/// A prepared statement, for one user at a time: bind, step, read the columns, reset.
///
/// Parameters count from 1, columns from 0, as in SQLite. Column accessors return copies, except for the bytes of
/// ``withBlob(at:_:)``, which are valid inside the closure only.
public final class SQLiteStatement {
    public let sql: String
    let pointer: OpaquePointer
    private let handle: OpaquePointer
    private let transaction: HeldTransaction
    private let translate: SQLiteHandle.ErrorTranslation
    /// Whether the cache has handed the statement out and `reset()` has not been called since.
    private(set) var isInUse = false

    init(
        sql: String, pointer: OpaquePointer, handle: OpaquePointer, transaction: HeldTransaction,
        translate: @escaping SQLiteHandle.ErrorTranslation
    ) {
        self.sql = sql
        self.pointer = pointer
        self.handle = handle
        self.transaction = transaction
        self.translate = translate
    }

    deinit { sqlite3_finalize(pointer) }

    func markInUse() { isInUse = true }

    /// Whether the statement writes nothing.
    public var isReadOnly: Bool { sqlite3_stmt_readonly(pointer) != 0 }

    /// The largest index of a parameter.
    public var parameterCount: Int { Int(sqlite3_bind_parameter_count(pointer)) }

    /// Runs the statement to its next row. This is the only place that calls `sqlite3_step`.
    /// - Returns: true if there is a row to read, false at the end.
    public func step() throws -> Bool {
        if let loss = transaction.loss { throw loss }
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let error = translate(SQLiteError(handle: handle, sql: sql))
            if transaction.isHeld, sqlite3_get_autocommit(handle) != 0 { transaction.loss = error }
            throw error
        }
    }

    /// Steps to the end, for statements that return no rows.
    public func run() throws {
        while try step() {}
    }

    /// Ends the statement's run, so that the same user can run it again with other values for all its parameters.
    public func rewind() {
        // The result repeats the error of the last step, which has been thrown already.
        _ = sqlite3_reset(pointer)
    }

    /// Ends the statement's run, clears its parameters and returns it to the cache.
    public func reset() {
        // The result repeats the error of the last step, which has been thrown already.
        _ = sqlite3_reset(pointer)
        _ = sqlite3_clear_bindings(pointer)
        isInUse = false
    }
}

extension SQLiteStatement {
    public func bind(_ value: Int64, at index: Int) throws {
        try check(sqlite3_bind_int64(pointer, Int32(index), value))
    }

    public func bind(_ value: Double, at index: Int) throws {
        try check(sqlite3_bind_double(pointer, Int32(index), value))
    }

    public func bind(_ value: String, at index: Int) throws {
        var value = value
        let status = value.withUTF8 { bytes -> Int32 in
            // An empty string may have no address, and SQLite reads a missing address as NULL.
            guard let address = bytes.baseAddress else { return yap_bind_text(pointer, Int32(index), "", 0) }
            return address.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                yap_bind_text(pointer, Int32(index), $0, UInt64(bytes.count))
            }
        }
        try check(status)
    }

    /// Binds text by its bytes, which may be invalid UTF-8.
    public func bind(textBytes bytes: [UInt8], at index: Int) throws {
        let status = bytes.withUnsafeBytes { bytes in
            guard let address = bytes.baseAddress else { return yap_bind_text(pointer, Int32(index), "", 0) }
            return yap_bind_text(
                pointer, Int32(index), address.assumingMemoryBound(to: CChar.self), UInt64(bytes.count))
        }
        try check(status)
    }

    public func bind(_ bytes: [UInt8], at index: Int) throws {
        guard !bytes.isEmpty else { return try bindEmptyBlob(at: index) }
        try check(bytes.withUnsafeBytes { yap_bind_blob(pointer, Int32(index), $0.baseAddress, UInt64($0.count)) })
    }

    /// Binds NULL.
    public func bind(_ value: Never?, at index: Int) throws {
        try check(sqlite3_bind_null(pointer, Int32(index)))
    }

    /// Binds bytes without copying them. They must not change until the statement is reset.
    public func bind(borrowing bytes: UnsafeRawBufferPointer, at index: Int) throws {
        guard let address = bytes.baseAddress else { return try bindEmptyBlob(at: index) }
        try check(yap_bind_borrowed_blob(pointer, Int32(index), address, UInt64(bytes.count)))
    }

    /// Binds a text of one byte or more without copying it. The bytes must not change until the statement is reset, or bound again.
    public func bind(borrowingText bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try check(yap_bind_borrowed_text(pointer, Int32(index), bytes.baseAddress, UInt64(bytes.count)))
    }

    /// Binds a text without copying it, while `body` runs; the statement must not be stepped afterwards.
    public func withText<Result>(_ value: String, at index: Int, _ body: () throws -> Result) throws -> Result {
        var value = value
        return try value.withUTF8 { bytes in
            // An empty string may have no address, and SQLite reads a missing address as NULL.
            let status =
                bytes.baseAddress.map {
                    yap_bind_borrowed_text(pointer, Int32(index), UnsafeRawPointer($0), UInt64(bytes.count))
                } ?? yap_bind_text(pointer, Int32(index), "", 0)
            try check(status)
            return try body()
        }
    }

    private func bindEmptyBlob(at index: Int) throws {
        try check(sqlite3_bind_zeroblob(pointer, Int32(index), 0))
    }

    private func check(_ status: Int32) throws {
        guard status == SQLITE_OK else {
            // The handle's last error is not set by every one of these failures.
            throw translate(
                SQLiteError(extendedCode: status, message: String(cString: sqlite3_errstr(status)), sql: sql))
        }
    }
}
