/// Writes numbers, texts and bytes in sequence, for ``ByteReader``.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Seven bits a byte, lowest first, so that small numbers take one byte.
    package mutating func write(_ value: Int) {
        var remaining = UInt64(bitPattern: Int64(value))
        while remaining >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: remaining) | 0x80)
            remaining >>= 7
        }
        bytes.append(UInt8(remaining))
    }

    package mutating func write(_ text: String) {
        write(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes the count, then the bytes.
    package mutating func write(_ content: [UInt8]) {
        write(content.count)
        bytes += content
    }
}
