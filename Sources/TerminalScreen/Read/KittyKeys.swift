import TerminalCells

/// Keys in the form of kitty's protocol, `CSI number ; modifiers : event u`. A program that crashed may have left a terminal in it.
enum KittyKeys {
    /// The event of a key that is released.
    static let release = 3
    /// The numbers of keys that are no characters.
    static let functional = 57_344...63_743

    /// Returns what differs from the common form: keys of the keypad and others, and characters with their capital; nil for the rest.
    static func key(of sequence: ControlSequence, _ modifiers: Modifiers) -> (Key, Modifiers)? {
        guard let number = sequence.number(0) else { return nil }
        if let key = keys[number] { return (key, modifiers) }
        if (57_376...57_398).contains(number) { return (.function(number - 57_376 + 13), modifiers) }
        // Shift is in the character that it makes.
        guard modifiers.contains(.shift), !functional.contains(number), number > 32,
            let scalar = Unicode.Scalar(UInt32(sequence.number(0, part: 1) ?? number))
        else { return nil }
        let isGiven = sequence.number(0, part: 1) != nil
        guard isGiven || scalar.properties.isLowercase else { return nil }
        let character = isGiven ? Character(scalar) : Character(scalar).uppercased().first ?? Character(scalar)
        return (.character(character), modifiers.subtracting(.shift))
    }

    private static let keys: [Int: Key] = {
        var keys: [Int: Key] = [
            57_409: .character("."), 57_410: .character("/"), 57_411: .character("*"), 57_412: .character("-"),
            57_413: .character("+"), 57_414: .enter, 57_415: .character("="), 57_416: .character(","),
            57_417: .left, 57_418: .right, 57_419: .up, 57_420: .down, 57_421: .pageUp, 57_422: .pageDown,
            57_423: .home, 57_424: .end, 57_425: .insert, 57_426: .delete,
        ]
        for digit in 0...9 { keys[57_399 + digit] = .character(Character(String(digit))) }
        return keys
    }()
}
