/// The bindings of keys to actions. The help, the hint line and the configuration file are derived from them.
public struct KeyMap: Hashable, Sendable {
    /// An action, its keys and its texts.
    public struct Binding: Hashable, Sendable {
        /// What the keys do.
        public var action: Action
        /// The text in the help.
        public var help: String
        /// A word for the hint line; empty for an action that only the help lists.
        public var hint: String
        /// The sequences of strokes that trigger the action; hints show the first.
        public var keys: [[KeyStroke]]

        /// - Parameter keys: Names of keys as in a configuration file; a misspelt name is a programming error.
        public init(_ action: Action, _ keys: [String], _ help: String, hint: String = "") {
            self.action = action
            self.help = help
            self.hint = hint
            self.keys = keys.map { name in
                guard let strokes = KeyStroke.parse(name) else { preconditionFailure("there is no key named \(name)") }
                return strokes
            }
        }
    }

    /// In the order of the help.
    public internal(set) var bindings: [Binding]
    /// Whether keys that write a character go into a text field. Such keys cannot be bound here, or they could not be
    /// typed.
    public let isForTyping: Bool

    /// Creates a map whose help has the order of `bindings`.
    /// - Parameters:
    ///   - bindings: the keys of each action, in the order of the help.
    ///   - isForTyping: whether keys that write a character are left to a text field.
    public init(_ bindings: [Binding], isForTyping: Bool = false) {
        self.bindings = bindings
        self.isForTyping = isForTyping
    }

    /// The binding of an action; nil if the map does not have it.
    public subscript(action: Action) -> Binding? { bindings.first { $0.action == action } }

    /// Returns this map with the bindings of another appended. If both have an action or a key, the other's binding
    /// counts.
    public func merging(_ other: KeyMap) -> KeyMap {
        var merged = self
        for binding in other.bindings { merged.bindings.removeAll { $0.action == binding.action } }
        for keys in other.bindings.flatMap(\.keys) { merged.unbind(keys) }
        merged.bindings += other.bindings
        return merged
    }

    mutating func unbind(_ keys: [KeyStroke]) {
        for index in bindings.indices { bindings[index].keys.removeAll { $0 == keys } }
    }
}

extension KeyMap {
    /// The keys that move through a table: vim's and the arrows.
    public static let table = KeyMap([
        Binding(.next, ["down", "j", "ctrl-n"], "next row; 12j goes 12 rows down", hint: "move"),
        Binding(.previous, ["up", "k", "ctrl-p"], "previous row"),
        Binding(.pageDown, ["pgdn", "ctrl-f", "space"], "a page down"),
        Binding(.pageUp, ["pgup", "ctrl-b"], "a page up"),
        Binding(.halfPageDown, ["ctrl-d"], "half a page down"),
        Binding(.halfPageUp, ["ctrl-u"], "half a page up"),
        Binding(.first, ["g", "gg", "home"], "first row; 12g goes to row 12"),
        Binding(.last, ["G", "end"], "last row"),
        Binding(.center, ["zz"], "scroll the selected row to the middle"),
        Binding(.scrollDown, ["ctrl-e"], "scroll a line down"),
        Binding(.scrollUp, ["ctrl-y"], "scroll a line up"),
    ])

    /// The actions of every screen.
    public static let general = KeyMap([
        Binding(.open, ["enter"], "open", hint: "open"),
        Binding(.focusNext, ["tab"], "next pane", hint: "next pane"),
        Binding(.focusPrevious, ["shift-tab"], "previous pane"),
        Binding(.search, ["/"], "find", hint: "find"),
        Binding(.searchNext, ["n"], "next match"),
        Binding(.searchPrevious, ["N"], "previous match"),
        Binding(.filter, ["&"], "show only what matches", hint: "filter"),
        Binding(.copy, ["y"], "copy", hint: "copy"),
        Binding(.toggleMouse, ["alt-m"], "switch the mouse off and on"),
        Binding(.cancel, ["esc"], "cancel"),
        Binding(.help, ["?", "f1"], "all keys", hint: "help"),
        Binding(.quit, ["q", "ctrl-c"], "quit", hint: "quit"),
    ])
}

extension KeyMap {
    /// Returns a line for every action that has a key: its keys, and what it does. Generated from the present bindings.
    public func helpLines(theme: Theme) -> [Line] {
        let shown = bindings.filter { !$0.keys.isEmpty }
        let measure = TextMeasure(theme.unicode)
        let names = shown.map { $0.keys.map(Self.name).joined(separator: "  ") }
        let width = names.map { measure.width(of: $0) }.max() ?? 0
        return zip(shown, names).map { binding, names in
            [Run(measure.padded(names, to: width), Style(theme.accent)), Run("   " + binding.help)]
        }
    }

    /// Returns the hint line: the keys of the actions that are available now, as many as fit.
    /// - Parameters:
    ///   - actions: the actions that are available now.
    ///   - width: columns.
    ///   - theme: the colours and symbols.
    public func hintLine(_ actions: [Action], width: Int, theme: Theme) -> Line {
        var line: Line = [Run(" ")]
        for (place, hint) in hints(actions, width: width, theme: theme).enumerated() {
            if place > 0 { line.append(Run("   ")) }
            line += hint.runs
        }
        return line
    }

    /// Returns the action whose hint is at a column of the hint line, for a click there; nil between the hints.
    ///
    /// - Parameters:
    ///   - column: counted from 0.
    ///   - actions: as for ``hintLine(_:width:theme:)``, and so are the others.
    ///   - width: columns.
    ///   - theme: the colours and symbols.
    public func action(
        atColumn column: Int, inHintLineOf actions: [Action], width: Int, theme: Theme
    ) -> Action? {
        hints(actions, width: width, theme: theme).first { $0.columns.contains(column) }?.action
    }

    private func hints(
        _ actions: [Action], width: Int, theme: Theme
    ) -> [(action: Action, columns: Range<Int>, runs: Line)] {
        let measure = TextMeasure(theme.unicode)
        var hints: [(action: Action, columns: Range<Int>, runs: Line)] = []
        var used = 1
        for action in actions {
            guard let binding = self[action], let keys = binding.keys.first else { continue }
            let name = action == .next ? movementName(keys) : Self.name(keys)
            let hint = binding.hint.isEmpty ? binding.help : binding.hint
            let start = used + (used > 1 ? 3 : 0)
            let end = start + measure.width(of: name) + 1 + measure.width(of: hint)
            guard end <= width else { break }
            let runs = [Run(name, Style(.terminal, .bold)), Run(" " + hint, theme.secondary)]
            hints.append((action, start..<end, runs))
            used = end
        }
        return hints
    }

    /// Returns one name for both directions: `↑↓ move`.
    private func movementName(_ next: [KeyStroke]) -> String {
        (self[.previous]?.keys.first).map { Self.name($0) + Self.name(next) } ?? Self.name(next)
    }

    /// Returns the text of a sequence of keys in the help.
    public static func name(_ keys: [KeyStroke]) -> String { keys.map(\.description).joined() }
}
