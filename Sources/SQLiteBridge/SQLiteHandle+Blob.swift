import CSQLite

extension SQLiteHandle {
    /// Returns a part of a blob or a text without reading the rest: for values that may be larger than memory.
    ///
    /// - Returns: fewer bytes if the value ends before.
    /// - Throws: if there is no such row, or the value is neither blob nor text.
    public func bytes(
        table: String, column: String, rowid: Int64, offset: Int, count: Int
    ) throws -> [UInt8] {
        var opened: OpaquePointer?
        guard sqlite3_blob_open(pointer, "main", table, column, rowid, 0, &opened) == SQLITE_OK else {
            throw translate(SQLiteError(handle: pointer))
        }
        defer { sqlite3_blob_close(opened) }
        let length = max(0, min(count, Int(sqlite3_blob_bytes(opened)) - offset))
        guard length > 0 else { return [] }
        return try [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            guard sqlite3_blob_read(opened, buffer.baseAddress, Int32(length), Int32(offset)) == SQLITE_OK else {
                throw translate(SQLiteError(handle: pointer))
            }
            filled = length
        }
    }

    /// Returns the number of bytes of a blob or a text without reading it.
    ///
    /// - Throws: as `bytes(table:…)`.
    public func size(table: String, column: String, rowid: Int64) throws -> Int {
        var opened: OpaquePointer?
        guard sqlite3_blob_open(pointer, "main", table, column, rowid, 0, &opened) == SQLITE_OK else {
            throw translate(SQLiteError(handle: pointer))
        }
        defer { sqlite3_blob_close(opened) }
        return Int(sqlite3_blob_bytes(opened))
    }

    /// The most parameters of a statement.
    public var parameterLimit: Int { Int(sqlite3_limit(pointer, SQLITE_LIMIT_VARIABLE_NUMBER, -1)) }

    /// The most bytes that a text, a blob or the values of a row together may have.
    public var valueLimit: Int { Int(sqlite3_limit(pointer, SQLITE_LIMIT_LENGTH, -1)) }

    /// Makes statements fail that would create a text or a blob of more bytes. Does not limit `bytes(table:…)`.
    public func limitValues(toBytes limit: Int) {
        _ = sqlite3_limit(pointer, SQLITE_LIMIT_LENGTH, Int32(clamping: limit))
    }

    /// Makes statements fail whose text is longer.
    public func limitStatements(toBytes limit: Int) {
        _ = sqlite3_limit(pointer, SQLITE_LIMIT_SQL_LENGTH, Int32(clamping: limit))
    }
}
