import ByteFormats

/// Makes text from a file safe for a terminal: it must neither control the terminal nor reorder or hide the text around
/// it.
package enum TerminalSafe {
    /// Whether a character is a C0 or C1 control, DEL, a mark that changes the direction of text, or has no width.
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x2069, 0xfeff: true
        default: false
        }
    }

    /// Returns JSON with the unsafe characters of its strings as escapes. JSON itself requires escapes below 32 only.
    package static func json(_ bytes: [UInt8]) -> [UInt8] {
        var safe: [UInt8] = []
        safe.reserveCapacity(bytes.count + 16)
        bytes.withUnsafeBytes { safe.append(json: $0) }
        return safe
    }

    /// Returns text of several lines with all other unsafe characters made visible.
    package static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }.joined(separator: "\n")
    }

    /// Returns text for one line with unsafe characters made visible: `\n`, `\u{1b}`.
    package static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var line: [UInt8] = []
        Array(text.utf8).withUnsafeBytes { append(line: $0, to: &line) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Appends text for one line, as valid UTF-8.
    static func append(line text: UnsafeRawBufferPointer, to line: inout [UInt8]) {
        var plain = 0
        var place = 0
        while place < text.count {
            let byte = text[place]
            let isControl = byte < 0x20 || byte == 0x7f
            guard let found = isControl ? (UInt32(byte), 1) : text.unsafeScalar(at: place) else {
                place += 1
                continue
            }
            line.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[plain..<place]))
            line += visible(found.0).utf8
            place += found.1
            plain = place
        }
        line.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[plain...]))
    }

    private static func visible(_ scalar: UInt32) -> String {
        switch scalar {
        case 0x0A: "\\n"
        case 0x0D: "\\r"
        case 0x09: "\\t"
        default: "\\u{\(String(scalar, radix: 16))}"
        }
    }

    /// Returns the number of characters in UTF-8 bytes.
    static func characters(_ bytes: ArraySlice<UInt8>) -> Int {
        let isASCII = bytes.withUnsafeBytes { $0.isASCII }
        return isASCII ? bytes.count : String(decoding: bytes, as: UTF8.self).count
    }
}
