extension [UInt8] {
    /// Appends a string in quotes, with escapes for what JSON does not allow between them and for DEL, which terminals do
    /// not like to meet.
    package mutating func appendJSON(_ string: String) {
        append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { appendEscaped($0) }
        append(UInt8(ascii: "\""))
    }

    /// Whole stretches without escapes are taken at once.
    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var plain = 0
        for (index, byte) in text.enumerated() where needsEscape[Int(byte)] {
            append(contentsOf: text[plain..<index])
            appendEscape(byte)
            plain = index + 1
        }
        append(contentsOf: text[plain...])
    }

    private mutating func appendEscape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0..<0x20, 0x7F:
            append(contentsOf: "u00".utf8)
            append(hexDigits[Int(byte >> 4)])
            append(hexDigits[Int(byte & 15)])
        default: append(byte)
        }
    }
}

private let hexDigits = Array("0123456789abcdef".utf8)
private let needsEscape = (0..<256).map { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0x7F }
