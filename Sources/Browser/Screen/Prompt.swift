import LiveTable

/// The line at the bottom for typing.
enum Prompt: Hashable, Sendable {
    /// A pattern to search or filter by, in keys alone or in values too.
    case pattern(SearchLine, isKeysOnly: Bool)
    /// The number or the key of a row.
    case goTo(TextField)
    /// A range of a list.
    case range(TextField)
    /// A query of a full-text index.
    case fullText(name: String, TextField)
}

extension Prompt {
    enum Event: Hashable, Sendable {
        case typed
        case accepted(String)
        case cancelled
    }

    /// Whether it selects a match while the user types.
    var isSearch: Bool { if case .pattern(let line, _) = self { line.kind == .search } else { false } }

    /// Handles a key; returns nil for a key that the line does not use.
    mutating func handle(_ event: InputEvent) -> Event? {
        switch self {
        case .pattern(let line, let isKeysOnly) where event == .key(.tab):
            self = .searching(line, isKeysOnly: !isKeysOnly)
            return .typed
        case .pattern(var line, let isKeysOnly):
            defer { self = .pattern(line, isKeysOnly: isKeysOnly) }
            switch line.handle(event) {
            case .typed: return .typed
            case .accepted(let text): return .accepted(text)
            case .cancelled: return .cancelled
            case nil: return nil
            }
        case .goTo(var field):
            defer { self = .goTo(field) }
            return Self.handle(event, &field)
        case .range(var field):
            defer { self = .range(field) }
            return Self.handle(event, &field)
        case .fullText(let name, var field):
            defer { self = .fullText(name: name, field) }
            return Self.handle(event, &field)
        }
    }

    func draw(into grid: inout Grid, in rect: Rect, theme: Theme) {
        switch self {
        case .pattern(let line, let isKeysOnly):
            let sign = SearchPattern.sign(isFilter: line.kind == .filter, isKeysOnly: isKeysOnly)
            line.draw(into: &grid, in: rect, sign: sign, theme: theme)
        case .goTo(let field): Self.draw(field, "Number or key: ", into: &grid, in: rect, theme)
        case .range(let field): Self.draw(field, "Rows: ", into: &grid, in: rect, theme)
        case .fullText(let name, let field): Self.draw(field, "Match in \(name): ", into: &grid, in: rect, theme)
        }
    }

    /// Returns the line for a pattern, which explains Tab while it is empty.
    static func searching(_ line: SearchLine, isKeysOnly: Bool) -> Prompt {
        var line = line
        line.field.placeholder = isKeysOnly ? "in keys alone; Tab: in values too" : "Tab: in keys alone"
        return .pattern(line, isKeysOnly: isKeysOnly)
    }

    private static func handle(_ event: InputEvent, _ field: inout TextField) -> Event? {
        if case .key(.backspace, _) = event, field.isEmpty { return .cancelled }
        switch field.handle(event) {
        case .changed: return .typed
        case .submitted(let text): return .accepted(text)
        case .cancelled: return .cancelled
        case nil: return nil
        }
    }

    private static func draw(_ field: TextField, _ prompt: String, into grid: inout Grid, in rect: Rect, _ theme: Theme)
    {
        field.draw(into: &grid, in: rect, prompt: Run(" " + prompt, Style(theme.accent)), theme: theme, isFocused: true)
    }
}
