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

    /// Entries of the cube that are at least 3 to 1 against black and against white, without greys and pure reds.
    private static let people: [UInt8] = [
        28, 29, 30, 31, 32, 33, 62, 63, 64, 67, 68, 69, 92, 97, 98, 99, 100, 126, 127, 128, 129, 130, 132, 133, 134,
        135,
        136, 137, 163, 164, 166, 168, 169, 170, 171,
    ]

    /// FNV-1a over the name's UTF-8, with the high half folded in: Swift's own hash differs from run to run.
    private static func stableHash(of name: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash ^ (hash >> 32)
    }
}
