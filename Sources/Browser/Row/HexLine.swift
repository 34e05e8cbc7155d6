import ScreenPrograms

/// A hex dump in lines as long as the pane allows.
enum HexLine {
    /// Returns the width of offset, two digits and a blank for each byte, and a character for each.
    private static func width(of count: Int) -> Int { 8 + 1 + count * 3 + 1 + count }

    /// Returns 16 bytes if they fit, else 8 or 4.
    static func bytes(inWidth width: Int) -> Int { [16, 8].first { Self.width(of: $0) <= width } ?? 4 }

    static func count(of bytes: [UInt8], width: Int) -> Int {
        let perLine = Self.bytes(inWidth: width)
        return (bytes.count + perLine - 1) / perLine
    }

    static func line(_ bytes: [UInt8], row: Int, width: Int, theme: Theme) -> Line {
        let perLine = Self.bytes(inWidth: width)
        let start = row * perLine
        let part = bytes[min(start, bytes.count)..<min(start + perLine, bytes.count)]
        let number = String(start, radix: 16)
        let offset = String(repeating: "0", count: max(0, 7 - number.count)) + number
        let digits = part.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        let padding = String(repeating: " ", count: max(0, perLine * 3 - 1 - digits.count))
        let text = String(part.map { (0x20..<0x7F).contains($0) ? Character(Unicode.Scalar($0)) : "." })
        return [
            Run(offset + "  ", theme.secondary), Run(digits + padding + "  "), Run(text, theme.secondary),
        ]
    }
}
