/// One key with the modifiers held while it is pressed.
///
/// Its name is the one in configuration files and in the help: `j`, `G`, `Ctrl-D`, `Alt-C`, `Alt-Enter`, `PgDn`, `F1`, `Space`. With Control or
/// Alt a letter is the key, in any case; `Alt-Shift-C` is the one with Shift.
public struct KeyStroke: Hashable, Sendable, CustomStringConvertible {
    /// The key.
    public var key: Key
    /// The modifiers held.
    public var modifiers: Modifiers

    /// Creates a stroke, without modifiers by default.
    /// - Parameters:
    ///   - key: the key.
    ///   - modifiers: the keys that are held with it.
    public init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    public var description: String {
        var name = ""
        if modifiers.contains(.control) { name += "Ctrl-" }
        if modifiers.contains(.alt) { name += "Alt-" }
        if modifiers.contains(.shift) || isShiftedLetter { name += "Shift-" }
        return name + keyName
    }

    /// Whether it is a letter with Alt and Shift, which terminals send as the capital letter with Alt.
    private var isShiftedLetter: Bool {
        guard case .character(let character) = key else { return false }
        return modifiers == .alt && character.isUppercase
    }

    private var keyName: String {
        switch key {
        case .character(" "): "Space"
        case .character(let character):
            modifiers.isDisjoint(with: [.control, .alt]) ? String(character) : character.uppercased()
        case .function(let number): "F\(number)"
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        default: Self.names.first { $0.value == key }?.key ?? "?"
        }
    }

    /// The names of keys that are not characters; a configuration file may write them in any case.
    static let names: [String: Key] = [
        "Enter": .enter, "Tab": .tab, "Esc": .escape, "Backspace": .backspace, "Del": .delete, "Ins": .insert,
        "Up": .up,
        "Down": .down, "Left": .left, "Right": .right, "Home": .home, "End": .end, "PgUp": .pageUp, "PgDn": .pageDown,
    ]
}

extension KeyStroke {
    /// Returns the strokes of a name: `ctrl-d` is one, `zz` is two. Nil if there is no such key.
    public static func parse(_ name: String) -> [KeyStroke]? {
        if let stroke = KeyStroke(named: name) { return [stroke] }
        // A misspelt key name must not be read as a sequence of its letters.
        guard !name.isEmpty, name.count <= maxStrokes, !name.contains("-"), Int(name.dropFirst()) == nil else {
            return nil
        }
        return name.map { KeyStroke(.character($0)) }
    }

    /// Returns the key of a name in any case: `ctrl-d`, `Shift-Tab`, `f1`, `space`, `g`.
    public init?(named name: String) {
        var rest = name[...]
        var modifiers: Modifiers = []
        while let (prefix, modifier) = Self.prefixes.first(where: { rest.lowercased().hasPrefix($0.0) }),
            rest.count > prefix.count
        {
            modifiers.insert(modifier)
            rest = rest.dropFirst(prefix.count)
        }
        guard let key = Self.key(named: String(rest)) else { return nil }
        if case .character(let character) = key, !modifiers.isDisjoint(with: [.control, .alt]) {
            let isShifted = modifiers == [.alt, .shift] && character.isLetter
            let letter = isShifted ? character.uppercased() : character.lowercased()
            // The capital of ß has two.
            self.init(.character(letter.count == 1 ? Character(letter) : character), isShifted ? .alt : modifiers)
        } else {
            self.init(key, modifiers)
        }
    }

    /// The most strokes of a sequence.
    private static let maxStrokes = 4

    private static let prefixes: [(String, Modifiers)] = [
        ("ctrl-", .control), ("c-", .control), ("alt-", .alt), ("meta-", .alt), ("shift-", .shift),
    ]

    private static let otherNames: [String: Key] = [
        "space": .character(" "), "hash": .character("#"), "escape": .escape, "delete": .delete, "insert": .insert,
        "pageup": .pageUp,
        "pagedown": .pageDown, "return": .enter,
    ]

    private static func key(named name: String) -> Key? {
        if name.count == 1, let character = name.first { return .character(character) }
        let lower = name.lowercased()
        if let key = names.first(where: { $0.key.lowercased() == lower })?.value { return key }
        if let key = otherNames[lower] { return key }
        guard lower.first == "f", let number = Int(lower.dropFirst()), (1...24).contains(number) else { return nil }
        return .function(number)
    }
}
