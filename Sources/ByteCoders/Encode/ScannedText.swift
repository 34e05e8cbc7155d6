/// A text, and what one pass over its bytes tells of them.
struct ScannedText {
    let bytes: UnsafeRawBufferPointer
    /// Quick to make for short texts, and different for most.
    let hash: UInt64
    let isASCII: Bool

    @inline(__always) init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        let count = bytes.count
        var hash = UInt64(truncatingIfNeeded: count) &* 0x9e37_79b9_7f4a_7c15
        var seen: UInt64 = 0
        func take(_ word: UInt64) {
            seen |= word
            hash = (hash ^ word) &* 0xff51_afd7_ed55_8ccd
            hash ^= hash >> 32
        }
        func word<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, at place: Int) -> UInt64 {
            UInt64(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: place, as: type))
        }
        if count >= 8 {
            for place in stride(from: 0, to: count - 8, by: 8) { take(word(UInt64.self, at: place)) }
            // The last eight bytes may be some of the ones before again.
            take(word(UInt64.self, at: count - 8))
        } else if count >= 4 {
            take(word(UInt32.self, at: 0) | word(UInt32.self, at: count - 4) << 32)
        } else if count > 0 {
            take(UInt64(bytes[0]) | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1]) << 16)
        }
        self.hash = hash ^ (hash >> 29)
        isASCII = seen & 0x8080_8080_8080_8080 == 0
    }
}
