import FileReading
import ScreenPrograms

extension BrowserScreen {
    /// Saves the position before the first letter of a pattern is typed.
    func beginTyping() {
        list.showWhole(at: now())
        guard let subject = list.subject, let rows = list.rows else { return }
        let start = state.search?.isFilter == true ? placeInWhole : place(of: list.table.selectedPath, rows)
        state.searchOrigin = SearchOrigin(
            subject: subject, table: list.table, start: start ?? (0, 0),
            before: state.search)
    }

    /// The selected row's place among all rows, including those that a filter hides.
    private var placeInWhole: (Int, Int)? {
        guard let content = state.search?.unfiltered, let rowid = list.selectedRowid else { return nil }
        for (number, group) in content.groups.enumerated() {
            guard let source = content.sources[group] else { continue }
            if let place = try? content.snapshot.read({ try source.place(of: rowid, $0) }) { return (number, place) }
        }
        return nil
    }

    /// Searches for the text typed so far, from the saved position.
    func searchAsTyped(_ text: String, isKeysOnly: Bool) {
        state.searchOrigin?.hasTyped = true
        guard !text.isEmpty else { return goBackToOrigin() }
        startSearch(text, isFilter: false, isKeysOnly: isKeysOnly, from: state.searchOrigin?.start)
    }

    /// Enter: keeps the search for the typed text.
    func acceptSearch(_ pattern: String, isKeysOnly: Bool) {
        defer { state.searchOrigin = nil }
        guard let current = state.search, state.searchOrigin?.hasTyped == true, !current.isFilter,
            current.pattern == pattern, current.isKeysOnly == isKeysOnly
        else {
            return startSearch(pattern, isFilter: false, isKeysOnly: isKeysOnly, from: state.searchOrigin?.start)
        }
        if current.search.isDone { tellEnd(of: current.search) }
    }

    /// Esc: restores the state before.
    func cancelTyping() {
        if state.searchOrigin?.hasTyped == true { goBackToOrigin() }
        state.searchOrigin = nil
    }

    /// Shows what was there before anything was typed.
    private func goBackToOrigin() {
        endSearch()
        guard let origin = state.searchOrigin, origin.subject == list.subject else { return }
        if let before = origin.before { resume(before) }
        showOrigin()
    }

    /// Repeats an earlier search without changing the selection.
    func resume(_ before: ListSearchState) {
        startSearch(before.pattern, isFilter: before.isFilter, isKeysOnly: before.isKeysOnly, jumps: false)
    }

    /// Scrolls to the saved position and selects the row that was selected.
    func showOrigin() {
        guard let origin = state.searchOrigin, origin.subject == list.subject else { return }
        list.restore(origin.table, at: now())
        showRow()
    }
}

extension ListPane {
    /// Shows the same rows as a table did before.
    fileprivate func restore(_ before: Table, at time: Double) {
        let now = table
        update { table, source in
            table = before
            table.isFocused = now.isFocused
            table.setOptions(now.options, source: source, at: time)
            table.resize(width: now.width, height: now.height, source: source, at: time)
            table.reload(source: source, at: time)
            table.finishAnimation()
        }
    }
}
