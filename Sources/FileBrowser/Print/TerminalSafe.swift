/// Text from a file must not reach a terminal as an order, nor reorder or hide what stands around it.
package enum TerminalSafe {
    /// C0 and C1 controls, DEL, marks that change the direction of text, and what has no width.
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x2069, 0xfeff: true
        default: false
        }
    }

    /// Whether UTF-8 may hold anything unsafe: told by the first bytes of what is.
    private static func mayBeUnsafe(_ bytes: [UInt8]) -> Bool {
        bytes.contains { $0 < 0x20 || $0 == 0x7f || $0 == 0xc2 || $0 == 0xe2 || $0 == 0xef }
    }

    /// JSON with the unsafe characters of its strings as escapes. JSON itself escapes those below 32 alone.
    static func json(_ bytes: [UInt8]) -> [UInt8] {
        guard mayBeUnsafe(bytes) else { return bytes }
        var safe: [UInt8] = []
        safe.reserveCapacity(bytes.count + 16)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if isUnsafe(scalar) {
                let digits = String(scalar.value, radix: 16)
                safe += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
            } else {
                safe += Array(String(scalar).utf8)
            }
        }
        return safe
    }

    /// Text of several lines, in which everything else that is unsafe can be seen.
    package static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }.joined(separator: "\n")
    }

    /// Text for one line, in which everything unsafe can be seen: `\n`, `\u{1b}`.
    static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            case _ where isUnsafe(scalar): line += "\\u{\(String(scalar.value, radix: 16))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}
