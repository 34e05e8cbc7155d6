import LiveTable

/// The state of the chat, besides the rows of its tables.
struct ChatState: ProgramState {
    /// The part of the screen that gets keys.
    enum Focus: CaseIterable {
        case input
        case roster
        case messages
    }

    /// What the screen has to do with its tables and the database after an event.
    enum Request: Hashable {
        case layOut
        /// The terminal got or lost the keyboard.
        case look
        case mouse(MouseEvent)
        case send
        case sendParts([String])
        case storePaste(LongPaste)
        case command(ChatCommand)
        case open(String)
        /// Opens the conversation that has this number on the roster, from 1.
        case openNumber(Int)
        case search(String)
        case moveFound(Int)
        case openFound
        case endSearch
        case move(TableCommand, in: Focus)
        case focus(Focus)
        case selectNoMessage
        /// Opens the conversation of the roster to which the command moves.
        case step(TableCommand)
        case openNextUnread
        case goToFirstUnread
        case goToLastMention
        case showEnd
        case retry
        case takeBack
        case restoreDeleted
        case editLast
        case message(MessageRequest)
    }

    /// What the screen has to do with the selected message.
    enum MessageRequest: Hashable {
        case copy
        case unfold
        case reply
        case react(String)
        case edit
        case delete
        case who
    }

    /// A line at the bottom of the screen into which a person types.
    enum Prompt: Hashable, Sendable {
        case search(PromptLine<SearchQuestion>)
        case goTo(GoTo)
        case react(EmojiChoice)
        case paste(LongPaste)
    }

    enum SearchQuestion: PromptQuestion {
        case words
        var label: String { " search: " }
    }

    var screen: ScreenState
    let keys: ChatKeys
    let me: String
    /// Parses strokes in a list: counts and sequences.
    var strokes: KeyReader
    var focus = Focus.input
    var composer: Composer
    var prompt: Prompt?
    var completion = Completion()
    /// Whether the terminal has the keyboard focus: messages that arrive without it are unread.
    var isLookedAt = true
    var settings = Settings()
    /// The conversations of this person, in the order of the roster.
    var roster: [RosterRow] = []
    /// The ids of all rooms, including the rooms that this person has not joined.
    var rooms: [String] = []
    /// The people in the open conversation.
    var members: [String] = []
    /// Whether the last key was Ctrl-X. Then Ctrl-E opens the editor.
    var hasPrefix = false
    /// The people who are typing in the open conversation.
    var typing: [String] = []
    /// Why the file is not up to date with its server; nil if it is.
    var delay: ServerDelay?
    /// The number of messages with changes that the server does not have yet.
    var pendingMessages = 0
    /// The command with which another person joins this chat.
    var invitation = ""
    /// The conversation whose unsent text shall return to the input line when the running attempt to send it has failed.
    var wantsBack: String?
    /// The line of a command that failed. It stays in the input line to be corrected, until a person begins another command.
    var failedLine: String?
    /// Whether the first line, which would be a note to oneself, is sent only after the question to whom it goes.
    var asksWhom = false
    /// Whether that question was asked. Then the line moves along to the conversation that is opened next.
    var hasAskedWhom = false
    /// The numbers of conversations on the roster, by conversation.
    var numbers: [String: Int] = [:]
    /// The message that was deleted last and can be restored. When it becomes nil, the notice about it disappears.
    var deleted: Message? { didSet { if deleted == nil, screen.message == Self.undoNotice { screen.message = nil } } }
    /// The time of the last key or click.
    var lastInput = 0.0
    /// The time of the last key that changed the text; nil when nothing is being written.
    var lastTyped: Double?
    /// The number of matches of the search on the screen.
    var found: Int?

    init(screen: ScreenState, keys: ChatKeys, me: String, composer: Composer) {
        self.screen = screen
        self.keys = keys
        self.me = me
        strokes = KeyReader(keys.lists)
        self.composer = composer
    }

    /// The roster's row of the open conversation.
    var row: RosterRow? { roster.first { $0.conversation == composer.conversation } }
    var conversation: Conversation? { Conversation(id: composer.conversation) }
}

extension ChatState {
    mutating func update(_ event: InputEvent) -> Request? {
        if screen.typeOverText(event) { return nil }
        switch event {
        case .resize(let width, let height):
            screen.size = (width, height)
            return .layOut
        case .focus(let hasFocus):
            isLookedAt = hasFocus
            return .look
        case .mouse(let mouse):
            if case .press = mouse.kind { screen.message = nil }
            if screen.text != nil {
                screen.handleOverText(mouse)
                return nil
            }
            return .mouse(mouse)
        case .key, .paste:
            screen.message = nil
            if screen.text != nil, handleOverText(event) { return nil }
            if let number = Self.number(event) { return .openNumber(number) }
            if prompt != nil { return updatePrompt(event) }
            return focus == .input ? updateComposer(event) : updateList(event)
        }
    }

    /// Returns the number of the key Alt-1 to Alt-9; nil for other events.
    private static func number(_ event: InputEvent) -> Int? {
        guard case .key(.character(let digit), .alt) = event, let number = digit.wholeNumberValue, digit.isASCII,
            number > 0
        else { return nil }
        return number
    }

    // MARK: Writing

    private mutating func updateComposer(_ event: InputEvent) -> Request? {
        if hasPrefix || event == .key(.character("x"), .control) {
            let opens = hasPrefix && event == .key(.character("e"), .control)
            if opens { screen.request(.edit(composer.field.text)) }
            let isFirst = !hasPrefix && keys.writing.action(of: event) == nil
            defer { hasPrefix = isFirst }
            if opens || isFirst { return nil }
        }
        if let action = keys.writing.action(of: event) {
            switch action {
            case .editLast where !composer.field.isEmpty || composer.edited != nil: break
            case .focusNext where !composer.field.isEmpty:
                if !complete() { screen.message = .notice(Self.nothingToComplete) }
                return nil
            case .quit where composer.clear():
                lastTyped = nil
                return nil
            default: return perform(action)
            }
        }
        if let failedLine, event.beginsCommand, composer.field.text == failedLine { composer.replaceText("") }
        failedLine = nil
        if case .paste(let text, let missing) = event, missing > 0 || !composer.insert(pasted: text) {
            // An edited message stays one message: it cannot take a paste that would be split.
            guard composer.edited == nil else {
                screen.message = .failure("A message has at most \(TextField.maxCharacters) characters.")
                return nil
            }
            prompt = .paste(LongPaste(text, missing: missing, after: composer.field.text))
        } else if case .key = event {
            _ = composer.field.handle(event)
        }
        completion.reset()
        lastTyped = composer.field.isEmpty ? nil : lastInput
        return nil
    }

    private static let nothingToComplete = "Nothing to complete here. Shift-Tab leaves the line."

    /// Completes the word before the cursor, or puts the next candidate in its place. Returns false if there is nothing to complete.
    private mutating func complete() -> Bool {
        let others = roster.compactMap { $0.standing == .rooms ? nil : $0.title }
        let names = members.filter { $0 != me } + others.filter { !members.contains($0) }
        return completion.step(in: &composer.field) { word, isFirst in
            Candidates.of(word, isFirst: isFirst, names: names, emoji: EmojiNames.all, rooms: rooms)
        }
    }

    /// Returns the request that runs or sends the line: it is a command or a message.
    mutating func submit() -> Request? {
        do throws(BadCommand) {
            let text = composer.field.text.trimmed
            if composer.edited == nil, let command = try ChatCommand(text) {
                return .command(command)
            }
            if asksWhom, !text.isEmpty {
                (asksWhom, hasAskedWhom) = (false, true)
                screen.message = .notice(
                    "To whom? Ctrl-K goes to a person or a room. Enter again keeps it as a note to yourself.")
                return nil
            }
            return .send
        } catch {
            failedLine = composer.field.text
            screen.message = .failure("\(error)")
            return nil
        }
    }

    // MARK: Lists

    private mutating func updateList(_ event: InputEvent) -> Request? {
        guard case .key(let key, let modifiers) = event,
            case .action(let action, let count) = strokes.read(key, modifiers)
        else { return nil }
        return TableCommand(action, count: count).map { .move($0, in: focus) } ?? perform(action)
    }

    private mutating func perform(_ action: Action) -> Request? {
        switch action {
        case .send: return submit()
        case .goTo:
            prompt = .goTo(GoTo(roster, rooms: rooms))
            return nil
        case .message where delay != nil:
            showWhyBehind()
            return nil
        case .search:
            prompt = .search(PromptLine(.words))
            found = nil
            return .search("")
        default:
            let isDone = screen.perform(
                action, help: keys.help, messageTitle: "What went wrong",
                nothing: .failure("There was no error so far."))
            return isDone ? nil : request(action)
        }
    }

    /// Returns what the screen has to do with its tables and the database for an action; nil for nothing.
    private mutating func request(_ action: Action) -> Request? {
        switch action {
        case .write: return .focus(.input)
        case .focusNext: return .focus(Focus.allCases.neighbor(of: focus, up: true))
        case .focusPrevious: return .focus(Focus.allCases.neighbor(of: focus, up: false))
        case .cancel:
            if focus != .input { return .focus(.input) }
            return composer.giveUpEditing() ? nil : .selectNoMessage
        case .pageUp: return .move(.pageUp(), in: .messages)
        case .pageDown: return .move(.pageDown(), in: .messages)
        case .toEnd: return .showEnd
        case .nextConversation: return .step(.selectNext())
        case .previousConversation: return .step(.selectPrevious())
        case .nextUnread: return .openNextUnread
        case .firstUnread: return .goToFirstUnread
        case .lastMention: return .goToLastMention
        case .retry: return .retry
        case .takeBack: return .takeBack
        case .undo: return .restoreDeleted
        case .copyInvitation:
            screen.request(.copy(invitation, notice: "Copied: \(invitation)"))
            return nil
        case .editLast: return .editLast
        default: return messageRequest(action)
        }
    }

    private mutating func messageRequest(_ action: Action) -> Request? {
        let requests: [Action: MessageRequest] = [
            .copy: .copy, .unfold: .unfold, .reply: .reply, .edit: .edit, .delete: .delete,
            .who: .who,
        ]
        switch focus {
        case .messages where action == .react:
            prompt = .react(EmojiChoice())
        case .messages: return requests[action].map { .message($0) }
        case .roster: screen.message = .notice("Select a message first: Tab and k.")
        case .input: break
        }
        return nil
    }
}
