/// Reads what ``ByteWriter`` wrote; nil, and nothing more, where the bytes make no sense.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    mutating func int() -> Int? {
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
    mutating func count() -> Int? {
        guard let count = int(), count >= 0, count <= bytes.endIndex - position else { return nil }
        return count
    }

    /// A position in a list that fits into memory.
    mutating func index() -> Int? {
        guard let index = int(), index >= 0, index <= Int(Int32.max) else { return nil }
        return index
    }

    mutating func text() -> String? {
        guard let count = count() else { return nil }
        defer { position += count }
        return String(validating: bytes[position..<(position + count)], as: UTF8.self)
    }
}
