extension JSONReader {
    /// Reads a string that begins at the position. Most strings have no escapes and are copied as a whole.
    package mutating func readString() throws(JSONError) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        var plain = position
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                let end = position
                position += 1
                if text.isEmpty { return try string(bytes[plain..<end], start) }
                text += bytes[plain..<end]
                return try string(text[...], start)
            case UInt8(ascii: "\\"):
                text += bytes[plain..<position]
                position += 1
                try readEscape(into: &text)
                plain = position
            case 0..<0x20: throw error("a control character should be written as an escape")
            default: position += 1
            }
        }
        throw error("the text ends inside a string")
    }

    private func string(_ text: ArraySlice<UInt8>, _ start: Int) throws(JSONError) -> String {
        guard let string = String(validating: text, as: UTF8.self) else {
            throw JSONError(column: start + 1, problem: "the string is not UTF-8")
        }
        return string
    }

    private mutating func readEscape(into text: inout [UInt8]) throws(JSONError) {
        guard let escape = current else { throw error("the text ends inside a string") }
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            position += 1
            return text += Array(String(Character(try readScalar())).utf8)
        default: throw error("there is no such escape")
        }
        position += 1
    }

    /// Reads four hexadecimal digits, and an escaped low surrogate after a high one.
    private mutating func readScalar() throws(JSONError) -> Unicode.Scalar {
        let start = position
        let unit = try readUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let afterUnit = position
        if unit < 0xDC00, consume("\\"), consume("u") {
            let low = try readUnit()
            if low >= 0xDC00, low < 0xE000,
                let scalar = Unicode.Scalar(0x10000 + (UInt32(unit - 0xD800) << 10) + UInt32(low - 0xDC00))
            {
                return scalar
            }
        }
        if repairsSurrogates {
            position = afterUnit
            return "\u{FFFD}"
        }
        throw JSONError(column: start + 1, problem: "half of a surrogate pair means nothing by itself")
    }

    private mutating func readUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = current.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw error("an escape \\u should have four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
