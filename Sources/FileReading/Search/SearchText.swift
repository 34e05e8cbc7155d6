import ObjectDecoding

/// What is searched for, as bytes. Letters of ASCII match in either case unless the text itself has a capital.
package struct SearchText: Hashable, Sendable {
    private let bytes: [UInt8]
    private let isExact: Bool

    /// The text must not be empty.
    package init(_ text: String) {
        precondition(!text.isEmpty, "There is nothing to search for.")
        isExact = text.utf8.contains { (0x41...0x5a).contains($0) }
        bytes = Array(text.utf8)
    }

    /// Whether the text spans lines.
    var hasLineBreak: Bool { bytes.contains(0x0A) }

    /// Whether the bytes hold the text. O(n), about a nanosecond a byte.
    package func isFound(in text: UnsafeRawBufferPointer) -> Bool {
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
        for value in [row.object, row.metadata] {
            if let bytes = value?.bytes, bytes.withUnsafeBytes(isSurelyMissing) { continue }
            var text: [UInt8] = []
            decoder.appendSearchText(value, of: row, to: &text)
            if text.withUnsafeBytes({ isFound(in: $0) }) { return true }
        }
        return false
    }

    /// Whether JSON cannot have the text, because its bytes do not: what it means stands in them as it is, but for escapes.
    private func isSurelyMissing(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > 8, bytes[0] == UInt8(ascii: "{") || bytes[0] == UInt8(ascii: "["), bytes[1] != 0,
            !hasLineBreak
        else { return false }
        return !bytes.contains(UInt8(ascii: "\\")) && !isFound(in: bytes)
    }
}
