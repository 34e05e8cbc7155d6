import LiveTable

/// The state of the chat, besides the rows of its tables.
struct ChatState: ProgramState {
    /// The part of the screen that gets keys.
    enum Focus: CaseIterable {
        case input
        case roster
        case messages
    }

    /// What an event asks of the tables and the database.
    enum Request: Hashable {
        case layOut
        /// Shows the user what has arrived.
        case look
        case mouse(MouseEvent)
        case search(PromptLine<ChatSearch.Pattern>.Event)
        case send(String)
        case move(TableCommand)
        case perform(Action)
    }

    var screen: ScreenState
    let keys: ChatKeys
    let ownName: String
    /// Parses strokes in a list: counts and sequences.
    var strokes: KeyReader
    var focus = Focus.input
    var composer: Composer
    /// The last search, if there was one in this conversation.
    var search: ChatSearch?
    /// Earlier patterns, the oldest first.
    var patterns: [String] = []
    /// Whether the terminal has the keyboard focus: messages that arrive without it are unread.
    var isLookedAt = true
    var script: Script?
    /// The number of the script's events that are not stored yet.
    var scripted = 0

    init(screen: ScreenState, keys: ChatKeys, ownName: String, buddy: String, script: Script? = nil) {
        self.screen = screen
        self.keys = keys
        self.ownName = ownName
        self.script = script
        strokes = KeyReader(keys.lists)
        composer = Composer(buddy: buddy)
    }
}

extension ChatState {
    mutating func update(_ event: InputEvent) -> Request? {
        switch event {
        case .resize(let width, let height):
            screen.size = (width, height)
            return .layOut
        case .focus(let hasFocus):
            isLookedAt = hasFocus
            return hasFocus ? .look : nil
        case .mouse(let mouse):
            if case .press = mouse.kind { screen.message = nil }
            screen.text = nil
            return .mouse(mouse)
        case .key, .paste:
            screen.message = nil
            if screen.text != nil {
                if case .key(let key, let modifiers) = event { screen.handleOverText(strokes.read(key, modifiers)) }
                return nil
            }
            if search?.line != nil { return updateSearchLine(event) }
            return focus == .input ? updateLine(event) : updateList(event)
        }
    }

    private mutating func updateSearchLine(_ event: InputEvent) -> Request? {
        if let outcome = search?.line?.handle(event) { return .search(outcome) }
        return keys.writing.action(of: event) == .quit ? perform(.quit) : nil
    }

    private mutating func updateLine(_ event: InputEvent) -> Request? {
        // In the line, the key for editing the last message moves through the history.
        if let action = keys.writing.action(of: event), action != .editLast || composer.field.isEmpty {
            return perform(action)
        }
        if case .paste(let text) = event {
            if !composer.insert(pasted: text) {
                screen.message = .failure(
                    "Only \(TextField.mostCharacters) characters fit: the rest was left out.")
            }
            return nil
        }
        if case .submitted(let line)? = composer.field.handle(event) { return .send(line) }
        // A cleared line is dropped; the next waiting draft takes its place.
        composer.refill()
        return nil
    }

    private mutating func updateList(_ event: InputEvent) -> Request? {
        guard case .key(let key, let modifiers) = event,
            case .action(let action, let count) = strokes.read(key, modifiers)
        else { return nil }
        return TableCommand(action, count: count).map { .move($0) } ?? perform(action)
    }

    private mutating func perform(_ action: Action) -> Request? {
        let isDone = screen.perform(
            action, help: keys.help, messageTitle: "What went wrong",
            nothing: .failure("There was no error so far."))
        return isDone ? nil : .perform(action)
    }
}
