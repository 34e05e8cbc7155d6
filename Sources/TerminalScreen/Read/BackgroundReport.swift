import TerminalCells

/// A terminal's answer to OSC 11: `ESC ] 11 ; rgb:RRRR/GGGG/BBBB`, in one to four hexadecimal digits each.
struct BackgroundReport {
    let background: Theme.Background

    /// - Parameter bytes: The answer from the ESC on; the terminator of the string may follow.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes.dropFirst(2).prefix { $0 > 0x20 }, as: UTF8.self)
        let prefix = ["11;rgb:", "11;rgba:"].first { text.hasPrefix($0) }
        guard let prefix else { return nil }
        let parts = text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        let levels = parts.prefix(3).compactMap(Self.level)
        guard levels.count == 3 else { return nil }
        let color = levels.map { Int(($0 * 255).rounded()) }
        background = Theme.Background(RGB(red: color[0], green: color[1], blue: color[2]))
    }

    private static func level(_ digits: Substring) -> Double? {
        guard (1...4).contains(digits.count), let value = UInt32(digits, radix: 16) else { return nil }
        return Double(value) / Double((1 << (4 * digits.count)) - 1)
    }
}
