import TerminalCells

/// A search in the lines of a box: what is typed, and the line that it found.
struct LineSearch: Hashable, Sendable {
    struct Question: PromptQuestion { var label: String { " /" } }

    var prompt = PromptLine(Question())
    /// What was typed so far.
    var pattern = ""
    var isTyped = true
    /// The first visible line before the search.
    let origin: Int
    /// The line that matches; nil if none does.
    var found: Int?

    func matches(_ line: Line) -> Bool { line.text.lowercased().contains(pattern.lowercased()) }
}

extension Overlay {
    /// Whether what a search looks for is being typed: every key is part of it then.
    package var isSearchTyped: Bool { search?.isTyped == true }

    /// Begins to ask what to search for.
    package mutating func beginSearch() { search = LineSearch(origin: offset) }

    /// Handles an event while what to search for is typed: shows the first match from the line on that was the first one.
    /// - Parameters:
    ///   - event: the key, or what was pasted.
    ///   - screen: the rectangle of the screen.
    ///   - theme: the colours and symbols.
    package mutating func typeSearch(_ event: InputEvent, in screen: Rect, theme: Theme) {
        guard var typed = search else { return }
        let outcome = event == .key(.character("c"), .control) ? .cancelled : typed.prompt.handle(event)
        if case .typed(let text) = outcome { typed.pattern = text }
        search = typed
        switch outcome {
        case .typed: find(from: typed.origin, .forward, in: screen, theme: theme)
        case .accepted(let text) where !text.isEmpty: search?.isTyped = false
        case .accepted, .cancelled:
            search = nil
            scroll(by: typed.origin - offset, in: screen, theme: theme)
        case nil: break
        }
    }

    /// Goes to the next line that matches, or to the one before, and around the ends.
    /// - Parameters:
    ///   - direction: which way to go.
    ///   - screen: the rectangle of the screen.
    ///   - theme: the colours and symbols.
    package mutating func goToMatch(_ direction: RowSearch.Direction, in screen: Rect, theme: Theme) {
        guard let found = search?.found else { return }
        find(from: found + (direction == .forward ? 1 : -1), direction, in: screen, theme: theme)
    }

    private mutating func find(from start: Int, _ direction: RowSearch.Direction, in screen: Rect, theme: Theme) {
        guard let wanted = search else { return }
        let lines = shown
        var rows = RowSearch(rows: wanted.pattern.isEmpty ? 0 : lines.count, from: start, direction)
        rows.look(at: lines.count) { wanted.matches(lines[$0]) }
        search?.found = nil
        if case .found(let line) = rows.state { search?.found = line }
        reveal(search?.found ?? wanted.origin, in: screen, theme: theme)
    }

    /// Scrolls a line that is not visible to the middle.
    private mutating func reveal(_ line: Int, in screen: Rect, theme: Theme) {
        let height = max(1, rect(in: screen, theme: theme).height - 2)
        if (offset..<offset + height).contains(line) { return }
        scroll(by: line - height / 2 - offset, in: screen, theme: theme)
    }
}
