extension KeyStroke {
    /// Returns the strokes of a name: `ctrl-d` is one, `zz` is two. Nil if there is no such key.
    public static func parse(_ name: String) -> [KeyStroke]? {
        if let stroke = KeyStroke(named: name) { return [stroke] }
        // A misspelt key name must not be read as a sequence of its letters.
        guard !name.isEmpty, name.count <= mostStrokes, !name.contains("-"), Int(name.dropFirst()) == nil else {
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
        if case .character(let character) = key, modifiers.contains(.control) {
            self.init(.character(Character(character.lowercased())), modifiers)
        } else {
            self.init(key, modifiers)
        }
    }

    /// The most strokes of a sequence.
    private static let mostStrokes = 4

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
