import LiveTable

/// A search in one of the lists: being typed, running, or finished and waiting for the next `n`.
struct ChatSearch {
    /// The list being searched.
    let pane: ChatState.Focus
    /// The line while the pattern is being typed.
    var line: PromptLine<Pattern>?
    var pattern = ""
    /// The rows still to be searched, while it runs.
    var scan: RowSearch?
    /// The position before the search, which Esc restores.
    let origin: (focus: ChatState.Focus, selection: RowKey?, scroll: ScrollState)

    /// The question for a pattern.
    enum Pattern: PromptQuestion {
        case pattern

        var label: String { "/" }
    }

    /// Newer messages are below older ones, so messages are searched upwards.
    var direction: RowSearch.Direction { pane == .messages ? .backward : .forward }
}
