import CPostgreSQL
import Foundation

/// One row of an answer, valid inside the closure that receives it. A server is not trusted, so reading a value throws if the value has another
/// type or size than expected.
package struct PostgreSQLRow {
    let result: OpaquePointer

    package var count: Int { Int(PQnfields(result)) }

    /// Bytes of all values.
    var size: Int { (0..<PQnfields(result)).reduce(0) { $0 + Int(PQgetlength(result, 0, $1)) } }

    package func isNull(_ column: Int) -> Bool { PQgetisnull(result, 0, Int32(column)) != 0 }

    /// A number of 2, 4 or 8 bytes.
    package func int(_ column: Int) throws -> Int {
        try withBytes(column) { bytes in
            switch bytes.count {
            case 8: Int(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
            case 4: Int(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
            case 2: Int(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
            default: throw unexpected(column, "a number")
            }
        }
    }

    package func bool(_ column: Int) throws -> Bool {
        try withBytes(column) { bytes in
            guard bytes.count == 1, bytes[0] < 2 else { throw unexpected(column, "true or false") }
            return bytes[0] == 1
        }
    }

    package func uuid(_ column: Int) throws -> UUID {
        try withBytes(column) { bytes in
            guard bytes.count == 16 else { throw unexpected(column, "a UUID") }
            return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }

    /// Valid UTF-8 without NUL.
    package func text(_ column: Int) throws -> String {
        try withBytes(column) { bytes in
            guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
                throw unexpected(column, "text")
            }
            return text
        }
    }

    package func data(_ column: Int) throws -> Data { try withBytes(column) { Data($0) } }

    /// Calls `body` with the value's bytes. Throws if the value is missing or null.
    func withBytes<Value>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Value) throws -> Value {
        guard column < count, !isNull(column), let start = PQgetvalue(result, 0, Int32(column)) else {
            throw unexpected(column, "a value")
        }
        return try body(UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, 0, Int32(column)))))
    }

    private func unexpected(_ column: Int, _ wanted: String) -> PostgreSQLError {
        PostgreSQLError(
            .unexpectedAnswer, "The server's answer has in column \(column + 1) something else than \(wanted).")
    }
}
