import ByteFormats

/// Recognizes and decodes text.
enum PlainText {
    /// Decodes UTF-8, without its optional byte order mark, or UTF-16 with a byte order mark. Nil for other bytes.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> String? {
        if let text = utf16(bytes, needsMark: true) { return text }
        return String(validating: withoutMark(bytes), as: UTF8.self)
    }

    /// Returns UTF-8 bytes without their optional byte order mark.
    static func withoutMark(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        bytes.starts(with: utf8Mark) ? bytes.dropFirst(utf8Mark.count) : bytes[...]
    }

    /// Returns the text if it has no control characters except for layout.
    static func readable(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard !bytes.contains(where: isControl) else { return utf16(bytes, needsMark: true) }
        return decode(bytes)
    }

    /// Whether `readable` would return the bytes unchanged except for the byte order mark. For bytes that are not
    /// UTF-16.
    static func isReadable(_ bytes: UnsafeRawBufferPointer) -> Bool {
        !bytes.contains(where: isControl) && UnsafeRawBufferPointer(rebasing: withoutMark(bytes)).isUTF8
    }

    /// Whether the bytes begin like UTF-16, with a byte order mark or an ASCII character.
    static func mayBeUTF16(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 2, bytes.count.isMultiple(of: 2) else { return false }
        return (bytes[0], bytes[1]) == (0xff, 0xfe) || (bytes[0], bytes[1]) == (0xfe, 0xff)
            || (bytes[0] == 0) != (bytes[1] == 0)
    }

    /// Decodes UTF-16 with a byte order mark; without one only if the first character is ASCII, as in JSON.
    static func utf16(_ bytes: UnsafeRawBufferPointer, needsMark: Bool) -> String? {
        guard bytes.count >= 2, bytes.count.isMultiple(of: 2) else { return nil }
        let (first, second) = (bytes[0], bytes[1])
        let isLittle: Bool
        let start: Int
        switch (first, second) {
        case (0xff, 0xfe): (isLittle, start) = (true, 2)
        case (0xfe, 0xff): (isLittle, start) = (false, 2)
        case (0, 1...0x7f) where !needsMark: (isLittle, start) = (false, 0)
        case (1...0x7f, 0) where !needsMark: (isLittle, start) = (true, 0)
        default: return nil
        }
        let units = stride(from: start, to: bytes.count, by: 2).map { place in
            let unit = bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)
            return isLittle ? UInt16(littleEndian: unit) : UInt16(bigEndian: unit)
        }
        return String(validating: units, as: UTF16.self)
    }

    private static let utf8Mark: [UInt8] = [0xef, 0xbb, 0xbf]

    private static func isControl(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x0A, 0x0C, 0x0D, 0x1B: false
        default: byte < 0x20 || byte == 0x7f
        }
    }
}
