import ByteFormats

/// Decodes JSON in UTF-8. Numbers keep their digits; escaped halves of surrogate pairs become U+FFFD.
enum JSONDecoding {
    static func decode(_ bytes: [UInt8], _ budget: Budget) throws(DecodingError) -> DecodedValue {
        do throws(JSONError) {
            var decoder = JSONDecoder(bytes, budget)
            return try decoder.decode()
        } catch {
            let begins = bytes.first.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") } ?? false
            throw DecodingError("The JSON is malformed: \(error).", begins ? .likely : .none)
        }
    }
}

/// One loop with an explicit stack: hostile texts nest a million deep.
private struct JSONDecoder {
    private var reader: JSONReader
    private var builder: ValueBuilder
    /// The longest text of a `Double`.
    private static let longestDouble = 24
    /// For each open container, whether it is an object.
    private var open: [Bool] = []

    init(_ bytes: [UInt8], _ budget: Budget) {
        reader = JSONReader(bytes, repairsSurrogates: true)
        builder = ValueBuilder(budget)
    }

    mutating func decode() throws(JSONError) -> DecodedValue {
        repeat {
            reader.skipSpace()
            if reader.consume("{") {
                try begin(isObject: true)
            } else if reader.consume("[") {
                try begin(isObject: false)
            } else {
                builder.add(try readScalar())
                try finish()
            }
        } while !open.isEmpty
        reader.skipSpace()
        guard reader.current == nil, let value = builder.value else {
            throw reader.error("nothing should follow the value")
        }
        return value
    }

    private mutating func begin(isObject: Bool) throws(JSONError) {
        builder.begin(isDictionary: isObject)
        open.append(isObject)
        reader.skipSpace()
        if reader.current == closing(isObject) {
            try finish()
        } else if isObject {
            try readName()
        }
    }

    /// Closes the containers that end after a value, up to the next value.
    private mutating func finish() throws(JSONError) {
        while let isObject = open.last {
            reader.skipSpace()
            if reader.consume(",") {
                if isObject { try readName() }
                return
            }
            guard reader.current == closing(isObject) else {
                throw reader.error("a comma or the end of the \(isObject ? "object" : "array") should be here")
            }
            reader.position += 1
            builder.end()
            open.removeLast()
        }
    }

    private func closing(_ isObject: Bool) -> UInt8 { UInt8(ascii: isObject ? "}" : "]") }

    private mutating func readName() throws(JSONError) {
        reader.skipSpace()
        guard reader.current == UInt8(ascii: "\"") else {
            throw reader.error("the name of a member should be here, in quotes")
        }
        builder.key(try reader.readString())
        reader.skipSpace()
        guard reader.consume(":") else { throw reader.error("a colon should be here") }
    }

    private mutating func readScalar() throws(JSONError) -> DecodedValue {
        guard let byte = reader.current else { throw reader.error("the text ends where a value should be") }
        switch byte {
        case UInt8(ascii: "\""): return .string(try reader.readString())
        case UInt8(ascii: "t"): return try reader.readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try reader.readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try reader.readWord("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
        default: throw reader.error("a value should be here")
        }
    }

    /// Reads a number as a `Double` only if that is written with the same text; otherwise digits could be lost.
    private mutating func readNumber() throws(JSONError) -> DecodedValue {
        let number = try reader.readNumberText()
        if let integer = number.integer, integer != 0 || !number.isNegative { return .integer(Int64(integer)) }
        if let magnitude = number.magnitude, !number.isNegative { return .unsigned(UInt64(magnitude)) }
        let text = reader.text(of: number)
        guard text.utf8.count <= Self.longestDouble else { return .number(text) }
        if let double = Double(text), double.description == text { return .double(double) }
        return .number(text)
    }
}
