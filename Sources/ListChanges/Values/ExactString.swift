/// A string that equals another only if their UTF-8 bytes are equal.
///
/// Swift treats "é" and "e" with a combining accent as the same string. SQLite does not, nor did the original: rows
/// whose keys differ only in that are two rows.
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
        let isSame = utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { other in
                UnsafeRawBufferPointer(one).hasSameBytes(as: UnsafeRawBufferPointer(other))
            }
        }
        // Only strings bridged on other platforms lack such storage.
        if let isSame, let isSame { return isSame }
        return utf8.elementsEqual(other.utf8)
    }

    func hashBytes(into hasher: inout Hasher) {
        let isHashed: Void? = utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil { for byte in utf8 { hasher.combine(byte) } }
        // Separates the end of one string from the beginning of the next.
        hasher.combine(0xff as UInt8)
    }
}

extension UnsafeRawBufferPointer {
    /// Compares eight bytes at a time, because rows are looked up by their keys all the time.
    fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        var place = 0
        while place + 8 <= count {
            let one = loadUnaligned(fromByteOffset: place, as: UInt64.self)
            if one != other.loadUnaligned(fromByteOffset: place, as: UInt64.self) { return false }
            place += 8
        }
        while place < count {
            if self[place] != other[place] { return false }
            place += 1
        }
        return true
    }
}
