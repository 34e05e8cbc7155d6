import LiveTable

extension ChatScreen {
    func perform(_ request: ChatState.Request) throws {
        switch request {
        case .layOut: try layOut()
        case .look: if state.isLookedAt { try findUnread() }
        case .mouse(let mouse): try handle(mouse)
        case .send: send()
        case .sendParts(let parts):
            for part in parts { send(Draft(text: part), in: state.composer.conversation) }
            showEnd()
        case .storePaste(let paste): store(paste)
        case .command(let command): try runLine(command)
        case .open(let id): try open(id)
        case .openNumber(let number):
            guard let id = state.numbers.first(where: { $0.value == number })?.key,
                state.roster.contains(where: { $0.conversation == id })
            else { return show(notice: "No conversation has the number \(number).") }
            try open(id)
            try move(to: .input)
        case .search(let words):
            try layOut()
            search(words)
        case .moveFound(let rows): moveFound(by: rows)
        case .openFound: try openFound()
        case .endSearch: try endSearch()
        case .move(let command, let pane): try perform(command, in: pane)
        case .focus(let part): try move(to: part)
        case .selectNoMessage: try select(nil)
        case .step(let command): try step(command)
        case .openNextUnread: try openNextUnread()
        case .goToFirstUnread: try jumpToFirstUnread()
        case .goToLastMention: try jumpToLastMention()
        case .showEnd: showEnd()
        case .retry: retry()
        case .takeBack: try takeBack()
        case .restoreDeleted: try undoDelete()
        case .editLast: try editLast()
        case .message(let request): try perform(request)
        }
    }

    /// Puts a paste into a file, and its path into the line. While that fails it is still asked about.
    private func store(_ paste: LongPaste) {
        do {
            let path = try PasteFile.store(paste.pasted, beside: chat.database.databaseURL)
            state.prompt = nil
            let isInLine = state.composer.insert(pasted: path)
            show(notice: "Stored on this machine as \(path)" + (isInLine ? ", which Enter tells the others." : "."))
        } catch {
            var failed = paste
            failed.failure = "\(error)"
            state.prompt = .paste(failed)
        }
    }

    private func perform(_ command: TableCommand, in pane: ChatState.Focus) throws {
        if pane == .roster {
            try roster.update { table, source in _ = table.perform(command, source: source, at: now()) }
            return try followSelection()
        }
        switch command {
        // They lead anywhere in the conversation.
        case .selectFirst, .dragScrollBar: try showAllMessages()
        default: try lookBack()
        }
        try conversation.update { table, source in _ = table.perform(command, source: source, at: now()) }
        try lookBack()
    }

    private func perform(_ request: ChatState.MessageRequest) throws {
        guard let path = conversation.table.selectedPath, let message = try message(at: path) else { return }
        switch request {
        case .copy:
            state.screen.request(
                .copy(message.text, notice: "Copied the message, if the terminal lets programs copy."))
        case .unfold:
            facts.unfolded.formSymmetricDifference([message.id])
            try redrawRows()
        case .reply:
            guard !message.isDeleted, message.kind != .notice else { return }
            state.composer.answer(message)
            try move(to: .input)
        case .react(let emoji):
            try carryOut(.react(emoji, message: message.id), report)
        case .edit: try edit(message)
        case .delete: try delete(message)
        case .who: try showWho(message)
        }
    }

    // MARK: Own messages

    private func editLast() throws {
        let mappings = conversation.mappings
        for row in (0..<mappings.numberOfItems(inGroup: state.composer.conversation)).reversed().prefix(200) {
            guard let message = try message(at: RowPath(section: 0, row: row)) else { continue }
            if message.isBy(chat.me), !message.isDeleted { return try edit(message) }
        }
        show(notice: "You have written nothing here yet.")
    }

    private func edit(_ message: Message) throws {
        guard message.isBy(chat.me), !message.isDeleted else {
            return show(failure: "Only messages of your own can be edited.")
        }
        state.composer.edit(message)
        try move(to: .input)
    }

    private func delete(_ message: Message) throws {
        guard message.isBy(chat.me), !message.isDeleted else {
            return show(failure: "Only messages of your own can be deleted.")
        }
        try carryOut(.delete(message: message.id)) { [weak self] result in
            guard let self, case .failure = result else { return }
            if state.deleted == message { state.deleted = nil }
            report(result)
        }
        state.deleted = message
        state.screen.message = ChatState.undoNotice
    }

    private func undoDelete() throws {
        guard let message = state.deleted else { return show(notice: "Nothing was deleted.") }
        try carryOut(.restore(message)) { [weak self] result in
            self?.report(result)
            if case .success = result { self?.attempt { try self?.select(restored: message) } }
        }
        state.deleted = nil
    }

    /// The selection goes to a message that has come back, unless one writes.
    private func select(restored message: Message) throws {
        guard state.focus == .messages else { return }
        _ = try tables.advance(at: now())
        try refresh(tells: true)
        let key = RowKey(collection: Chat.messages.name, key: message.id)
        try conversation.update { table, source in table.select(source.path(of: key), source: source, at: now()) }
        let isVisible = conversation.table.selectedPath.map(conversation.table.isVisible) ?? false
        if !isVisible { try jump(toMessage: message.id) }
        state.screen.redraw()
    }

    /// Shows who has read a message, and who reacted.
    private func showWho(_ message: Message) throws {
        guard let conversation = state.conversation else { return }
        let others = state.members.filter { $0 != message.author }
        let read = try tables.connection.read { transaction in
            try others.filter { name in
                try transaction.seat(of: name, in: conversation.id).map { message.position <= $0.read } ?? false
            }
        }
        func line(_ title: String, _ names: [String]) -> [Line] {
            names.isEmpty ? [] : [[Run(title + "  ", theme.secondary), Run(names.sorted().joined(separator: ", "))]]
        }
        let reactions = (message.givenReactions ?? [:]).sorted { $0.key < $1.key }
        let none = others.isEmpty ? "There is no one else here who could read it." : "No one else has read it yet."
        let lines =
            (read.isEmpty ? [[Run(none)]] : line("Read by", read))
            + line("Not yet", others.filter { !read.contains($0) }) + reactions.flatMap { line($0.key, $0.value) }
        state.screen.text = Overlay("Who", lines)
    }

    // MARK: Focus

    /// Goes to another conversation of the roster, without the focus.
    private func step(_ command: TableCommand) throws {
        try roster.update { table, source in _ = table.perform(command, source: source, at: now()) }
        try followSelection()
    }

    /// Opens the conversation that is selected on the roster.
    private func followSelection() throws {
        guard let path = roster.table.selectedPath else { return }
        let entry = try tables.connection.read { transaction in
            try transaction[Chat.roster].view.object(at: path, with: roster.mappings) as? RosterEntry
        }
        if let entry { try open(entry.place.conversation) }
    }

    func move(to other: ChatState.Focus) throws {
        state.focus = other
        state.strokes.reset()
        try layOut()
        if other == .messages, conversation.table.selection == nil {
            try conversation.update { table, source in table.perform(.selectLast, source: source, at: now()) }
        }
        if other == .input { try select(nil) }
    }

    private func select(_ path: RowPath?) throws {
        try conversation.update { table, source in table.select(path, source: source, at: now()) }
    }

    // MARK: Mouse

    /// A click shows and selects; what is typed next still goes to the composer.
    private func handle(_ mouse: MouseEvent) throws {
        if inputArea.contains(x: mouse.x, y: mouse.y), case .press = mouse.kind {
            try move(to: .input)
            return state.composer.field.moveCursor(
                toX: mouse.x, y: mouse.y, in: inputArea, prompt: prompt, level: theme.unicode)
        }
        let pane: ChatState.Focus = rosterArea.contains(x: mouse.x, y: mouse.y) ? .roster : .messages
        let area = pane == .roster ? rosterArea : messagesArea
        guard area.contains(x: mouse.x, y: mouse.y),
            let command = shownTable(in: pane).command(
                for: mouse.kind, x: mouse.x - area.x, y: mouse.y - area.y, at: now())
        else { return }
        if pane == .messages, state.searched != nil {
            found.update { table, source in _ = table.perform(command, source: source, at: now()) }
            chosen = found.table.selection
            return
        }
        if case .click = command, state.focus != .input, state.focus != pane { try move(to: .input) }
        try perform(command, in: pane)
        if case .click = command, pane == .roster, layout.panes[1].isEmpty { try move(to: .input) }
    }
}
