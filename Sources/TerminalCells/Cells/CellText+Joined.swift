/// Emoji that joiners make one picture, in the twelve bytes of a cell: a byte that no UTF-8 has, then for each of up to four emoji its
/// number (14 bits), its skin tone (3 bits, 0 for none) and whether a selector follows (1 bit). The joiners follow from that.
extension CellText {
    private static let mark: UInt64 = 0xFF
    private static let (most, bits) = (4, 18)
    private static let firstTone: UInt32 = 0x1F3FB

    /// - Returns: nil for a cluster that is something else, or has more parts.
    init?(packing character: Character) {
        var parts: [UInt32] = []
        for scalar in character.unicodeScalars {
            if scalar.isJoiner { continue }
            if scalar.isSkinTone, let last = parts.indices.last {
                parts[last] |= (scalar.value - Self.firstTone + 1) << 14
            } else if scalar.asksForPicture, let last = parts.indices.last {
                parts[last] |= 1 << 17
            } else if let number = Self.number(of: scalar), parts.count < Self.most {
                parts.append(number)
            } else {
                return nil
            }
        }
        self.init()
        bytes = Self.mark
        for (index, part) in parts.prefix(3).enumerated() { bytes |= UInt64(part) << (8 + index * Self.bits) }
        moreBytes = parts.count == Self.most ? parts[3].littleEndian : 0
        bytes = bytes.littleEndian
        // The parts may stand in another order, or a joiner at the end.
        guard joined == character else { return nil }
    }

    /// The cluster, if it is packed.
    var joined: Character? {
        let packed = UInt64(littleEndian: bytes)
        guard packed & 0xFF == Self.mark else { return nil }
        let few = (0..<3).map { UInt32(packed >> (8 + $0 * Self.bits) & (1 << Self.bits - 1)) }
        var text = String.UnicodeScalarView()
        for part in few + [UInt32(littleEndian: moreBytes)] where part != 0 {
            if !text.isEmpty { text.append("\u{200D}") }
            text.append(Self.scalar(of: part & 0x3FFF))
            if case let tone = part >> 14 & 7, tone > 0 { text.append(Unicode.Scalar(Self.firstTone + tone - 1)!) }
            if part >> 17 != 0 { text.append("\u{FE0F}") }
        }
        return Character(String(text))
    }

    /// The pictures above U+1F000 follow those below U+3300.
    private static func number(of scalar: Unicode.Scalar) -> UInt32? {
        guard scalar.isPictographic else { return nil }
        return scalar.value < 0x3300 ? scalar.value : scalar.value - 0x1F000 + 0x3300
    }

    private static func scalar(of number: UInt32) -> Unicode.Scalar {
        Unicode.Scalar(number < 0x3300 ? number : number - 0x3300 + 0x1F000) ?? "\u{FFFD}"
    }
}
