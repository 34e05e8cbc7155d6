extension [UInt8] {
    /// Appends a string in quotes, with escapes for what JSON does not allow between them, and for DEL, which is unsafe
    /// on terminals.
    package mutating func appendJSON(_ string: String) {
        var string = string
        string.withUTF8 { appendJSON(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// Appends a string in quotes.
    /// - Parameters:
    ///   - text: valid UTF-8.
    ///   - isTerminalSafe: whether characters that could control a terminal, or be invisible there, are escaped too.
    mutating func appendJSON(utf8 text: UnsafeRawBufferPointer, isTerminalSafe: Bool = false) {
        append(UInt8(ascii: "\""))
        appendEscaped(text, isTerminalSafe: isTerminalSafe)
        append(UInt8(ascii: "\""))
    }

    /// Appends a string without quotes. Copies stretches without escapes as a whole.
    package mutating func appendEscaped(_ text: UnsafeRawBufferPointer, isTerminalSafe: Bool) {
        var plain = 0
        var place = text.firstSpecial(from: 0, orNonASCII: isTerminalSafe)
        while place < text.count {
            let byte = text[place]
            var end = place + 1
            if byte < 0x80 {
                append(contentsOf: UnsafeRawBufferPointer(rebasing: text[plain..<place]))
                appendEscape(byte)
                plain = end
            } else if let (scalar, length) = text.unsafeScalar(at: place) {
                append(contentsOf: UnsafeRawBufferPointer(rebasing: text[plain..<place]))
                appendEscape(scalar)
                end = place + length
                plain = end
            } else {
                while end < text.count, text[end] >= 0x80, !UnsafeRawBufferPointer.beginsUnsafe(text[end]) { end += 1 }
            }
            place = text.firstSpecial(from: end, orNonASCII: isTerminalSafe)
        }
        append(contentsOf: UnsafeRawBufferPointer(rebasing: text[plain...]))
    }

    private mutating func appendEscape(_ byte: UInt8) {
        switch byte {
        case 0x08: append(contentsOf: "\\b".utf8)
        case 0x09: append(contentsOf: "\\t".utf8)
        case 0x0A: append(contentsOf: "\\n".utf8)
        case 0x0C: append(contentsOf: "\\f".utf8)
        case 0x0D: append(contentsOf: "\\r".utf8)
        case 0..<0x20, 0x7F: appendEscape(UInt32(byte))
        default:
            append(UInt8(ascii: "\\"))
            append(byte)
        }
    }

    private mutating func appendEscape(_ scalar: UInt32) {
        append(contentsOf: "\\u".utf8)
        for shift: UInt32 in [12, 8, 4, 0] { append(hexDigits[Int(scalar >> shift & 15)]) }
    }
}

private let hexDigits = Array("0123456789abcdef".utf8)

extension [UInt8] {
    /// Appends zeros, to be overwritten. Those of `repeatElement` are appended one by one in debug builds, a megabyte in a second.
    package mutating func appendZeros(_ count: Int) {
        var left = count
        while left > 0 {
            let part = zeros.prefix(left)
            append(contentsOf: part)
            left -= part.count
        }
    }
}

private let zeros = [UInt8](repeating: 0, count: 1 << 16)
