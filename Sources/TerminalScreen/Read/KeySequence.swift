import TerminalCells

/// The keys of the sequences that most terminals share.
enum KeySequence {
    /// Returns the key of `ESC O x`.
    static func keypad(_ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "I"): .tab
        // The digits and signs of a keypad in application mode.
        case UInt8(ascii: "j")...UInt8(ascii: "y"): .character(Character(Unicode.Scalar(final - 0x40)))
        case UInt8(ascii: "X"): .character("=")
        default: letters[final]
        }
    }

    /// Returns the key and modifiers of `ESC [ … x`; nil for the release of a key, which kitty's protocol reports.
    static func key(of sequence: ControlSequence) -> (Key, Modifiers)? {
        guard sequence.isPlain, sequence.number(1, part: 1) != KittyKeys.release else { return nil }
        let modifiers = modifiers(sequence.number(1))
        switch sequence.final {
        case UInt8(ascii: "~"): return tilde(sequence)
        case UInt8(ascii: "^"): return numbered(sequence.number(0)).map { ($0, .control) }
        case UInt8(ascii: "@"): return numbered(sequence.number(0)).map { ($0, [.control, .shift]) }
        case UInt8(ascii: "Z"): return (.tab, modifiers.union(.shift))
        case UInt8(ascii: "u"):
            if let key = KittyKeys.key(of: sequence, modifiers) { return key }
            return character(sequence.number(0)).map { ($0, modifiers) }
        case UInt8(ascii: "a")...UInt8(ascii: "d"): return letters[sequence.final - 0x20].map { ($0, .shift) }
        default: return letters[sequence.final].map { ($0, modifiers) }
        }
    }

    private static func tilde(_ sequence: ControlSequence) -> (Key, Modifiers)? {
        // xterm's form for keys without a sequence of their own.
        if sequence.number(0) == 27 {
            return character(sequence.number(2)).map { ($0, modifiers(sequence.number(1))) }
        }
        return numbered(sequence.number(0)).map { ($0, modifiers(sequence.number(1))) }
    }

    private static let letters: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end,
        UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2),
        UInt8(ascii: "R"): .function(3), UInt8(ascii: "S"): .function(4),
    ]

    private static func numbered(_ number: Int?) -> Key? {
        switch number ?? 0 {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case let number where (11...15).contains(number): .function(number - 10)
        case let number where (17...21).contains(number): .function(number - 11)
        case let number where (23...26).contains(number): .function(number - 12)
        case 28, 29: .function((number ?? 0) - 13)
        case let number where (31...34).contains(number): .function(number - 14)
        default: nil
        }
    }

    /// Returns the key of a character's number.
    private static func character(_ number: Int?) -> Key? {
        guard let number, let scalar = Unicode.Scalar(UInt32(number)) else { return nil }
        switch number {
        case 9: return .tab
        case 10, 13: return .enter
        case 27: return .escape
        case 8, 127: return .backspace
        case 0..<32, 0x80..<0xA0, KittyKeys.functional: return nil
        default: return .character(Character(scalar))
        }
    }

    /// Returns the modifiers of xterm's parameter, which is the sum of 1, 2 and 4, plus one; Meta, 8, counts as Alt.
    private static func modifiers(_ parameter: Int?) -> Modifiers {
        let bits = (parameter ?? 1) - 1
        var result: Modifiers = []
        guard bits > 0 else { return result }
        if bits & 1 != 0 { result.insert(.shift) }
        if bits & 0b1010 != 0 { result.insert(.alt) }
        if bits & 4 != 0 { result.insert(.control) }
        return result
    }
}
