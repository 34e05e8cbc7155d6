import FileReading
import LiveTable

extension BrowserScreen {
    func handle(_ event: InputEvent) {
        guard let request = state.update(event, isReading: list.isReading) else { return }
        switch request {
        case .layOut:
            layOut()
            showRow()
        case .mouse(let mouse): handle(mouse)
        case .choose(let index, let purpose): choose(index, for: purpose)
        case .adjust(let index, let change): adjustColumn(index, change)
        case .searchAsTyped(let text, let isKeysOnly): searchAsTyped(text, isKeysOnly: isKeysOnly)
        case .cancelTyping: cancelTyping()
        case .accept(let text, let question): accept(text, question)
        case .move(let command): perform(command)
        case .perform(let action, let count): perform(action, count)
        }
    }

    /// Handles the keys that were typed for the list before it was loaded.
    func handleTypedAhead() {
        let events = state.typedAhead
        state.typedAhead = []
        for event in events { handle(event) }
    }

    func perform(_ command: TableCommand) {
        switch state.focus {
        case .tree:
            let before = tree.selected
            tree.perform(command, at: now())
            if tree.selected != before { showSelected() }
        case .list:
            // Navigation cancels a pending jump.
            state.search?.isJumpPending = false
            goToRow(by: command)
        case .row: row.perform(command, at: now())
        }
    }

    private func perform(_ action: Action, _ count: Int?) {
        switch action {
        case .open: open()
        case .goIn: goIn()
        case .goOut: goOut()
        case .fold: fold()
        case .focusNext: moveFocus(by: 1)
        case .focusPrevious: moveFocus(by: -1)
        case .cancel: cancel()
        case .mark: mark()
        case .follow: toggleFollowing()
        case .copy: copyValue()
        case .copyPath: copyPath()
        case .raw: showRaw()
        case .unfoldAll, .foldAll: row.setAllOpen(action == .unfoldAll, at: now())
        default: performInList(action, count)
        }
    }

    private func performInList(_ action: Action, _ count: Int?) {
        switch action {
        case .search: open(.pattern(TextField(history: state.patterns)))
        case .searchKeys: open(.pattern(isKeysOnly: true, TextField(history: state.patterns)))
        case .filter: open(.pattern(isFilter: true, TextField(history: state.patterns)))
        case .searchNext: goToMatch(by: 1)
        case .searchPrevious: goToMatch(by: -1)
        case .goTo: open(Prompt(.goTo))
        case .fullText: openFullText()
        case .range:
            let now = list.selection.range.words
            open(Prompt(.range, TextField(placeholder: "\(now) now; type first 50, last 50 or all")))
        case .reverse: reverse()
        case .sort: sort()
        case .columns: openColumns()
        case .wider, .narrower, .fitColumns: WidthChange(action, count: count).map(changeWidth)
        case .decoder: openDecoders()
        default: break
        }
    }
}
