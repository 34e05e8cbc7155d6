import Foundation
import LiveTable

/// The chat on a terminal: the roster at the left, a conversation at the right, the composer below it.
@MainActor final class ChatScreen: ScreenProgram {
    /// The number of messages that a conversation shows initially. It grows with new messages and with looking back.
    static let firstMessages = 50
    static let mostMessages = 300
    static let fewestMessages = 20

    var state: ChatState
    let chat: ChatDatabase
    let tables: LiveTables
    let roster: LiveTable
    let conversation: LiveTable
    let unread = UnreadMark()
    let now: () -> Double

    init(
        chat: ChatDatabase, options: ChatOptions, keys: ChatKeys, theme: Theme, size: (width: Int, height: Int),
        now: @escaping () -> Double
    ) throws {
        self.chat = chat
        self.now = now
        state = ChatState(
            screen: ScreenState(size: size, theme: theme, keepsNotices: false), keys: keys, ownName: NSUserName(),
            buddy: Cast.people[0].lowercased(),
            script: options.script == .demo ? Script(seed: options.seed, now: now()) : nil)

        let tableOptions = TableOptions(theme: theme, motion: options.motion)
        tables = try LiveTables(connection: chat.database.newConnection())
        // The order, and so each colour, is the same in each run.
        let people = People([state.ownName] + Cast.people)
        roster = Self.roster(tableOptions, people)
        conversation = Self.conversation(
            with: state.composer.buddy, tableOptions, ownName: state.ownName, unread, people)
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
    func handle(_ event: InputEvent) {
        attempt { if let request = state.update(event) { try perform(request) } }
    }

    func showTheme() {
        attempt { for list in [roster, conversation] { try list.setTheme(theme, at: now()) } }
    }

    func prepareFrame() {
        runScript()
        attempt { try continueSearch() }
    }

    /// Shows commits of this or another process.
    func followCommits() {
        state.screen.redraw()
        attempt {
            let misfits = try tables.advance(at: now())
            if let misfit = misfits.first { show(failure: "\(misfit)") }
            try restartSearch()
            followSelection()
        }
    }

    /// The id of the buddy whose conversation is shown.
    var buddy: String { state.composer.buddy }

    /// Shows the conversation of the selected buddy and marks it as read.
    func followSelection() {
        // During typing, matches on the roster change constantly.
        guard let selected = roster.table.selection?.key, state.search?.line == nil else { return }
        if selected != buddy { show(conversationWith: selected) }
        markRead()
    }

    private func show(conversationWith other: String) {
        if state.search?.pane == .messages { state.search = nil }
        state.composer.turn(to: other)
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
        guard state.isLookedAt else { return }
        chat.update(buddy, report) { $0.unread = 0 }
    }

    /// Performs the simulated buddies' due events. While one of their commits is pending they pause; otherwise a file
    /// locked for long would get a queue of them, with the user's messages at its end.
    func runScript() {
        guard state.scripted == 0 else { return }
        for event in state.script?.due(by: now()) ?? [] {
            state.scripted += 1
            let done: ChatDatabase.Completion = { [weak self] result in
                self?.state.scripted -= 1
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
        show(failure: what + "\(error)")
    }

    func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            fail(error)
        }
    }

    /// When the next frame of an animation or a buddy's next event is due, or a line counts as slow.
    var nextTime: Double? {
        if state.search?.scan != nil { return 0 }
        let drawn = state.screen.lastDrawn
        return [
            tables.nextFrame(after: drawn), state.scripted == 0 ? state.script?.nextTime : nil,
            state.composer.nextToTell(after: drawn),
        ].compactMap(\.self).min()
    }
}
