/// Scans text eight bytes at a time.
extension UnsafeRawBufferPointer {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Returns the first place from `start` on of a byte that JSON escapes (a control, a quote, a backslash, DEL) or,
    /// on request, of one above 127; the count if there is none.
    package func firstSpecial(from start: Int, orNonASCII: Bool = false) -> Int {
        var place = start
        let wide = orNonASCII ? Self.highs : 0
        while count - place >= 8 {
            let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
            // In each of these words, the lowest set bit belongs to a matching byte.
            let controls = (word &- Self.ones &* 0x20) & ~word
            let marks = Self.zeros(word, 0x22) | Self.zeros(word, 0x5C) | Self.zeros(word, 0x7F)
            let found = ((controls | marks) & Self.highs) | word & wide
            if found != 0 { return place + found.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < count {
            let byte = self[place]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F || orNonASCII && byte > 0x7F { return place }
            place += 1
        }
        return place
    }

    private static func zeros(_ word: UInt64, _ byte: UInt64) -> UInt64 {
        let difference = word ^ (ones &* byte)
        return (difference &- ones) & ~difference
    }

    package var isASCII: Bool {
        var place = 0
        var seen: UInt64 = 0
        while count - place >= 8 {
            seen |= loadUnaligned(fromByteOffset: place, as: UInt64.self)
            place += 8
        }
        while place < count {
            seen |= UInt64(self[place])
            place += 1
        }
        return seen & Self.highs == 0
    }

    /// Whether the bytes are valid UTF-8. Creates no string.
    package var isUTF8: Bool { isASCII || isValid }

    private var isValid: Bool {
        var place = 0
        while place < count {
            let byte = self[place]
            let left = count - place
            switch byte {
            case 0..<0x80: place += 1
            case 0xC2...0xDF:
                guard left > 1, isTail(place + 1) else { return false }
                place += 2
            case 0xE0...0xEF:
                guard left > 2, isTail(place + 1), isTail(place + 2) else { return false }
                // Overlong forms and halves of surrogate pairs are invalid.
                if byte == 0xE0, self[place + 1] < 0xA0 { return false }
                if byte == 0xED, self[place + 1] > 0x9F { return false }
                place += 3
            case 0xF0...0xF4:
                guard left > 3, isTail(place + 1), isTail(place + 2), isTail(place + 3) else { return false }
                if byte == 0xF0, self[place + 1] < 0x90 { return false }
                if byte == 0xF4, self[place + 1] > 0x8F { return false }
                place += 4
            default: return false
            }
        }
        return true
    }

    private func isTail(_ place: Int) -> Bool { self[place] & 0xC0 == 0x80 }
}

/// Finds characters that could control a terminal, that reorder or hide the text around them, or that have no width.
extension UnsafeRawBufferPointer {
    /// Whether such a character beyond ASCII may begin with this byte.
    package static func beginsUnsafe(_ byte: UInt8) -> Bool { byte == 0xC2 || byte == 0xE2 || byte == 0xEF }

    /// Returns the one beyond ASCII that begins at a place, and its length in bytes; nil if there is none.
    package func unsafeScalar(at place: Int) -> (scalar: UInt32, length: Int)? {
        let left = count - place
        guard left > 1, Self.beginsUnsafe(self[place]) else { return nil }
        let (lead, second) = (self[place], self[place + 1])
        if lead == 0xC2 { return second < 0xA0 ? (UInt32(second), 2) : nil }
        guard left > 2 else { return nil }
        let third = self[place + 2]
        let scalar = UInt32(lead & 0x0F) << 12 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F)
        switch scalar {
        case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: return (scalar, 3)
        default: return nil
        }
    }
}
