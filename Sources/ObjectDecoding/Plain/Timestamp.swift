/// The eight bytes of YapDatabase's timestamp serializer: seconds since 2001 as a little-endian `Double`.
enum Timestamp {
    /// Returns the seconds; nil unless there are eight bytes.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> Double? {
        guard bytes.count == 8 else { return nil }
        return Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
    }

    /// Whether an app may have stored this date: it is between 1874 and 2127, and not so close to 2001 that the bytes
    /// probably mean something else.
    static func isLikely(_ seconds: Double) -> Bool { seconds == 0 || (1...4e9).contains(abs(seconds)) }
}
