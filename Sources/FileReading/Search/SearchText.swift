import ObjectDecoding

/// What is searched for, as bytes. Letters match in either case, by Unicode's simple mapping, unless the text itself has a capital.
package struct SearchText: Hashable, Sendable {
    /// In small letters, unless it is exact.
    private let bytes: [UInt8]
    private let isExact: Bool
    /// Whether there are letters besides those of ASCII, which only bytes beyond ASCII can be.
    private let isASCII: Bool

    /// The text must not be empty.
    package init(_ text: String) {
        precondition(!text.isEmpty, "There is nothing to search for.")
        isExact = text.unicodeScalars.contains {
            $0.properties.isUppercase || $0.properties.generalCategory == .titlecaseLetter
        }
        bytes = Array(text.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
    }

    /// Whether the text spans lines.
    var hasLineBreak: Bool { bytes.contains(0x0A) }

    /// Whether the bytes hold the text. O(n), about a nanosecond a byte.
    func isFound(in text: UnsafeRawBufferPointer) -> Bool {
        guard isASCII || isExact else { return isFound(inSmallLettersOf: text) }
        return isFoundAsItIs(in: text)
    }

    /// A text of ASCII alone cannot have the others' letters.
    private func isFound(inSmallLettersOf text: UnsafeRawBufferPointer) -> Bool {
        guard text.contains(where: { $0 >= 0x80 }) else { return false }
        var small: [UInt8] = []
        small.reserveCapacity(text.count)
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if scalar.isASCII {
                small.append(read(UInt8(truncatingIfNeeded: scalar.value)))
            } else {
                small.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
            }
        }
        return small.withUnsafeBytes(isFoundAsItIs)
    }

    private func isFoundAsItIs(in text: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= bytes.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            let first = bytes[0]
            for place in 0...text.count - bytes.count where read(text[place]) == first {
                if matches(text, at: place, bytes) { return true }
            }
            return false
        }
    }

    @inline(__always)
    private func matches(_ text: UnsafeRawBufferPointer, at place: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 1
        while index < bytes.count {
            if read(text[place + index]) != bytes[index] { return false }
            index += 1
        }
        return true
    }

    @inline(__always)
    private func read(_ byte: UInt8) -> UInt8 { !isExact && byte &- 0x41 < 26 ? byte | 0x20 : byte }
}

extension SearchText {
    /// Whether one of a row's values means something that has the text.
    func isFound(in row: BrowsedRow, _ decoder: RowDecoder) -> Bool {
        // The texts of other columns are compared as they are.
        let others = row.columns.map(\.value).filter { if case .blob = $0.content { true } else { false } }
        for value in [row.object, row.metadata] + others {
            if let bytes = value?.bytes, bytes.withUnsafeBytes(isSurelyMissing) { continue }
            var text: [UInt8] = []
            decoder.appendSearchText(value, of: row, to: &text)
            if text.withUnsafeBytes({ isFound(in: $0) }) { return true }
        }
        return false
    }

    /// Whether a JSON value cannot contain the text, because its bytes do not: without escapes, JSON has its texts as they are.
    private func isSurelyMissing(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > 8, bytes[0] == UInt8(ascii: "{") || bytes[0] == UInt8(ascii: "["), bytes[1] != 0,
            !hasLineBreak
        else { return false }
        return !bytes.contains(UInt8(ascii: "\\")) && !isFound(in: bytes)
    }
}
