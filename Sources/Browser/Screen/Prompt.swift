import LiveTable

/// The line at the bottom in which something is typed.
enum Prompt: Hashable, Sendable {
    /// A pattern to go to, or to show the matches of; in keys alone, or in values too.
    case pattern(SearchLine, isKeysOnly: Bool)
    /// The number or the key of a row.
    case goTo(TextField)
    /// Which rows of a list.
    case range(TextField)
    /// What to find through a full-text index.
    case fullText(name: String, TextField)
}

extension Prompt {
    enum Event: Hashable, Sendable {
        case typed
        case accepted(String)
        case cancelled
    }

    /// Whether one goes to what matches while it is typed.
    var isSearch: Bool { if case .pattern(let line, _) = self { line.kind == .search } else { false } }

    /// Acts on a key; nil when it is none for the line.
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

    /// The line for a pattern, which says while it is empty what Tab does.
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
