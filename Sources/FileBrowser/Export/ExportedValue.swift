import ByteFormats
import Foundation
import SQLiteBridge

/// A value of a column as JSON that loses nothing.
///
/// | value | JSON |
/// |---|---|
/// | NULL | `null` |
/// | integer | a number without fraction and exponent |
/// | real | `{"$real": "0.1"}`, the shortest text that reads back as the same number |
/// | text | a string; bytes that are no UTF-8: `{"$text": base64}` |
/// | blob | `{"$blob": base64}` |
enum ExportedValue {
    static func append(_ statement: SQLiteStatement, at column: Int, to json: inout [UInt8]) {
        switch statement.type(at: column) {
        case .null: json += Array("null".utf8)
        case .integer: json += Array(String(statement.int64(at: column)).utf8)
        case .real: json += Array("{\"$real\":\"\(statement.double(at: column))\"}".utf8)
        case .text:
            let bytes = statement.bytes(at: column)
            if let text = String(validating: bytes, as: UTF8.self) {
                json.appendJSON(text)
            } else {
                append("$text", bytes, to: &json)
            }
        case .blob: append("$blob", statement.bytes(at: column), to: &json)
        }
    }

    /// - Throws: ``ImportError`` when the value is none of these.
    static func bind(_ value: JSON, to statement: SQLiteStatement, at index: Int) throws {
        switch value {
        case .null: try statement.bind(nil, at: index)
        case .integer(let integer): try statement.bind(Int64(integer), at: index)
        case .string(let text): try statement.bind(text, at: index)
        default:
            if case .string(let text)? = value["$real"], let real = Double(text) {
                try statement.bind(real, at: index)
            } else if case .string(let text)? = value["$text"], let data = Data(base64Encoded: text) {
                try statement.bind(textBytes: Array(data), at: index)
            } else if case .string(let text)? = value["$blob"], let data = Data(base64Encoded: text) {
                try statement.bind(Array(data), at: index)
            } else {
                throw ImportError("a value should be here, not \(value.kind)")
            }
        }
    }

    private static func append(_ tag: String, _ bytes: [UInt8], to json: inout [UInt8]) {
        json += Array("{\"\(tag)\":\"".utf8)
        json += Data(bytes).base64EncodedData()
        json += Array("\"}".utf8)
    }
}

/// Why lines are not those of an export.
package struct ImportError: Error, CustomStringConvertible {
    package var description: String

    init(_ problem: String) { description = problem }

    /// With the place, for people.
    package func inLine(_ number: Int, of source: String) -> ImportError {
        ImportError("\(source), line \(number): \(description). Nothing is kept of what was imported.")
    }
}
