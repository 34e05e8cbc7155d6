extension Theme {
    /// A colour for a person's name: always the same for the same name, readable on dark and on light backgrounds.
    ///
    /// `.terminal` in monochrome. The empty name has a colour as well.
    public func color(ofPerson name: String) -> Color {
        let hash = Self.stableHash(of: name)
        switch depth {
        case .monochrome: return .terminal
        case .eight, .sixteen: return .palette([1, 2, 3, 5, 6][Int(hash % 5)])
        case .palette: return .palette(Self.people[Int(hash % UInt64(Self.people.count))])
        }
    }

    /// Entries of the cube of middle lightness: at least 3 to 1 against black and against white.
    private static let people: [UInt8] = [
        32, 33, 36, 61, 62, 63, 67, 68, 70, 71, 97, 98, 99, 103, 104, 106, 127, 128, 131, 132, 133, 136, 137, 160,
        161, 163, 166, 167, 168, 169, 170, 172,
    ]

    /// FNV-1a over the name's UTF-8, with the high half folded in: Swift's own hash differs from run to run.
    private static func stableHash(of name: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash ^ (hash >> 32)
    }
}
