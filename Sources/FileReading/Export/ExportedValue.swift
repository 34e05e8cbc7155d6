import ByteFormats
import FileEngine
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
enum ExportedField {
    case null
    case integer(Int64)
    case real(Double)
    /// The bytes are valid as long as what they were read from.
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)

    /// Calls the body with a column of the row that the statement has stepped to. Copies nothing.
    static func read(_ statement: SQLiteStatement, at column: Int, _ body: (ExportedField) -> Void) {
        switch statement.type(at: column) {
        case .null: body(.null)
        case .integer: body(.integer(statement.int64(at: column)))
        case .real: body(.real(statement.double(at: column)))
        case .text: statement.withBytes(at: column) { body(.text($0)) }
        case .blob: statement.withBytes(at: column) { body(.blob($0)) }
        }
    }

    func write(to output: inout JSONOutput) {
        switch self {
        case .null: output.append("null")
        case .integer(let integer): output.append(integer)
        case .real(let real):
            output.append("{\"$real\":")
            output.append(string: real.description)
            output.append("}")
        case .text(let bytes) where bytes.isUTF8: output.append(string: bytes)
        case .text(let bytes): write(bytes, as: "{\"$text\":", to: &output)
        case .blob(let bytes): write(bytes, as: "{\"$blob\":", to: &output)
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, as form: StaticString, to output: inout JSONOutput) {
        output.append(form)
        output.append(base64: bytes)
        output.append("}")
    }

    /// Writes a member with the decoded value; nothing for NULL.
    func writeMeaning(as member: StaticString, to output: inout JSONOutput) {
        if case .null = self { return }
        output.append(member)
        switch self {
        case .null: break
        case .integer(let integer): output.append(integer)
        case .real(let real): output.append(double: real)
        case .text(let bytes), .blob(let bytes): ObjectDecoder().write(bytes, to: &output)
        }
    }
}

/// Values that were read from an export.
enum ExportedValue {
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

    /// Reads a real number. There is none for what is no number, as SQLite would store NULL, and for one that is too large, which would become infinite.
    static func real(_ text: String) -> Double? {
        guard let number = Double(text), !number.isNaN else { return nil }
        return number.isFinite || !text.utf8.contains { (48...57).contains($0) } ? number : nil
    }

    /// Converts JSON to a value.
    /// - Throws: ``ImportError`` if the JSON has none of these forms.
    static func content(_ value: JSON) throws -> StoredValue.Content {
        switch value {
        case .null: return .null
        case .integer(let integer): return .integer(Int64(integer))
        case .string(let text): return .text(Array(text.utf8))
        default:
            if case .string(let text)? = value["$real"] {
                guard let real = real(text) else {
                    throw ImportError(
                        "\"$real\" should be a number that SQLite can store, not \"\(text.prefix(shown))\"")
                }
                return .real(real)
            }
            if case .string(let text)? = value["$text"] { return .text(try bytes(of: text, in: "$text")) }
            if case .string(let text)? = value["$blob"] { return .blob(try bytes(of: text, in: "$blob")) }
            throw ImportError("a value should be here, not \(value.kind)")
        }
    }
}

extension ExportedValue {
    /// The most characters of a wrong text in a message.
    private static let shown = 40

    private static func bytes(of text: String, in name: String) throws -> [UInt8] {
        guard let data = Data(base64Encoded: text) else { throw ImportError("\"\(name)\" should be base64") }
        return Array(data)
    }
}

/// Why lines are not an export.
package struct ImportError: Error, CustomStringConvertible {
    package var description: String

    init(_ problem: String) { description = problem }

    /// That SQLite does not take what a line says.
    init(refused error: YapDatabaseError) {
        let reason = error.sqliteMessage ?? error.message
        let words = "no such table: "
        description =
            reason.hasPrefix(words)
            ? "no line before it creates the table \"\(reason.dropFirst(words.count))\"" : "SQLite says: \(reason)"
    }

    /// Returns the error with its line number, for display.
    package func inLine(_ number: Int, of source: String) -> ImportError {
        ImportError("\(source), line \(number): \(description). No file was made.")
    }
}
