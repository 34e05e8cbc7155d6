import TableModel

/// A terminal's answer to OSC 11: `ESC ] 11 ; rgb:RRRR/GGGG/BBBB`, in one to four hexadecimal digits each.
struct BackgroundReport {
    let background: Theme.Background

    /// - Parameter bytes: From the ESC on; the string's end may follow.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes.dropFirst(2).prefix { $0 > 0x20 }, as: UTF8.self)
        let prefix = ["11;rgb:", "11;rgba:"].first { text.hasPrefix($0) }
        guard let prefix else { return nil }
        let parts = text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        let levels = parts.prefix(3).compactMap(Self.level)
        guard levels.count == 3 else { return nil }
        // What the eye makes of red, green and blue.
        let brightness = 0.3 * levels[0] + 0.59 * levels[1] + 0.11 * levels[2]
        background = brightness < 0.5 ? .dark : .light
    }

    private static func level(_ digits: Substring) -> Double? {
        guard (1...4).contains(digits.count), let value = UInt32(digits, radix: 16) else { return nil }
        return Double(value) / Double((1 << (4 * digits.count)) - 1)
    }
}
