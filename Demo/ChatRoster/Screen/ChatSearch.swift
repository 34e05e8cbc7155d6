import LiveTable

/// A search in one of the lists: being typed, going on, or done and waiting for the next `n`.
struct ChatSearch {
    /// The list that is searched.
    let pane: ChatScreen.Focus
    /// The line, while the pattern is typed.
    var line: SearchLine?
    var pattern = ""
    /// The rows that are still to be looked at, while it goes on.
    var scan: RowSearch?
    /// What was seen when it began: Esc goes back there.
    let origin: (focus: ChatScreen.Focus, selection: RowKey?, scroll: ScrollState)

    /// Newer messages stand below older ones, so one looks for them upwards.
    var direction: RowSearch.Direction { pane == .messages ? .backward : .forward }
}
