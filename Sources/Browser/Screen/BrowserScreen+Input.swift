import FileReading
import ScreenPrograms

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
        case .open: open()
        case .goIn: goIn()
        case .goOut: goOut()
        case .fold: fold()
        case .mark: mark()
        case .focus(let pane): move(to: pane)
        case .cancel: cancel()
        case .toggleFollowing: toggleFollowing()
        case .copyValue: copyValue()
        case .copyPath: copyPath()
        case .showRaw: showRaw()
        case .save: save()
        case .openOutside(let isImage): if isImage { seeImage() } else { openOutside() }
        case .showSpace: toggleSpace()
        case .openRow(let all): row.setAllOpen(all, at: now())
        case .inList(let request): perform(request)
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
            if let counting = state.counting { return counting.pane.perform(command, at: now()) }
            // Navigation cancels a pending jump.
            state.search?.isJumpPending = false
            state.sorting?.goesToFirst = false
            goToRow(by: command)
        case .row: row.perform(command, at: now())
        }
    }

    private func perform(_ request: BrowserState.ListRequest) {
        endCounting()
        switch request {
        case .ask(let prompt): open(prompt)
        case .goToMatch(let steps): goToMatch(by: steps)
        case .askFullText: openFullText()
        case .askRange:
            let now = list.selection.range.words
            open(Prompt(.range, TextField(placeholder: "\(now) now; type first 50, last 50 or all")))
        case .reverse: reverse()
        case .sort: sort()
        case .sortByField(let isDescending): openFieldOrders(isDescending: isDescending)
        case .countByField: openCounts()
        case .chooseColumns: openColumns()
        case .chooseDecoder: openDecoders()
        case .changeWidth(let change): changeWidth(change)
        }
    }
}
