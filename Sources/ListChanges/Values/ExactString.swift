/// A string that equals another only when their UTF-8 bytes do.
///
/// Swift takes "é" and "e" with a combining accent for the same string. SQLite does not, and neither did the original: rows
/// whose keys differ in nothing else are two rows.
package struct ExactString: Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }
}

extension ExactString: Hashable {
    package static func == (one: ExactString, other: ExactString) -> Bool { one.text.hasSameBytes(as: other.text) }

    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
    package func hasSameBytes(as other: String) -> Bool {
        // Equal strings of different bytes are rare, and unequal ones are told apart by Swift's own fast path.
        self == other && utf8.elementsEqual(other.utf8)
    }

    func hashBytes(into hasher: inout Hasher) {
        let isHashed: Void? = utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil { for byte in utf8 { hasher.combine(byte) } }
        // So that the end of one string is not the beginning of the next.
        hasher.combine(0xff as UInt8)
    }
}
