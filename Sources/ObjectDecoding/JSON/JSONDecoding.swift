import ByteFormats

/// Decodes JSON in UTF-8. Numbers keep their digits; escaped halves of surrogate pairs become U+FFFD.
enum JSONDecoding {
    /// - Returns: the value, and whether its texts are those of the bytes.
    static func decode(_ bytes: [UInt8], _ budget: Budget) throws(DecodingError) -> (DecodedValue, isExact: Bool) {
        var sink = BuilderSink(builder: ValueBuilder(budget))
        let result = bytes.withUnsafeBytes { text in
            Result { () throws(JSONError) in try JSONStream.read(text, into: &sink) }
        }
        let isExact: Bool
        do throws(JSONError) {
            isExact = try result.get()
        } catch {
            let begins = bytes.first.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") } ?? false
            throw DecodingError("The JSON is malformed: \(error).", begins ? .likely : .none)
        }
        // Text that was read to its end is one value.
        return (sink.builder.value ?? .null, isExact)
    }
}

/// Builds a value of the parts.
private struct BuilderSink: JSONSink {
    var builder: ValueBuilder
    /// The longest text of a `Double`.
    private static let longestDouble = 24

    mutating func null() { builder.add(.null) }
    mutating func bool(_ bool: Bool) { builder.add(.bool(bool)) }
    mutating func number(_ number: JSONNumber) { builder.add(Self.value(of: number)) }
    mutating func text(_ text: UnsafeRawBufferPointer) { builder.add(.string(String(decoding: text, as: UTF8.self))) }
    mutating func beginList(isSet: Bool) { builder.begin(isDictionary: false) }
    mutating func element(isFirst: Bool) {}
    mutating func endList(isSet: Bool) { builder.end() }
    mutating func beginDictionary() { builder.begin(isDictionary: true) }
    mutating func key(_ key: UnsafeRawBufferPointer, isFirst: Bool) {
        builder.key(String(decoding: key, as: UTF8.self))
    }
    mutating func endFields() { builder.end() }

    /// A number is a `Double` only if that is written with the same text; otherwise digits could be lost.
    private static func value(of number: JSONNumber) -> DecodedValue {
        if let integer = number.integer, integer != 0 || !number.isNegative { return .integer(Int64(integer)) }
        if let magnitude = number.magnitude, !number.isNegative { return .unsigned(UInt64(magnitude)) }
        let text = number.string
        guard text.utf8.count <= longestDouble else { return .number(text) }
        if let double = Double(text), double.description == text { return .double(double) }
        return .number(text)
    }
}
