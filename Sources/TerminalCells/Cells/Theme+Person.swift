extension Theme {
    /// Returns the colour of a person's name, numbered by ``PersonColors``: readable on the background and on the
    /// selected row.
    ///
    /// `.terminal` if the terminal has no shades or its background is unknown, because no fixed colour is readable on
    /// all backgrounds.
    public func color(ofPerson number: Int) -> Color {
        guard shades == .palette else { return .terminal }
        let colors = background == .dark ? Self.peopleOnDark : Self.peopleOnLight
        return .palette(colors[number % colors.count])
    }

    /// Entries of the cube with a contrast of at least 4.5 to 1 against entry 236, without greys and reds, the most
    /// different first.
    private static let peopleOnDark: [UInt8] = [
        114, 213, 214, 46, 153, 180, 190, 51, 218, 228, 48, 147, 215, 45, 155, 158, 43, 116, 220, 149, 85, 76, 186, 77,
    ]

    /// Entries with that contrast against entry 254.
    private static let peopleOnLight: [UInt8] = [
        25, 22, 21, 52, 126, 18, 23, 94, 92, 53, 24, 26, 125, 127, 54, 58, 17, 93, 19, 89, 20, 55, 90, 91,
    ]
}

/// Assigns colours to people. Two people share one only if all are taken.
///
/// The same names in the same order get the same colours in every run.
public struct PersonColors: Hashable, Sendable {
    /// The number of colours.
    public static let count = 24
    private var numbers: [String: Int] = [:]

    /// Assigns colours to these names, in their order.
    public init(_ names: some Sequence<String> = []) {
        for name in names { _ = number(of: name) }
    }

    /// Returns the number of the person's colour. A new name gets a free one, if there is one.
    public mutating func number(of name: String) -> Int {
        if let number = numbers[name] { return number }
        let wanted = Int(Self.stableHash(of: name) % UInt64(Self.count))
        let taken = Set(numbers.values)
        let free = (0..<Self.count).lazy.map { (wanted + $0) % Self.count }.first { !taken.contains($0) }
        let number = free ?? wanted
        numbers[name] = number
        return number
    }

    /// Returns FNV-1a over the name's UTF-8, with the high half folded in. Swift's own hash differs from run to run.
    private static func stableHash(of name: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash ^ (hash >> 32)
    }
}
