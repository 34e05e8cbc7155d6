/// One key with the modifiers held while it is pressed.
///
/// Its name is the one in configuration files and in the help: `j`, `G`, `Ctrl-D`, `Alt-Enter`, `PgDn`, `F1`, `Space`.
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
        if modifiers.contains(.shift) { name += "Shift-" }
        return name + keyName
    }

    private var keyName: String {
        switch key {
        case .character(" "): "Space"
        case .character(let character): modifiers.contains(.control) ? character.uppercased() : String(character)
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
