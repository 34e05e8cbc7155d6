/// Reads JSON from UTF-8 text, strictly by RFC 8259: a complete value, or its parts for callers that build something
/// else from them.
///
/// Foundation's reader is ten times too slow for a program that reads thousands of scenarios a second, and loses the
/// order of members and the digits of numbers.
package struct JSONReader {
    /// The most levels of nesting. Scenarios have eight; the limit keeps a hostile line from using up the stack.
    package static let depthLimit = 64

    package let bytes: [UInt8]
    package var position = 0
    /// Whether an escaped half of a surrogate pair becomes U+FFFD instead of an error. Older JavaScript wrote such
    /// escapes.
    let repairsSurrogates: Bool
    /// Members of the outermost object whose values are not read.
    private let skipped: Set<String>
    private var depth = 0

    package init(_ bytes: [UInt8], repairsSurrogates: Bool = false, skipping skipped: Set<String> = []) {
        self.bytes = bytes
        self.repairsSurrogates = repairsSurrogates
        self.skipped = skipped
    }

    /// Reads a complete value.
    /// - Parameter skipped: members of the outermost object that are left out, however deep or large they are.
    /// - Complexity: O(bytes)
    package static func read(_ bytes: [UInt8], skipping skipped: Set<String> = []) throws(JSONError) -> JSON {
        var reader = JSONReader(bytes, skipping: skipped)
        let value = try reader.readValue()
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.error("nothing should follow the value") }
        return value
    }

    private mutating func readValue() throws(JSONError) -> JSON {
        skipSpace()
        guard let byte = current else { throw error("the text ends where a value should be") }
        switch byte {
        case UInt8(ascii: "{"): return try nested { reader throws(JSONError) in try reader.readObject() }
        case UInt8(ascii: "["): return try nested { reader throws(JSONError) in try reader.readArray() }
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
        default: throw error("a value should be here")
        }
    }

    private mutating func readObject() throws(JSONError) -> JSON {
        var members: [JSON.Member] = []
        skipSpace()
        if consume("}") { return .object(members) }
        repeat {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw error("the name of a member should be here, in quotes") }
            let name = try readString()
            skipSpace()
            guard consume(":") else { throw error("a colon should be here") }
            if depth == 1, skipped.contains(name) {
                try skipValue()
            } else {
                members.append(.init(name, try readValue()))
            }
            skipSpace()
        } while consume(",")
        guard consume("}") else { throw error("a comma or the end of the object should be here") }
        return .object(members)
    }

    private mutating func readArray() throws(JSONError) -> JSON {
        var elements: [JSON] = []
        skipSpace()
        if consume("]") { return .array(elements) }
        repeat {
            elements.append(try readValue())
            skipSpace()
        } while consume(",")
        guard consume("]") else { throw error("a comma or the end of the array should be here") }
        return .array(elements)
    }

    /// Skips a value in constant memory. Checks only that quotes and brackets match in number.
    private mutating func skipValue() throws(JSONError) {
        var open = 0
        skipSpace()
        repeat {
            switch current {
            case nil: throw error("the text ends where a value should be")
            case UInt8(ascii: "\""):
                position += 1
                while let byte = current, byte != UInt8(ascii: "\"") {
                    position += byte == UInt8(ascii: "\\") ? 2 : 1
                }
                guard consume("\"") else { throw error("the text ends inside a string") }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                (open, position) = (open + 1, position + 1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard open > 0 else { throw error("a value should be here") }
                (open, position) = (open - 1, position + 1)
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard open > 0 else { throw error("a value should be here") }
                position += 1
            default:
                while let byte = current, !Self.endsWord.contains(byte) { position += 1 }
            }
            skipSpace()
        } while open > 0
    }

    /// Bytes that cannot be part of a number or a word.
    private static let endsWord = Set("\"{}[],: \t\n\r".utf8)

    private mutating func nested(
        _ read: (inout JSONReader) throws(JSONError) -> JSON
    ) throws(JSONError) -> JSON {
        guard depth < Self.depthLimit else { throw error("values should not nest deeper than \(Self.depthLimit)") }
        depth += 1
        position += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    package mutating func readWord<Value>(_ word: StaticString, _ value: Value) throws(JSONError) -> Value {
        for offset in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[offset] else { throw error("\"\(word)\" should be here") }
            position += 1
        }
        return value
    }
}

extension JSONReader {
    /// The byte at the position; nil at the end.
    package var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Consumes the character if it is next.
    package mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    package mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    package func error(_ problem: String) -> JSONError { JSONError(column: position + 1, problem: problem) }
}
