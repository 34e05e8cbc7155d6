/// The line in which a pattern is typed, for `/` and for `&`. The program does the search.
public struct SearchLine: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// `/`: go to what matches.
        case search
        /// `&`: show only what matches.
        case filter
    }

    public enum Event: Hashable, Sendable {
        /// The pattern changed: search as one types.
        case typed(String)
        /// Enter.
        case accepted(String)
        /// Esc, or the deletion of an empty line: back to what was before.
        case cancelled
    }

    public var kind: Kind
    public var field: TextField

    /// - Parameter history: The patterns used before, the oldest first.
    public init(_ kind: Kind, history: [String] = []) {
        self.kind = kind
        field = TextField(history: history)
    }

    /// Acts on a key; nil when it is none for the line.
    public mutating func handle(_ event: InputEvent) -> Event? {
        if case .key(.backspace, _) = event, field.isEmpty { return .cancelled }
        switch field.handle(event) {
        case .changed: return .typed(field.text)
        case .submitted(let pattern): return .accepted(pattern)
        case .cancelled: return .cancelled
        case nil: return nil
        }
    }

    /// Draws the line with a sign in front, by default that of its kind, in the first line of a rectangle.
    public func draw(into grid: inout Grid, in rect: Rect, sign: String? = nil, theme: Theme) {
        let prompt = Run(sign ?? (kind == .search ? "/" : "&"), Style(theme.accent))
        field.draw(into: &grid, in: rect, prompt: prompt, theme: theme, isFocused: true)
    }
}
