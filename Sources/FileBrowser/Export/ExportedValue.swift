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

    /// Bytes of a value that is written in pieces.
    private static let largeSize = 1 << 18
    /// Bytes of a piece: a whole number of groups of base64.
    private static let pieceSize = 3 << 16

    static func isLarge(_ statement: SQLiteStatement, at column: Int) -> Bool {
        [.text, .blob].contains(statement.type(at: column)) && statement.size(at: column) > largeSize
    }

    /// Writes a text or a blob in pieces, from where SQLite has it.
    static func write(_ statement: SQLiteStatement, at column: Int, _ write: ([UInt8]) throws -> Void) throws {
        let type = statement.type(at: column)
        try statement.withBytes(at: column) { bytes in
            guard type == .text, pieces(ofText: bytes, { _ in }) else {
                try write(Array(#"{"\#(type == .text ? "$text" : "$blob")":""#.utf8))
                for start in stride(from: 0, to: bytes.count, by: pieceSize) {
                    let piece = bytes[start..<min(start + pieceSize, bytes.count)]
                    try write(Array(Data(piece).base64EncodedData()))
                }
                return try write(Array(#""}"#.utf8))
            }
            try write([UInt8(ascii: "\"")])
            _ = try pieces(ofText: bytes) { text in
                var json: [UInt8] = []
                json.appendJSON(text)
                try write(TerminalSafe.json(Array(json.dropFirst().dropLast())))
            }
            try write([UInt8(ascii: "\"")])
        }
    }

    /// Calls with one piece of a text after the other.
    /// - Returns: false where the text is not good UTF-8.
    private static func pieces(ofText bytes: UnsafeRawBufferPointer, _ body: (String) throws -> Void) rethrows -> Bool {
        var start = 0
        while start < bytes.count {
            var end = min(start + pieceSize, bytes.count)
            // Not in the middle of a character, which has four bytes at most.
            for _ in 0..<3 where end < bytes.count && bytes[end] & 0xc0 == 0x80 { end -= 1 }
            guard let text = String(validating: bytes[start..<end], as: UTF8.self) else { return false }
            try body(text)
            start = end
        }
        return true
    }

    /// - Parameter attachments: the blobs that were taken out of the line; they must stay until the statement has run.
    /// - Throws: ``ImportError`` when the value is none of these.
    static func bind(
        _ value: JSON, to statement: SQLiteStatement, at index: Int, _ attachments: ImportAttachments
    ) throws {
        switch value {
        case .null: try statement.bind(nil, at: index)
        case .integer(let integer): try statement.bind(Int64(integer), at: index)
        case .string(let text): try statement.bind(text, at: index)
        default:
            if case .string(let text)? = value["$real"], let real = Double(text) {
                try statement.bind(real, at: index)
            } else if case .string(let text)? = value["$text"], let data = Data(base64Encoded: text) {
                try statement.bind(textBytes: Array(data), at: index)
            } else if case .string(let text)? = value["$blob"], let bytes = attachments[text] {
                try statement.bind(borrowing: UnsafeRawBufferPointer(bytes), at: index)
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
