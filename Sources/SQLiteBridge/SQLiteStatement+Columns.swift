import CSQLite

/// The storage class of a value.
public enum SQLiteType: Hashable, Sendable {
    case integer
    case real
    case text
    case blob
    case null
}

extension SQLiteStatement {
    public func type(at column: Int) -> SQLiteType {
        switch sqlite3_column_type(pointer, Int32(column)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    public var columnCount: Int { Int(sqlite3_column_count(pointer)) }

    /// Returns the bytes of a blob, or of a text in UTF-8, which may be invalid; empty for NULL.
    public func bytes(at column: Int) -> [UInt8] {
        Array(borrowedBytes(at: column))
    }

    /// Like `bytes(at:)` without a copy: valid inside `body` only.
    @inlinable public func withBytes<Result>(
        at column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try body(borrowedBytes(at: column))
    }

    @usableFromInline func borrowedBytes(at column: Int) -> UnsafeRawBufferPointer {
        let address: UnsafeRawPointer? =
            type(at: column) == .text
            ? UnsafeRawPointer(sqlite3_column_text(pointer, Int32(column)))
            : sqlite3_column_blob(pointer, Int32(column))
        let count = address == nil ? 0 : Int(sqlite3_column_bytes(pointer, Int32(column)))
        return UnsafeRawBufferPointer(start: address, count: count)
    }

    public func isNull(at column: Int) -> Bool {
        sqlite3_column_type(pointer, Int32(column)) == SQLITE_NULL
    }

    /// Returns the value as an integer, 0 for NULL.
    public func int64(at column: Int) -> Int64 {
        sqlite3_column_int64(pointer, Int32(column))
    }

    /// Returns the value as a floating-point number, 0 for NULL.
    public func double(at column: Int) -> Double {
        sqlite3_column_double(pointer, Int32(column))
    }

    /// Returns the value as text, nil for NULL. Bytes that are not UTF-8 become U+FFFD.
    public func text(at column: Int) -> String? {
        guard let bytes = sqlite3_column_text(pointer, Int32(column)) else { return nil }
        let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Whether the value's bytes are those of the text. Costs less than making another text of them.
    public func holds(_ text: String, at column: Int) -> Bool {
        let address = sqlite3_column_text(pointer, Int32(column))
        let found = UnsafeBufferPointer(start: address, count: Int(sqlite3_column_bytes(pointer, Int32(column))))
        return text.utf8.withContiguousStorageIfAvailable { bytes in
            // By place: `elementsEqual` costs several times as much, and an enumeration compares the collection of each row.
            bytes.count == found.count && bytes.indices.allSatisfy { bytes[$0] == found[$0] }
        } ?? false
    }

    /// Returns the number of bytes of a text or a blob, 0 for NULL.
    public func size(at column: Int) -> Int { Int(sqlite3_column_bytes(pointer, Int32(column))) }

    /// The value's bytes, valid inside `body` only; nil for NULL, empty for an empty blob.
    @inlinable public func withBlob<Result>(
        at column: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        try body(borrowedBlob(at: column))
    }

    @usableFromInline func borrowedBlob(at column: Int) -> UnsafeRawBufferPointer? {
        guard let bytes = sqlite3_column_blob(pointer, Int32(column)) else {
            // SQLite has no address for an empty blob either.
            return isNull(at: column) ? nil : UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(pointer, Int32(column))))
    }
}
