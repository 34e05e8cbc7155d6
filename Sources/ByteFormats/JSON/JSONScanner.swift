/// Reads the parts of JSON text in UTF-8 one after the other, strictly by RFC 8259. ``JSONReader`` makes values of them; other readers of
/// this package make what they need.
///
/// An error says where the first wrong byte is. The position is then of no use.
package struct JSONScanner {
    @usableFromInline package let text: UnsafeRawBufferPointer
    @usableFromInline package var position = 0
    /// Whether an escaped half of a surrogate pair becomes U+FFFD instead of an error. Older JavaScript wrote such escapes.
    let repairsSurrogates: Bool
    /// Whether that was done: other texts would be read the same.
    package private(set) var hasRepaired = false
    /// Whether the text is known to be UTF-8, so that its strings are.
    private let isUTF8: Bool
    /// The content of the string that was read last, if it has escapes.
    package private(set) var unescaped: [UInt8] = []

    /// - Parameters:
    ///   - text: must stay valid as long as the scanner.
    ///   - isUTF8: whether all of the text is known to be UTF-8. If not, each string is checked.
    package init(_ text: UnsafeRawBufferPointer, repairsSurrogates: Bool = false, isUTF8: Bool = false) {
        (self.text, self.repairsSurrogates, self.isUTF8) = (text, repairsSurrogates, isUTF8)
    }

    @inlinable package var isAtEnd: Bool { position >= text.count }

    /// The byte at the position; 0 at the end, since JSON has no such byte.
    @inlinable @inline(__always) package var current: UInt8 { position < text.count ? text[position] : 0 }

    /// Consumes the character if it is next.
    @inlinable @inline(__always) package mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    @inlinable @inline(__always) package mutating func skipSpace() {
        while position < text.count {
            switch text[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    package func error(_ problem: String) -> JSONError { JSONError(column: position + 1, problem: problem) }

    package mutating func word(_ word: StaticString) throws(JSONError) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[offset] else { throw error("\"\(word)\" should be here") }
            position += 1
        }
    }

    package mutating func number() throws(JSONError) -> JSONNumber {
        let start = position
        _ = consume("-")
        let first = position
        try digits()
        if text[first] == UInt8(ascii: "0"), position > first + 1 {
            position = first + 1
            throw error("a number should not begin with 0 and go on")
        }
        var isWhole = true
        if consume(".") {
            isWhole = false
            try digits()
        }
        if current | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            position += 1
            if !consume("-") { _ = consume("+") }
            try digits()
        }
        return JSONNumber(text: UnsafeRawBufferPointer(rebasing: text[start..<position]), isWhole: isWhole)
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while current &- UInt8(ascii: "0") < 10 { position += 1 }
        guard position > start else { throw error("a digit should be here") }
    }
}

// MARK: Strings

extension JSONScanner {
    /// Returns the content of the string that begins at the position, as it is in the text; nil if it has escapes: ``unescaped`` then
    /// has it without them.
    package mutating func string() throws(JSONError) -> UnsafeRawBufferPointer? {
        let start = position
        position += 1
        var plain = position
        var hasEscape = false
        while true {
            position = text.firstSpecial(from: position)
            switch current {
            case UInt8(ascii: "\""):
                let rest = try checked(plain, start)
                position += 1
                if !hasEscape { return rest }
                unescaped.append(contentsOf: rest)
                return nil
            case UInt8(ascii: "\\"):
                if !hasEscape { unescaped.removeAll(keepingCapacity: true) }
                hasEscape = true
                unescaped.append(contentsOf: try checked(plain, start))
                position += 1
                try escape()
                plain = position
            case 0x7F: position += 1
            default:
                throw error(
                    isAtEnd
                        ? "the text ends inside a string" : "a control character should be written as an escape")
            }
        }
    }

    /// Reads a string that begins at the position.
    package mutating func readString() throws(JSONError) -> String {
        if let plain = try string() { return String(decoding: plain, as: UTF8.self) }
        return String(decoding: unescaped, as: UTF8.self)
    }

    /// The part of a string between escapes that ends at the position. No character has an escape inside.
    private func checked(_ plain: Int, _ start: Int) throws(JSONError) -> UnsafeRawBufferPointer {
        let part = UnsafeRawBufferPointer(rebasing: text[plain..<position])
        guard isUTF8 || part.isUTF8 else { throw JSONError(column: start + 1, problem: "the string is not UTF-8") }
        return part
    }

    private mutating func escape() throws(JSONError) {
        let byte = current
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"):
            position += 1
            let scalar = try scalar()
            return unescaped.append(contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
        default: throw error(isAtEnd ? "the text ends inside a string" : "there is no such escape")
        }
        position += 1
    }

    /// Reads the digits after `\u`, and an escaped low surrogate after a high one.
    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let start = position
        let unit = try unit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let afterUnit = position
        if unit < 0xDC00, consume("\\"), consume("u") {
            let low = try self.unit()
            if low >> 10 == 0x37, let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) {
                return scalar
            }
        }
        guard repairsSurrogates else {
            throw JSONError(column: start + 1, problem: "half of a surrogate pair means nothing by itself")
        }
        position = afterUnit
        hasRepaired = true
        return "\u{FFFD}"
    }

    private mutating func unit() throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            let byte = current
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: throw error("an escape \\u should have four hexadecimal digits")
            }
            position += 1
        }
        return unit
    }
}
