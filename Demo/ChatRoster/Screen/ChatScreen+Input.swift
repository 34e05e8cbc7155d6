import LiveTable

extension ChatScreen {
    func perform(_ request: ChatState.Request) throws {
        switch request {
        case .layOut: try layOut()
        case .look:
            try findUnread()
            markRead()
        case .mouse(let mouse): try handle(mouse)
        case .search(let event): try handleSearch(event)
        case .send(let line):
            send(line)
            state.composer.refill()
        case .move(let command): try perform(command, in: state.focus)
        case .perform(let action): try perform(action)
        }
    }

    private func perform(_ command: TableCommand, in pane: ChatState.Focus) throws {
        try list(in: pane).update { table, source in table.perform(command, source: source, at: now()) }
        if pane == .roster { followSelection() } else { try lookBack() }
    }

    private func perform(_ action: Action) throws {
        switch action {
        case .search: try beginSearch()
        case .searchNext: try searchAgain(forward: true)
        case .searchPrevious: try searchAgain(forward: false)
        case .write: try move(to: .input)
        case .send: send(state.composer.field.submit())
        case .focusNext: try moveFocus(by: 1)
        case .focusPrevious: try moveFocus(by: -1)
        case .cancel: try cancel()
        case .pageUp: try perform(.pageUp(), in: .messages)
        case .pageDown: try perform(.pageDown(), in: .messages)
        case .nextBuddy: try perform(.selectNext(), in: .roster)
        case .previousBuddy: try perform(.selectPrevious(), in: .roster)
        case .editLast: try editLast()
        case .edit: try editSelected()
        case .delete: deleteSelected()
        case .copy:
            guard let message = try selectedMessage() else {
                return show(notice: "Select a message first: Tab and k.")
            }
            state.screen.request(
                .copy(message.text, notice: "Copied the message, as far as the terminal allows it."))
        default: break
        }
    }

    // MARK: Focus

    private func moveFocus(by steps: Int) throws {
        let all = ChatState.Focus.allCases
        let index = all.firstIndex(of: state.focus)!
        try move(to: all[(index + steps + all.count) % all.count])
    }

    func move(to other: ChatState.Focus) throws {
        state.focus = other
        state.strokes.reset()
        try layOut()
        if other == .messages, conversation.table.selection == nil {
            try conversation.update { table, source in table.perform(.selectLast, source: source, at: now()) }
        }
    }

    private func cancel() throws {
        if state.search?.scan != nil {
            state.search?.scan = nil
            return
        }
        state.composer.giveUpEditing()
        try move(to: .input)
    }

    // MARK: Messages

    private func selectedMessage() throws -> Message? {
        guard state.focus == .messages, let path = conversation.table.selectedPath else { return nil }
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
        guard message.isMine else { return show(failure: "Only messages of your own can be edited.") }
        try edit(message)
    }

    private func edit(_ message: Message) throws {
        state.composer.edit(message.text, ofMessage: message.id)
        try move(to: .input)
    }

    private func deleteSelected() {
        guard state.focus == .messages, let key = conversation.table.selection else { return }
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
        let panes = [(rosterArea, ChatState.Focus.roster), (messagesArea, .messages)]
        if inputArea.contains(x: mouse.x, y: mouse.y), case .press = mouse.kind { return try move(to: .input) }
        guard let (area, pane) = panes.first(where: { $0.0.contains(x: mouse.x, y: mouse.y) }),
            let command = list(in: pane).table.command(
                for: mouse.kind, x: mouse.x - area.x, y: mouse.y - area.y, at: now())
        else { return }
        if case .click = command { try move(to: pane) }
        try perform(command, in: pane)
    }
}
