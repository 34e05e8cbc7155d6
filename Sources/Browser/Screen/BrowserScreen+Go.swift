import ScreenPrograms

extension BrowserScreen {
    func open() {
        switch state.focus {
        case .tree:
            guard let item = tree.selected else { return }
            if item.subject(by: .key) == nil {
                tree.toggleFold(at: now())
            } else {
                if case .view = item { _ = tree.unfold(at: now()) }
                showSelected()
                move(to: .list)
            }
        case .list where state.counting != nil: filterByCount()
        case .list: move(to: .row)
        case .row: followLine()
        }
    }

    func goIn() {
        switch state.focus {
        case .tree: if !tree.unfold(at: now()) { open() }
        case .list where state.counting != nil: filterByCount()
        case .list: move(to: .row)
        case .row: if row.isFolded { followLine() }
        }
    }

    func goOut() {
        switch state.focus {
        case .tree:
            let before = tree.selected
            if tree.foldOrGoUp(at: now()), tree.selected != before { showSelected() }
        case .list where state.counting != nil: endCounting()
        case .list: move(to: .tree)
        case .row: move(to: .list)
        }
    }

    func fold() {
        switch state.focus {
        case .tree: tree.toggleFold(at: now())
        case .list: mark()
        case .row: if case .fold = row.target { followLine() }
        }
    }

    /// Cancels one thing at a time, the newest first.
    func cancel() {
        if cancelSaving() || endCounting() { return }
        if state.sorting?.isRunning == true { return sort(by: nil) }
        if isWaitingForCount { return state.reading.goal = nil }
        if endSearch() { return }
        if state.focus == .tree { return tree.clearMarks(at: now()) }
        if state.focus == .list, showAllOfFullText() { return }
        goOut()
    }

    func mark() {
        switch state.focus {
        case .tree:
            guard tree.toggleMark(at: now()) else {
                return show(notice: "Groups of a view can be marked, to be shown together.")
            }
            perform(.selectNext())
        case .list where state.counting != nil: break
        case .list:
            list.toggleMark(at: now())
            perform(.selectNext())
        case .row: break
        }
    }

    func showRaw() {
        if !state.shownPanes.contains(.row) { move(to: .row) }
        row.toggleRaw(at: now())
    }
}
