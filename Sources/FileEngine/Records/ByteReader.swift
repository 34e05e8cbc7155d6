/// Reads what ``ByteWriter`` wrote; nil, and nothing more, where the bytes make no sense.
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

    /// A number of things that follow, each of which takes at least a byte.
    package mutating func count() -> Int? {
        guard let count = int(), count >= 0, count <= bytes.endIndex - position else { return nil }
        return count
    }

    /// A position in a list that fits into memory.
    package mutating func index() -> Int? {
        guard let index = int(), index >= 0, index <= Int(Int32.max) else { return nil }
        return index
    }

    /// Bytes after their number.
    package mutating func data() -> ArraySlice<UInt8>? {
        guard let count = count() else { return nil }
        defer { position += count }
        return bytes[position..<(position + count)]
    }

    /// What was not read yet.
    var remaining: ArraySlice<UInt8> { bytes[position...] }

    package mutating func text() -> String? {
        data().flatMap { String(validating: $0, as: UTF8.self) }
    }
}
