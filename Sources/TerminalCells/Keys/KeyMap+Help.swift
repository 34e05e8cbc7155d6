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
        let measure = TextMeasure(theme.unicode)
        var line: Line = [Run(" ")]
        var used = 1
        for action in actions {
            guard let binding = self[action], let keys = binding.keys.first else { continue }
            let name = action == .next ? movementName(keys) : Self.name(keys)
            let hint = binding.hint.isEmpty ? binding.help : binding.hint
            let columns = measure.width(of: name) + 1 + measure.width(of: hint) + (used > 1 ? 3 : 0)
            guard used + columns <= width else { break }
            if used > 1 { line.append(Run("   ")) }
            line += [Run(name, Style(.terminal, .bold)), Run(" " + hint, theme.secondary)]
            used += columns
        }
        return line
    }

    /// Returns one name for both directions: `↑↓ move`.
    private func movementName(_ next: [KeyStroke]) -> String {
        (self[.previous]?.keys.first).map { Self.name($0) + Self.name(next) } ?? Self.name(next)
    }

    /// Returns the text of a sequence of keys in the help.
    public static func name(_ keys: [KeyStroke]) -> String { keys.map(\.description).joined() }
}
