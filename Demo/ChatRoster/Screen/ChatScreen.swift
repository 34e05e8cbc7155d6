import Foundation
import LiveTable

/// The chat on a terminal: the roster at the left, a conversation at the right, the composer below it.
@MainActor final class ChatScreen {
    /// The part of the screen that gets keys.
    enum Focus: CaseIterable {
        case input
        case roster
        case messages
    }

    /// The number of messages that a conversation shows initially. It grows with new messages and with looking back.
    static let firstMessages = 50
    static let mostMessages = 300
    static let fewestMessages = 20

    let chat: ChatDatabase
    let ownName: String
    private(set) var theme: Theme
    let now: () -> Double
    let tables: LiveTables
    let roster: LiveTable
    let conversation: LiveTable
    var script: Script?

    var focus = Focus.input
    var field: TextField
    /// The draft in the composer; its text is in `field`.
    var composed = Draft()
    /// The id of the buddy whose conversation is shown.
    var buddy: String
    let unread: UnreadMark
    /// Whether the terminal has the keyboard focus: messages that arrive without it are unread.
    var isLookedAt = true
    /// The drafts of each conversation, the next one first.
    var drafts: [String: [Draft]] = [:]
    /// Lines sent but not stored yet.
    var sending: [Sending] = []
    /// The number of the script's events that are not stored yet.
    var scripted = 0
    /// The last search, if there was one in this conversation.
    var search: ChatSearch?
    /// Earlier patterns, the oldest first.
    var patterns: [String] = []
    /// The help, while it is shown.
    var help: Overlay?
    let keys: ChatKeys
    /// Parses strokes in a list: counts and sequences.
    var strokes: KeyReader
    /// The last failure, shown until the next key.
    var failure: String? { didSet { lastFailure = failure ?? lastFailure } }
    /// The last failure, kept to be read in full later.
    private(set) var lastFailure: String?
    /// Confirms an invisible effect, shown until the next key.
    var notice: String?
    var size = (width: 80, height: 24)
    /// The time of the frame on the screen.
    var lastDrawn = 0.0
    /// Ends the chat; set by the owner of the loop.
    var quit: () -> Void = {}
    /// Switches the mouse and returns whether it is on.
    var toggleMouse: () -> Bool = { true }
    /// Called when something must be redrawn.
    var changed: () -> Void = {}
    /// Puts text on the terminal's clipboard.
    var copy: (String) throws -> Void = { _ in }

    init(
        chat: ChatDatabase, options: ChatOptions, keys: ChatKeys, theme: Theme, size: (width: Int, height: Int),
        now: @escaping () -> Double
    ) throws {
        self.chat = chat
        self.now = now
        self.size = size
        self.keys = keys
        strokes = KeyReader(keys.lists)
        ownName = NSUserName()
        self.theme = theme
        script = options.script == .demo ? Script(seed: options.seed, now: now()) : nil
        buddy = Cast.people[0].lowercased()
        field = TextField(placeholder: "Write a message")

        let tableOptions = TableOptions(theme: theme, motion: options.motion)
        tables = try LiveTables(connection: chat.database.newConnection())
        // The order, and so each colour, is the same in each run.
        let people = People([ownName] + Cast.people)
        roster = Self.roster(tableOptions, people)
        unread = UnreadMark()
        conversation = Self.conversation(with: buddy, tableOptions, ownName: ownName, unread, people)
        try tables.add(roster)
        try tables.add(conversation)
        try layOut()
        let selected = RowKey(collection: Buddy.collection, key: buddy)
        try roster.update { table, source in table.select(source.path(of: selected), source: source, at: now()) }
        try findUnread()
        markRead()
    }

    private static func roster(_ options: TableOptions, _ people: People) -> LiveTable {
        let mappings = YapDatabaseViewMappings(
            groups: Presence.allCases.map(\.rawValue), view: ChatDatabase.rosterView)
        mappings.setIsDynamicSection(true, forGroup: Presence.available.rawValue)
        mappings.setIsDynamicSection(true, forGroup: Presence.away.rawValue)
        var options = options
        options.emptyText = "No buddies yet"
        options.follows = []
        return LiveTable(mappings: mappings, options: options, header: RosterCell.header) { row in
            guard let buddy = try row.object() as? Buddy else { return RowCell([Line(text: "?")]) }
            return RosterCell(theme: row.theme, people: people).cell(buddy, width: row.width)
        }
    }

    private static func conversation(
        with buddy: String, _ options: TableOptions, ownName: String, _ unread: UnreadMark, _ people: People
    ) -> LiveTable {
        var options = options
        options.opensAt = .end
        options.follows = .end
        options.emptyText = "No messages yet"
        return LiveTable(mappings: mappings(ofConversation: buddy), options: options) { row in
            guard let message = try row.object() as? Message else { return RowCell([Line(text: "?")]) }
            return MessageCell(theme: row.theme, ownName: ownName, firstUnread: unread.first, people: people).cell(
                message, after: try row.neighbor(-1) as? Message, buddy: row.group.capitalized, width: row.width)
        }
    }

    /// Returns mappings of the newest messages. A message's cell depends on the one before it.
    static func mappings(ofConversation buddy: String, length: Int = firstMessages) -> YapDatabaseViewMappings {
        let mappings = YapDatabaseViewMappings(groups: [buddy], view: ChatDatabase.messagesView)
        mappings.setRangeOptions(range(length: length), forGroup: buddy)
        mappings.setCellDrawingDependencyForNeighboringCellWithOffset(-1, forGroup: buddy)
        return mappings
    }

    static func range(length: Int) -> YapDatabaseViewRangeOptions {
        let range = YapDatabaseViewRangeOptions.flexibleRange(withLength: length, offset: 0, from: .end)
        // Messages shown by a search stay.
        range.maxLength = max(mostMessages, length)
        range.minLength = fewestMessages
        return range
    }
}

// MARK: Events

extension ChatScreen {
    /// Shows commits of this or another process.
    func followCommits() {
        attempt {
            let misfits = try tables.advance(at: now())
            if let misfit = misfits.first { failure = "\(misfit)" }
            try restartSearch()
            followSelection()
        }
    }

    /// Adapts the theme to the terminal's background.
    func show(on background: Theme.Background) {
        theme.background = background
        attempt {
            for list in [roster, conversation] { try list.setTheme(theme, at: now()) }
        }
    }

    /// Shows the conversation of the selected buddy and marks it as read.
    func followSelection() {
        // During typing, matches on the roster change constantly.
        guard let selected = roster.table.selection?.key, search?.line == nil else { return }
        if selected != buddy { show(conversationWith: selected) }
        markRead()
    }

    private func show(conversationWith other: String) {
        setAside()
        if search?.pane == .messages { search = nil }
        buddy = other
        nextDraft()
        attempt {
            try conversation.show(Self.mappings(ofConversation: other), at: now())
            try findUnread()
        }
    }

    /// Puts the line "new" above the first unread message.
    func findUnread() throws {
        unread.first = try tables.connection.read { transaction in
            try ChatDatabase.firstUnread(of: buddy, in: transaction)
        }
        try conversation.update { table, source in table.reload(source: source, at: now()) }
    }

    func markRead() {
        guard isLookedAt else { return }
        chat.update(buddy, report) { $0.unread = 0 }
    }

    /// Performs the simulated buddies' due events. While one of their commits is pending they pause; otherwise a file
    /// locked for long would get a queue of them, with the user's messages at its end.
    func runScript() {
        guard scripted == 0 else { return }
        for event in script?.due(by: now()) ?? [] {
            scripted += 1
            let done: ChatDatabase.Completion = { [weak self] result in
                self?.scripted -= 1
                self?.report(result)
            }
            switch event {
            case .presence(let buddy, let presence, let status):
                chat.update(buddy, done) {
                    $0.presence = presence
                    $0.status = status
                    $0.isTyping = false
                    $0.lastSeen = Date()
                }
            case .typing(let buddy, let isTyping): chat.setTyping(buddy, isTyping, done)
            case .message(let buddy, let text): chat.add(message(text, in: buddy, isMine: false), done)
            case .deletion(let buddy): chat.deleteLast(of: buddy, done)
            }
        }
    }

    var report: ChatDatabase.Completion {
        { [weak self] result in
            if case .failure(let error) = result { self?.fail(error) }
        }
    }

    /// Shows a failure at once, even if nothing moves.
    func fail(_ error: any Error, _ what: String = "") {
        failure = what + "\(error)"
        changed()
    }

    func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            fail(error)
        }
    }

    /// Returns when something is due: the next frame, or a buddy's next event.
    func nextTime() -> Double? {
        if search?.scan != nil { return 0 }
        return [tables.nextFrame(after: lastDrawn), scripted == 0 ? script?.nextTime : nil, nextToTell].compactMap(
            \.self
        ).min()
    }
}
