import ByteFormats

/// The usual cases of ``PropertyListTable``, in the target that asks for them: the compiler inlines nothing of another target, and a
/// value of six fields takes twenty calls.
extension PropertyListTable {
    /// The bytes of a text of up to 255 characters that is marked as ASCII, as most keys and texts are; nil for every other object,
    /// which ``object(_:)`` tells apart.
    @inline(__always) func plainText(_ index: Int) -> UnsafeRawBufferPointer? {
        guard index >= 0, index < count else { return nil }
        let place = number(tableStart + index * offsetWidth, offsetWidth)
        guard place >= 8, place < tableStart, bytes[place] >> 4 == 0x5 else { return nil }
        var (start, length) = (place + 1, Int(bytes[place] & 0x0f))
        if length == 0x0f {
            // The length is an integer of one byte. The trailer is behind the table, so that both bytes are there.
            guard bytes[start] == 0x10 else { return nil }
            (start, length) = (start + 2, Int(bytes[start + 1]))
        }
        return length <= tableStart - start ? UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]) : nil
    }

    /// The index of a child, as ``reference(_:_:)`` returns it.
    @inline(__always) func child(_ list: ValueReader.Children, _ place: Int) -> Int {
        let reference = number(list.start + place * referenceWidth, referenceWidth)
        return reference >= 0 && reference < count ? reference : count
    }

    /// A number of the width that the trailer names; negative for one that is too large.
    @inline(__always) private func number(_ start: Int, _ width: Int) -> Int {
        if width == 1 { return Int(bytes[start]) }
        if width == 2 { return Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt16.self))) }
        var number: UInt64 = 0
        for place in start..<start + width { number = number << 8 | UInt64(bytes[place]) }
        return Int(truncatingIfNeeded: number)
    }
}
