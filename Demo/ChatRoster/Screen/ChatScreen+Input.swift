import LiveTable

extension ChatScreen {
    func handle(_ event: InputEvent) {
        switch event {
        case .key, .paste: (failure, notice) = (nil, nil)
        case .mouse(let mouse): if case .press = mouse.kind { (failure, notice) = (nil, nil) }
        case .resize, .focus: break
        }
        attempt {
            switch event {
            case .resize(let width, let height):
                size = (width, height)
                try layOut()
            case .mouse(let mouse): try handle(mouse)
            case .key, .paste: try help == nil ? handleInput(event) : handleHelp(event)
            case .focus(let hasFocus):
                isLookedAt = hasFocus
                if hasFocus {
                    try findUnread()
                    markRead()
                }
            }
        }
    }

    private func handleHelp(_ event: InputEvent) {
        guard case .key(let key, let modifiers) = event else { return }
        let outcome = strokes.read(key, modifiers)
        if case .pending = outcome { return }
        guard case .action(let action, let count) = outcome else { return help = nil }
        if action == .quit { return quit() }
        let screen = Rect(x: 0, y: 0, width: size.width, height: size.height)
        let hasScrolled =
            TableCommand(action, count: count).flatMap { help?.perform($0, in: screen, theme: theme) } ?? false
        if !hasScrolled { help = nil }
    }

    private func handleInput(_ event: InputEvent) throws {
        if search?.line != nil {
            let isTaken = try handleSearch(event)
            var reader = KeyReader(keys.writing)
            if !isTaken, case .key(let key, let modifiers) = event,
                reader.read(key, modifiers) == .action(.quit, count: nil)
            {
                quit()
            }
            return
        }
        guard focus == .input else {
            if case .key(let key, let modifiers) = event { try handleInList(key, modifiers) }
            return
        }
        if case .key(let key, let modifiers) = event {
            var reader = KeyReader(keys.writing)
            // In the line, the key for editing the last message moves through the history.
            if case .action(let action, _) = reader.read(key, modifiers), action != .editLast || field.isEmpty {
                return try perform(action)
            }
        }
        if case .paste(let text) = event { return insert(pasted: text) }
        if case .submitted(let line)? = field.handle(event) { send(line) }
        // A cleared line is dropped; the next waiting draft takes its place.
        if field.isEmpty, composed.edited == nil { nextDraft() }
    }

    private func handleInList(_ key: Key, _ modifiers: Modifiers) throws {
        guard case .action(let action, let count) = strokes.read(key, modifiers) else { return }
        if let command = TableCommand(action, count: count) { return try perform(command) }
        try perform(action)
    }

    private func perform(_ command: TableCommand) throws {
        let list = focus == .roster ? roster : conversation
        try list.update { table, source in table.perform(command, source: source, at: now()) }
        if focus == .roster { followSelection() } else { try lookBack() }
    }

    private func perform(_ action: Action) throws {
        switch action {
        case .quit: quit()
        case .help: help = keys.help(theme)
        case .message: openMessage()
        case .search: try beginSearch()
        case .searchNext: try searchAgain(forward: true)
        case .searchPrevious: try searchAgain(forward: false)
        case .write: try move(to: .input)
        case .send: send(field.submit())
        case .focusNext: try moveFocus(by: 1)
        case .focusPrevious: try moveFocus(by: -1)
        case .cancel: try cancel()
        case .pageUp, .pageDown:
            try conversation.update { table, source in
                table.perform(action == .pageUp ? .pageUp() : .pageDown(), source: source, at: now())
            }
            try lookBack()
        case .nextBuddy, .previousBuddy:
            try roster.update { table, source in
                let command: TableCommand = action == .nextBuddy ? .selectNext() : .selectPrevious()
                table.perform(command, source: source, at: now())
            }
            followSelection()
        case .editLast: try editLast()
        case .edit: try editSelected()
        case .delete: deleteSelected()
        case .toggleMouse:
            notice = toggleMouse() ? "The mouse is on." : "The mouse is off: the terminal selects text."
        case .copy:
            guard let message = try selectedMessage() else { return notice = "Select a message first: Tab and k." }
            try copy(message.text)
            notice = "Copied the message, as far as the terminal allows it."
        default: break
        }
    }

    private func openMessage() {
        guard let lastFailure else { return failure = "There was no error so far." }
        help = Overlay("What went wrong", text: lastFailure, in: size, theme: theme)
    }

    // MARK: Focus

    private func moveFocus(by steps: Int) throws {
        let all = Focus.allCases
        let index = all.firstIndex(of: focus)!
        try move(to: all[(index + steps + all.count) % all.count])
    }

    func move(to other: Focus) throws {
        focus = other
        strokes.reset()
        try layOut()
        if other == .messages, conversation.table.selection == nil {
            try conversation.update { table, source in table.perform(.selectLast, source: source, at: now()) }
        }
    }

    private func cancel() throws {
        if search?.scan != nil {
            search?.scan = nil
            return
        }
        if composed.edited != nil { nextDraft() }
        try move(to: .input)
    }

    // MARK: Messages

    private func selectedMessage() throws -> Message? {
        guard focus == .messages, let path = conversation.table.selectedPath else { return nil }
        return try message(at: path)
    }

    private func message(at path: RowPath) throws -> Message? {
        try tables.connection.read { transaction in
            let view = transaction.ext(ChatDatabase.messagesView) as? YapDatabaseViewTransaction
            return try view?.object(at: path, with: conversation.mappings) as? Message
        }
    }

    private func editLast() throws {
        let mappings = conversation.mappings
        for row in (0..<mappings.numberOfItems(inGroup: buddy)).reversed() {
            if let message = try message(at: RowPath(section: 0, row: row)), message.isMine {
                return try edit(message)
            }
        }
    }

    private func editSelected() throws {
        guard let message = try selectedMessage() else { return }
        guard message.isMine else { return failure = "Only messages of your own can be edited." }
        try edit(message)
    }

    private func edit(_ message: Message) throws {
        setAside()
        composed = Draft(text: message.text, edited: message.id)
        field.text = message.text
        try move(to: .input)
    }

    private func deleteSelected() {
        guard focus == .messages, let key = conversation.table.selection else { return }
        chat.delete(message: key.key, report)
    }

    /// Shows older messages above, without moving the visible ones. Called at the top of the shown range.
    func lookBack() throws {
        let position = conversation.mappings.rangePosition(forGroup: buddy)
        guard position.offsetFromBeginning > 0, position.length < Self.mostMessages,
            case .row(_, RowPath(section: 0, row: 0)) = conversation.table.hit(x: 0, y: 0, at: now())
        else { return }
        try showMessages(min(position.length + Self.firstMessages, Self.mostMessages))
    }

    /// Shows a number of the newest messages.
    func showMessages(_ length: Int) throws {
        try conversation.reconfigure(at: now()) { mappings in
            mappings.setRangeOptions(Self.range(length: length), forGroup: buddy)
        }
    }

    // MARK: Mouse

    private func handle(_ mouse: MouseEvent) throws {
        help = nil
        let panes: [(area: Rect, list: LiveTable, focus: Focus)] = [
            (rosterArea, roster, .roster), (messagesArea, conversation, .messages),
        ]
        if inputArea.contains(x: mouse.x, y: mouse.y), case .press = mouse.kind { return try move(to: .input) }
        guard let pane = panes.first(where: { $0.area.contains(x: mouse.x, y: mouse.y) }) else { return }
        let (x, y) = (mouse.x - pane.area.x, mouse.y - pane.area.y)
        let isOnBar = pane.list.table.hit(x: x, y: y, at: now()) == .scrollBar
        let command: TableCommand
        switch mouse.kind {
        case .wheel(let lines): command = .scroll(lines: lines)
        case .press(button: 1) where isOnBar, .drag(button: 1) where isOnBar: command = .dragScrollBar(y: y)
        case .press(button: 1):
            try move(to: pane.focus)
            command = .click(x: x, y: y)
        default: return
        }
        try pane.list.update { table, source in table.perform(command, source: source, at: now()) }
        if pane.focus == .roster { followSelection() } else { try lookBack() }
    }
}
