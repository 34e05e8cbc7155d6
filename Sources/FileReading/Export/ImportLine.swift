import ByteFormats
import Foundation
import ObjectDecoding

/// A line of an export, parsed as far as that can be done on several threads.
package struct ImportLine: Sendable {
    enum Content {
        /// A row in exactly the form that ``FileExport`` writes.
        case row(Row)
        /// Any other line, not parsed yet.
        case other([UInt8])
    }

    struct Row {
        var table: String
        var columns: [String] = []
        var values: [StoredValue.Content] = []
        var rowid: Int64?
    }

    let content: Content
    /// The line's length in bytes.
    let count: Int

    package init(_ line: UnsafeRawBufferPointer) {
        var reader = RowLineReader(line)
        content = reader.read().map { .row($0) } ?? .other(Array(line))
        count = line.count
    }

    /// Parses each line of a block; nil for an empty one.
    package static func lines(of block: [UInt8]) -> [ImportLine?] {
        block.withUnsafeBytes { block in
            var lines: [ImportLine?] = []
            var rest = block[...]
            while let first = rest.first {
                let start = block.baseAddress! + rest.startIndex
                let length = memchr(start, 0x0A, rest.count).map { UnsafeRawPointer($0) - start } ?? rest.count
                let line = UnsafeRawBufferPointer(start: start, count: length)
                lines.append(first == 0x0A ? nil : ImportLine(line))
                rest = rest.dropFirst(length + 1)
            }
            return lines
        }
    }
}

/// Parses the line of a row in the expected form only. Everything else is left to one place that reports what is wrong
/// with a line.
private struct RowLineReader {
    private let line: UnsafeRawBufferPointer
    private var position = 0

    init(_ line: UnsafeRawBufferPointer) { self.line = line }

    mutating func read() -> ImportLine.Row? {
        guard consume("{\"table\":"), let table = string() else { return nil }
        var row = ImportLine.Row(table: table)
        if consume(",\"rowid\":") {
            guard let rowid = integer() else { return nil }
            row.rowid = rowid
        }
        guard consume(",\"values\":{") else { return nil }
        if !consume("}") {
            repeat {
                guard let name = string(), consume(":"), let value = value() else { return nil }
                row.columns.append(name)
                row.values.append(value)
            } while consume(",")
            guard consume("}") else { return nil }
        }
        // Skips the decoded values.
        for member: StaticString in [",\"object\":", ",\"metadata\":"] where consume(member) {
            guard skipValue() else { return nil }
        }
        return consume("}") && position == line.count ? row : nil
    }

    private mutating func consume(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard line.count - position >= count else { return false }
        for place in 0..<count where line[position + place] != text.utf8Start[place] { return false }
        position += count
        return true
    }

    private mutating func value() -> StoredValue.Content? {
        guard position < line.count else { return nil }
        switch line[position] {
        case UInt8(ascii: "n"): return consume("null") ? .null : nil
        case UInt8(ascii: "\""): return text().map { .text($0) }
        case UInt8(ascii: "{"):
            if consume("{\"$blob\":") { return base64().map { .blob($0) } }
            if consume("{\"$text\":") { return base64().map { .text($0) } }
            guard consume("{\"$real\":"), let text = string(), consume("}") else { return nil }
            return ExportedValue.real(text).map { .real($0) }
        default: return integer().map { .integer($0) }
        }
    }

    private mutating func integer() -> Int64? {
        let start = position
        let isNegative = consume("-")
        let first = position
        var magnitude: UInt64 = 0
        while position < line.count, case let digit = line[position] &- UInt8(ascii: "0"), digit < 10 {
            // A longer number may overflow.
            guard position - first < 18 else { break }
            magnitude = magnitude * 10 + UInt64(digit)
            position += 1
        }
        let isLong = position < line.count && line[position] &- UInt8(ascii: "0") < 10
        guard position > first, !isLong, line[first] != UInt8(ascii: "0") || position == first + 1 else {
            position = start
            return nil
        }
        return isNegative ? -Int64(magnitude) : Int64(magnitude)
    }

    /// Returns the content of a string without escapes, which is the bytes between its quotes.
    private mutating func plain() -> UnsafeRawBufferPointer? {
        guard consume("\"") else { return nil }
        let start = position
        let end = line.firstSpecial(from: start)
        guard end < line.count, line[end] == UInt8(ascii: "\"") else { return nil }
        position = end + 1
        return UnsafeRawBufferPointer(rebasing: line[start..<end])
    }

    private mutating func text() -> [UInt8]? {
        let start = position
        if let plain = plain() { return plain.isUTF8 ? Array(plain) : nil }
        position = start
        // A string with escapes is parsed as JSON.
        guard skipString() else { return nil }
        var scanner = JSONScanner(UnsafeRawBufferPointer(rebasing: line[start..<position]))
        do throws(JSONError) {
            return try scanner.string().map(Array.init) ?? scanner.unescaped
        } catch {
            return nil
        }
    }

    private mutating func string() -> String? { text().map { String(decoding: $0, as: UTF8.self) } }

    private mutating func base64() -> [UInt8]? {
        var bytes: [UInt8] = []
        guard let digits = plain(), Base64.decode(digits, to: &bytes), consume("}") else { return nil }
        return bytes
    }

    private mutating func skipString() -> Bool {
        position += 1
        while true {
            position = line.firstSpecial(from: position)
            guard position < line.count else { return false }
            switch line[position] {
            case UInt8(ascii: "\""):
                position += 1
                return true
            case UInt8(ascii: "\\"): position = min(position + 2, line.count)
            case 0x7F: position += 1
            default: return false
            }
        }
    }

    /// Skips a value of any depth.
    private mutating func skipValue() -> Bool {
        var depth = 0
        while position < line.count {
            switch line[position] {
            case UInt8(ascii: "\""):
                guard skipString() else { return false }
                if depth == 0 { return true }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // The end of the enclosing value.
                if depth == 0 { return true }
                depth -= 1
                if depth == 0 {
                    position += 1
                    return true
                }
            case UInt8(ascii: ","): if depth == 0 { return true }
            default: break
            }
            position += 1
        }
        return false
    }
}
