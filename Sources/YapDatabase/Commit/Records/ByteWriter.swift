/// Writes numbers and texts one after the other; ``ByteReader`` reads them back.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    /// Seven bits a byte, the lowest first: small numbers take one.
    mutating func write(_ value: Int) {
        var rest = UInt64(bitPattern: Int64(value))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func write(_ text: String) {
        write(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }
}
