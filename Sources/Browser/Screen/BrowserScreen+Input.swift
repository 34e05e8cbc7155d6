import FileReading
import LiveTable

extension BrowserScreen {
    func handle(_ event: InputEvent) {
        switch event {
        case .resize(let width, let height):
            size = (width, height)
            layOut()
            showRow()
        case .mouse(let mouse): handle(mouse)
        case .key(let key, let modifiers):
            notice = nil
            if isTypedAhead(event) { typedAhead.append(event) } else { dispatch(key, modifiers, event) }
        case .paste:
            if isTypedAhead(event) { typedAhead.append(event) } else if prompt != nil { handlePrompt(event) }
        case .focus: break
        }
    }

    private func dispatch(_ key: Key, _ modifiers: Modifiers, _ event: InputEvent) {
        if prompt != nil { handlePrompt(event) } else { handle(key, modifiers) }
    }

    private func handle(_ key: Key, _ modifiers: Modifiers) {
        guard case .action(let action, let count) = strokes.read(key, modifiers) else { return closeHelp(unless: key) }
        if help != nil { return handleHelp(action, count) }
        if menu != nil { return handleMenu(action, count) }
        if let command = TableCommand(action, count: count) { perform(command) } else { perform(action, count) }
    }

    /// Closes the help on any unbound key; the beginning of a sequence may still be bound.
    private func closeHelp(unless key: Key) {
        if strokes.pending.isEmpty { help = nil }
    }

    private func handleHelp(_ action: Action, _ count: Int?) {
        if action == .quit { return quit() }
        let screen = Rect(x: 0, y: 0, width: size.width, height: size.height)
        let hasScrolled =
            TableCommand(action, count: count).flatMap { help?.perform($0, in: screen, theme: theme) } ?? false
        if !hasScrolled { help = nil }
    }

    func perform(_ command: TableCommand) {
        switch focus {
        case .tree:
            let before = tree.selected
            tree.perform(command, at: now())
            if tree.selected != before { showSelected() }
        case .list:
            // Navigation cancels a pending jump.
            search?.isJumpPending = false
            goToRow(by: command)
        case .row: row.perform(command, at: now())
        }
    }

    private func perform(_ action: Action, _ count: Int?) {
        switch action {
        case .quit: quit()
        case .help: help = keys.help(theme)
        case .message: openMessage()
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
        case .toggleMouse:
            notice = Notice(toggleMouse() ? "The mouse is on." : "The mouse is off: the terminal selects text.")
        case .raw: showRaw()
        case .unfoldAll, .foldAll: row.setAllOpen(action == .unfoldAll, at: now())
        default: performInList(action, count)
        }
    }

    private func openMessage() {
        guard let lastNotice else { return notice = Notice("There was no message so far.") }
        help = Overlay("The last message", text: lastNotice.text, in: size, theme: theme)
    }

    private func performInList(_ action: Action, _ count: Int?) {
        switch action {
        case .search: open(.searching(SearchLine(.search, history: patterns), isKeysOnly: false))
        case .searchKeys: open(.searching(SearchLine(.search, history: patterns), isKeysOnly: true))
        case .filter: open(.searching(SearchLine(.filter, history: patterns), isKeysOnly: false))
        case .searchNext: goToMatch(by: 1)
        case .searchPrevious: goToMatch(by: -1)
        case .goTo: open(.goTo(TextField()))
        case .fullText: openFullText()
        case .range:
            let now = list.selection.range.words
            open(.range(TextField(placeholder: "\(now) now; type first 50, last 50 or all")))
        case .reverse: reverse()
        case .sort: sort()
        case .columns: openColumns()
        case .wider, .narrower, .fitColumns: WidthChange(action, count: count).map(changeWidth)
        case .decoder: openDecoders()
        default: break
        }
    }
}
