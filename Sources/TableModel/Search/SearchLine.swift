/// The line in which the user types a pattern, for `/` and for `&`. The program does the search.
public struct SearchLine: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// `/`: go to a match.
        case search
        /// `&`: show only matches.
        case filter
    }

    public enum Event: Hashable, Sendable {
        /// The pattern changed: search while the user types.
        case typed(String)
        /// Enter.
        case accepted(String)
        /// Esc, or Backspace in an empty line: restore the state before.
        case cancelled
    }

    public var kind: Kind
    public var field: TextField

    /// - Parameter history: Earlier patterns, the oldest first.
    public init(_ kind: Kind, history: [String] = []) {
        self.kind = kind
        field = TextField(history: history)
    }

    /// Handles a key; returns nil for a key that the line does not use.
    public mutating func handle(_ event: InputEvent) -> Event? {
        if case .key(.backspace, _) = event, field.isEmpty { return .cancelled }
        switch field.handle(event) {
        case .changed: return .typed(field.text)
        case .submitted(let pattern): return .accepted(pattern)
        case .cancelled: return .cancelled
        case nil: return nil
        }
    }

    /// Draws the line, with a sign before it (by default that of its kind), in the first line of a rectangle.
    public func draw(into grid: inout Grid, in rect: Rect, sign: String? = nil, theme: Theme) {
        let prompt = Run(sign ?? (kind == .search ? "/" : "&"), Style(theme.accent))
        field.draw(into: &grid, in: rect, prompt: prompt, theme: theme, isFocused: true)
    }
}
