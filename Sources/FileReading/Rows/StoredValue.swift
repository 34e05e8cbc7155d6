import SQLiteBridge

/// A value as stored in a column.
package struct StoredValue: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case null
        case integer(Int64)
        case real(Double)
        /// UTF-8, possibly invalid.
        case text([UInt8])
        case blob([UInt8])
    }

    /// The complete value or its beginning.
    package var content: Content
    /// The size in the file in bytes; 0 for NULL and numbers.
    package var size: Int
    /// Whether `content` is complete.
    package var isWhole: Bool { bytes.map { $0.count == size } ?? true }

    /// The bytes of a text or a blob.
    package var bytes: [UInt8]? {
        switch content {
        case .text(let bytes), .blob(let bytes): bytes
        case .null, .integer, .real: nil
        }
    }

    package init(_ content: Content, size: Int = 0) {
        self.content = content
        self.size = size
    }

    init(_ statement: SQLiteStatement, at column: Int) {
        switch statement.type(at: column) {
        case .null: self.init(.null)
        case .integer: self.init(.integer(statement.int64(at: column)))
        case .real: self.init(.real(statement.double(at: column)))
        case .text:
            let bytes = statement.bytes(at: column)
            self.init(.text(bytes), size: bytes.count)
        case .blob:
            let bytes = statement.bytes(at: column)
            self.init(.blob(bytes), size: bytes.count)
        }
    }

    /// The value as a short text; for bytes, their number.
    package var text: String {
        switch content {
        case .null: "NULL"
        case .integer(let integer): String(integer)
        case .real(let real): String(real)
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .blob: "\(size) bytes"
        }
    }
}
