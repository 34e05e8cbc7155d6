extension Theme {
    /// A colour for a person's name, by ``PersonColors``: readable on the background and on the selected row.
    ///
    /// `.terminal` where the terminal has no shades or its background is not known: no fixed colour can be read on all.
    public func color(ofPerson number: Int) -> Color {
        guard shades == .palette else { return .terminal }
        let colors = background == .dark ? Self.peopleOnDark : Self.peopleOnLight
        return .palette(colors[number % colors.count])
    }

    /// Entries of the cube that are at least 4.5 to 1 against entry 236, without greys and reds, the most different first.
    private static let peopleOnDark: [UInt8] = [
        114, 213, 214, 46, 153, 180, 190, 51, 218, 228, 48, 147, 215, 45, 155, 158, 43, 116, 220, 149, 85, 76, 186, 77,
    ]

    /// The same against entry 254.
    private static let peopleOnLight: [UInt8] = [
        25, 22, 21, 52, 126, 18, 23, 94, 92, 53, 24, 26, 125, 127, 54, 58, 17, 93, 19, 89, 20, 55, 90, 91,
    ]
}

/// Which colour is whose: two people share one only when all are taken.
///
/// The same names in the same order have the same colours in every run.
public struct PersonColors: Hashable, Sendable {
    /// How many there are.
    public static let count = 24
    private var numbers: [String: Int] = [:]

    public init(_ names: some Sequence<String> = []) {
        for name in names { _ = number(of: name) }
    }

    /// The number of the person's colour; a name that was not seen before gets one that is free, if there is one.
    public mutating func number(of name: String) -> Int {
        if let number = numbers[name] { return number }
        let wanted = Int(Self.stableHash(of: name) % UInt64(Self.count))
        let taken = Set(numbers.values)
        let free = (0..<Self.count).lazy.map { (wanted + $0) % Self.count }.first { !taken.contains($0) }
        let number = free ?? wanted
        numbers[name] = number
        return number
    }

    /// FNV-1a over the name's UTF-8, with the high half folded in: Swift's own hash differs from run to run.
    private static func stableHash(of name: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash ^ (hash >> 32)
    }
}
