import ByteFormats

/// Base64 according to RFC 4648.
package enum Base64 {
    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The two digits for each value of twelve bits.
    private static let pairs: [UInt16] = (0..<4_096).map { bits in
        UInt16(littleEndian: UInt16(alphabet[bits >> 6]) | UInt16(alphabet[bits & 63]) << 8)
    }

    static func append(_ data: [UInt8], to bytes: inout [UInt8]) {
        data.withUnsafeBytes { append($0, to: &bytes) }
    }

    static func append(_ data: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        let start = bytes.count
        let size = (data.count + 2) / 3 * 4
        bytes.appendZeros(size)
        bytes.withUnsafeMutableBytes { text in
            pairs.withUnsafeBufferPointer { pairs in
                var (place, target) = (0, start)
                while data.count - place >= 3 {
                    let group = Int(data[place]) << 16 | Int(data[place + 1]) << 8 | Int(data[place + 2])
                    text.storeBytes(of: pairs[group >> 12], toByteOffset: target, as: UInt16.self)
                    text.storeBytes(of: pairs[group & 4_095], toByteOffset: target + 2, as: UInt16.self)
                    place += 3
                    target += 4
                }
                guard place < data.count else { return }
                let second = data.count - place > 1 ? Int(data[place + 1]) : 0
                let group = Int(data[place]) << 16 | second << 8
                text.storeBytes(of: pairs[group >> 12], toByteOffset: target, as: UInt16.self)
                text[target + 2] = data.count - place > 1 ? alphabet[group >> 6 & 63] : padding
                text[target + 3] = padding
            }
        }
    }

    private static let padding = UInt8(ascii: "=")

    /// Appends the decoded bytes; returns false unless the text is strict base64: complete groups of four, padding at
    /// the end only, no white space.
    package static func decode(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) -> Bool {
        guard text.count % 4 == 0 else { return false }
        guard !text.isEmpty else { return true }
        let missing = text[text.count - 1] != padding ? 0 : text[text.count - 2] != padding ? 1 : 2
        let whole = missing == 0 ? text.count : text.count - 4
        let start = bytes.count
        bytes.appendZeros(whole / 4 * 3)
        // Accumulates digit values; the highest bit marks a byte that is not a digit.
        var seen: UInt8 = 0
        bytes.withUnsafeMutableBytes { bytes in
            digits.withUnsafeBufferPointer { digits in
                var (place, target) = (0, start)
                while place < whole {
                    let (a, b) = (digits[Int(text[place])], digits[Int(text[place + 1])])
                    let (c, d) = (digits[Int(text[place + 2])], digits[Int(text[place + 3])])
                    seen |= a | b | c | d
                    bytes[target] = a << 2 | b >> 4
                    bytes[target + 1] = b << 4 | c >> 2
                    bytes[target + 2] = c << 6 | d
                    place += 4
                    target += 3
                }
            }
        }
        if missing > 0 {
            let (a, b) = (digits[Int(text[whole])], digits[Int(text[whole + 1])])
            let c = missing == 1 ? digits[Int(text[whole + 2])] : 0
            seen |= a | b | c
            bytes.append(a << 2 | (b & 0x3F) >> 4)
            if missing == 1 { bytes.append(b << 4 | (c & 0x3F) >> 2) }
        }
        return seen & 0x80 == 0
    }

    /// The value of each digit; 128 for other bytes.
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: 0x80, count: 256)
        for (value, character) in alphabet.enumerated() { digits[Int(character)] = UInt8(value) }
        return digits
    }()
}
