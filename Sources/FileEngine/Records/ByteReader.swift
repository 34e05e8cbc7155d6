/// Reads what ``ByteWriter`` wrote. Every function returns nil for invalid bytes.
package struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package mutating func int() -> Int? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.endIndex, shift < 64 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return Int(truncatingIfNeeded: value) }
            shift += 7
        }
        return nil
    }

    /// The number of elements that follow, each of at least one byte.
    package mutating func count() -> Int? {
        guard let count = int(), count >= 0, count <= bytes.endIndex - position else { return nil }
        return count
    }

    /// A position in a list that fits into memory.
    package mutating func index() -> Int? {
        guard let index = int(), index >= 0, index <= Int(Int32.max) else { return nil }
        return index
    }

    /// Bytes, preceded by their count.
    package mutating func data() -> ArraySlice<UInt8>? {
        guard let count = count() else { return nil }
        defer { position += count }
        return bytes[position..<(position + count)]
    }

    /// Whether every byte was read.
    package var isAtEnd: Bool { position >= bytes.endIndex }

    /// The bytes not read yet.
    var remaining: ArraySlice<UInt8> { bytes[position...] }

    package mutating func text() -> String? {
        data().flatMap { String(validating: $0, as: UTF8.self) }
    }
}
