/// Reads a complete value from JSON text in UTF-8, strictly by RFC 8259.
///
/// Foundation's reader is ten times too slow for a program that reads thousands of scenarios a second, and loses the
/// order of members and the digits of numbers.
package struct JSONReader {
    /// The most levels of nesting. Scenarios have eight; the limit keeps a hostile line from using up the stack.
    package static let depthLimit = 64

    private var scanner: JSONScanner
    /// Members of the outermost object whose values are not read.
    private let skipped: Set<String>
    private var depth = 0

    /// Reads a complete value.
    /// - Parameter skipped: members of the outermost object that are left out, however deep or large they are.
    /// - Complexity: O(bytes)
    package static func read(_ bytes: [UInt8], skipping skipped: Set<String> = []) throws(JSONError) -> JSON {
        let result = bytes.withUnsafeBytes { text in
            Result { () throws(JSONError) in
                var reader = JSONReader(scanner: JSONScanner(text), skipped: skipped)
                return try reader.readAll()
            }
        }
        return try result.get()
    }

    private init(scanner: JSONScanner, skipped: Set<String>) { (self.scanner, self.skipped) = (scanner, skipped) }

    private mutating func readAll() throws(JSONError) -> JSON {
        let value = try readValue()
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw scanner.error("nothing should follow the value") }
        return value
    }

    private mutating func readValue() throws(JSONError) -> JSON {
        scanner.skipSpace()
        guard !scanner.isAtEnd else { throw scanner.error("the text ends where a value should be") }
        switch scanner.current {
        case UInt8(ascii: "{"): return try nested { reader throws(JSONError) in try reader.readObject() }
        case UInt8(ascii: "["): return try nested { reader throws(JSONError) in try reader.readArray() }
        case UInt8(ascii: "\""): return .string(try scanner.readString())
        case UInt8(ascii: "t"):
            try scanner.word("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try scanner.word("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try scanner.word("null")
            return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
        default: throw scanner.error("a value should be here")
        }
    }

    private mutating func readNumber() throws(JSONError) -> JSON {
        let start = scanner.position
        let number = try scanner.number()
        if let integer = number.integer { return .integer(integer) }
        guard let double = Double(number.string), double.isFinite else {
            throw JSONError(column: start + 1, problem: "the number is too large")
        }
        return .number(double)
    }

    private mutating func readObject() throws(JSONError) -> JSON {
        var members: [JSON.Member] = []
        scanner.skipSpace()
        if scanner.consume("}") { return .object(members) }
        repeat {
            scanner.skipSpace()
            guard scanner.current == UInt8(ascii: "\"") else {
                throw scanner.error("the name of a member should be here, in quotes")
            }
            let name = try scanner.readString()
            scanner.skipSpace()
            guard scanner.consume(":") else { throw scanner.error("a colon should be here") }
            if depth == 1, skipped.contains(name) {
                try skipValue()
            } else {
                members.append(.init(name, try readValue()))
            }
            scanner.skipSpace()
        } while scanner.consume(",")
        guard scanner.consume("}") else { throw scanner.error("a comma or the end of the object should be here") }
        return .object(members)
    }

    private mutating func readArray() throws(JSONError) -> JSON {
        var elements: [JSON] = []
        scanner.skipSpace()
        if scanner.consume("]") { return .array(elements) }
        repeat {
            elements.append(try readValue())
            scanner.skipSpace()
        } while scanner.consume(",")
        guard scanner.consume("]") else { throw scanner.error("a comma or the end of the array should be here") }
        return .array(elements)
    }

    /// Skips a value in constant memory. Checks only that quotes and brackets match in number.
    private mutating func skipValue() throws(JSONError) {
        var open = 0
        scanner.skipSpace()
        repeat {
            guard !scanner.isAtEnd else { throw scanner.error("the text ends where a value should be") }
            switch scanner.current {
            case UInt8(ascii: "\""):
                scanner.position += 1
                while !scanner.isAtEnd, scanner.current != UInt8(ascii: "\"") {
                    scanner.position += scanner.current == UInt8(ascii: "\\") ? 2 : 1
                }
                guard scanner.consume("\"") else { throw scanner.error("the text ends inside a string") }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                (open, scanner.position) = (open + 1, scanner.position + 1)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard open > 0 else { throw scanner.error("a value should be here") }
                (open, scanner.position) = (open - 1, scanner.position + 1)
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard open > 0 else { throw scanner.error("a value should be here") }
                scanner.position += 1
            default:
                while !scanner.isAtEnd, !Self.endsWord.contains(scanner.current) { scanner.position += 1 }
            }
            scanner.skipSpace()
        } while open > 0
    }

    /// Bytes that cannot be part of a number or a word.
    private static let endsWord = Set("\"{}[],: \t\n\r".utf8)

    private mutating func nested(
        _ read: (inout JSONReader) throws(JSONError) -> JSON
    ) throws(JSONError) -> JSON {
        guard depth < Self.depthLimit else {
            throw scanner.error("values should not nest deeper than \(Self.depthLimit)")
        }
        depth += 1
        scanner.position += 1
        let value = try read(&self)
        depth -= 1
        return value
    }
}
