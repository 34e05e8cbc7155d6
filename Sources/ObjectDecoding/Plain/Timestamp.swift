/// The eight bytes of YapDatabase's timestamp serializer: seconds since 2001 as a `Double` of little endian.
enum Timestamp {
    /// Nil unless there are eight bytes.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> Double? {
        guard bytes.count == 8 else { return nil }
        return Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
    }

    /// Whether it is a date that an app may have stored: from 1874 to 2127, and not a moment that only bytes with another
    /// meaning have.
    static func isLikely(_ seconds: Double) -> Bool { seconds == 0 || (1...4e9).contains(abs(seconds)) }
}
