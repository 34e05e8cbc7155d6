import ByteFormats
import Foundation
import ObjectDecoding
import SQLiteBridge

/// A column's value as JSON without loss.
///
/// | value | JSON |
/// |---|---|
/// | NULL | `null` |
/// | integer | a number without fraction and exponent |
/// | real | `{"$real": "0.1"}`, the shortest text that reads back as the same number |
/// | text | a string; invalid UTF-8: `{"$text": base64}` |
/// | blob | `{"$blob": base64}` |
enum ExportedValue {
    static func append(_ statement: SQLiteStatement, at column: Int, to output: inout JSONOutput) {
        switch statement.type(at: column) {
        case .null: output.append("null")
        case .integer: output.append(statement.int64(at: column))
        case .real: append(statement.double(at: column), to: &output)
        case .text: statement.withBytes(at: column) { append(text: $0, to: &output) }
        case .blob: statement.withBytes(at: column) { append(blob: $0, to: &output) }
        }
    }

    static func append(_ real: Double, to output: inout JSONOutput) {
        output.append("{\"$real\":")
        output.append(string: real.description)
        output.append("}")
    }

    static func append(text bytes: UnsafeRawBufferPointer, to output: inout JSONOutput) {
        if bytes.isUTF8 { return output.append(string: bytes) }
        output.append("{\"$text\":")
        output.append(base64: bytes)
        output.append("}")
    }

    static func append(blob bytes: UnsafeRawBufferPointer, to output: inout JSONOutput) {
        output.append("{\"$blob\":")
        output.append(base64: bytes)
        output.append("}")
    }

    /// From this size in bytes on, SQLite is given a blob without copying it.
    private static let largeSize = 1 << 18

    /// Binds the values from `place` on and calls the body while they are bound.
    static func bind(
        _ values: ArraySlice<StoredValue.Content>, to statement: SQLiteStatement, at place: Int,
        _ body: () throws -> Void
    ) throws {
        var place = place
        for (index, value) in zip(values.indices, values) {
            switch value {
            case .null: try statement.bind(nil, at: place)
            case .integer(let integer): try statement.bind(integer, at: place)
            case .real(let real): try statement.bind(real, at: place)
            case .text(let bytes): try statement.bind(textBytes: bytes, at: place)
            case .blob(let bytes) where bytes.count > largeSize:
                return try bytes.withUnsafeBytes {
                    try statement.bind(borrowing: $0, at: place)
                    try bind(values[(index + 1)...], to: statement, at: place + 1, body)
                }
            case .blob(let bytes): try statement.bind(bytes, at: place)
            }
            place += 1
        }
        try body()
    }

    /// Converts JSON to a value.
    /// - Throws: ``ImportError`` if the JSON has none of these forms.
    static func content(_ value: JSON) throws -> StoredValue.Content {
        switch value {
        case .null: return .null
        case .integer(let integer): return .integer(Int64(integer))
        case .string(let text): return .text(Array(text.utf8))
        default:
            if case .string(let text)? = value["$real"], let real = Double(text) { return .real(real) }
            if case .string(let text)? = value["$text"], let data = Data(base64Encoded: text) {
                return .text(Array(data))
            }
            if case .string(let text)? = value["$blob"], let data = Data(base64Encoded: text) {
                return .blob(Array(data))
            }
            throw ImportError("a value should be here, not \(value.kind)")
        }
    }
}

/// Why lines are not an export.
package struct ImportError: Error, CustomStringConvertible {
    package var description: String

    init(_ problem: String) { description = problem }

    /// Returns the error with its line number, for display.
    package func inLine(_ number: Int, of source: String) -> ImportError {
        ImportError("\(source), line \(number): \(description). No file was made.")
    }
}
