import Foundation
import LiveTable

/// The chat on a terminal: the roster at the left, a conversation beside it, the composer below it; on a wide screen also
/// who the other one is.
@MainActor final class ChatScreen: ScreenProgram {
    /// The number of messages that a conversation shows first, and by which it grows when the user looks back.
    static let firstMessages = 50
    static let minMessages = 20

    var state: ChatState
    let chat: ChatDatabase
    let tables: LiveTables
    let roster: LiveTable
    let conversation: LiveTable
    let found: FoundTable
    let facts: Facts
    let searcher: YapDatabaseConnection
    let searches = SearchTurn()
    let now: () -> Double
    let isRefusal: (any Error) -> Bool
    var performer: Performer?
    /// Hears of each own message that is in the file.
    var onStored: (String) -> Void = { _ in }

    /// Signs of life, of all and of this chat.
    var watch = BeatWatch()
    var pulse = Pulse()
    /// What the file has of the composer, so that changes are noticed.
    var storedDraft = Draft()
    var draftDue: Double?
    /// What was on the screen last, so that it is noted once.
    var seen = Seen()
    var profile = Profile()
    /// Whether the screen was wide enough for the profile at its last layout. At the start the profile is read in any case.
    var showsProfile = true
    /// The conversations, as they were when the person was notified of them last.
    var notified: [RosterRow] = []
    /// The match that is selected.
    var chosen: RowKey?
    /// Whether a search runs.
    var isSearching = false
    /// The words of the matches on the screen, and the commits since they were searched for.
    var shownSearch: (words: String, commits: Int)?
    /// The numbers of conversations as they were to be stored last.
    var askedNumbers: [String: Int] = [:]
    /// The terminal's title as it was asked for last.
    var shownTitle: String?
    /// Whether the server is back, and the notice about it was not shown yet.
    var isBackAgain = false
    var awayWish: AwayWish?
    var placeWatch: PlaceWatch?
    /// Whether the rows on the screen are to be drawn again once nothing moves.
    var mustRedraw = false

    init(
        chat: ChatDatabase, options: ChatOptions, keys: ChatKeys, theme: Theme, size: (width: Int, height: Int),
        now: @escaping () -> Double
    ) throws {
        self.chat = chat
        (self.now, isRefusal) = (now, options.isRefusal)
        let me = chat.me
        facts = Facts(me: me) { chat.now }
        let url = chat.database.databaseURL
        if options.privacy == nil { facts.reach = SharedFile.reach(of: url) }
        facts.space = try options.space ?? chat.database.followedSpace?.title
        facts.privacy = options.privacy ?? SharedFile.privacy(of: url)
        facts.invitation = options.invitation + (facts.reach == .user ? " --as NAME" : "")
        tables = try LiveTables(connection: chat.database.newConnection())
        searcher = try chat.database.newConnection()
        let start = try tables.connection.read { try ChatStart($0, of: chat, wanted: options.other) }
        state = ChatState(
            screen: ScreenState(size: size, theme: theme, keepsNotices: false), keys: keys, me: me,
            composer: Composer(conversation: start.conversation, drafts: start.drafts))
        state.settings = start.settings
        state.invitation = facts.invitation
        state.lastInput = now()
        storedDraft = state.composer.draft
        state.delay = chat.delay
        state.composer.outbox.restore(start.unsent, at: now())

        let tableOptions = TableOptions(theme: theme, motion: options.motion)
        roster = Self.roster(tableOptions, facts)
        conversation = Self.conversation(start.conversation, tableOptions, facts)
        found = FoundTable(tableOptions, facts)
        for table in [roster, conversation] { try tables.add(table) }
        let everyone = try tables.connection.read { try $0[Chat.people].readableValues() }
        if let script = try options.makeScript(with: me, everyone, now: now()) {
            performer = Performer(script, in: chat) { [weak self] error in self?.fail(error) }
            let people = script.people.joined(separator: ", ")
            // On a small screen it would cover the messages.
            show(notice: size.width < 60 ? "Simulated people" : "\(people): simulated people, played by this program.")
        }
        let unreadable = try tables.connection.read { try $0.unreadable() }
        if let first = unreadable.first {
            let others = unreadable.count > 1 ? " and \(unreadable.count - 1) more rows" : ""
            show(
                notice: "\(first.key) in \(first.collection)\(others) cannot be read by this version, and are left out."
            )
        }
        try tellOfStranger()
        followPlace()
        if let needsServer = chat.needsServer { show(failure: "\(needsServer)") }
        try layOut()
        try refresh(tells: false)
        try show(state.composer.conversation)
        if state.settings.open != start.conversation {
            state.settings.open = start.conversation
            storeSettings()
        }
    }

    /// Says that the person whom the open conversation is with has never been here.
    private func tellOfStranger() throws {
        guard let conversation = state.conversation, let name = conversation.other(than: chat.me),
            try tables.connection.read({ try $0.isWithStranger(conversation, chat.me) })
        else { return }
        show(notice: "\(name) has never been in this chat, and finds what you write on coming in.")
    }

    private static func roster(_ options: TableOptions, _ facts: Facts) -> LiveTable {
        let mappings = YapDatabaseViewMappings(
            groups: Standing.allCases.map { Seat.group(facts.me, $0) }, view: Chat.roster.name)
        mappings.setIsDynamicSectionForAllGroups(true)
        var options = options
        options.emptyText = "No one here yet"
        options.follows = []
        return LiveTable(mappings: mappings, options: options, header: RosterCell.header) { row in
            guard let entry = try row.readable() as? RosterEntry else { return RowCell([Line(text: "?")]) }
            let shown = try row.transaction.shown(entry)
            return RosterCell(theme: row.theme, facts: facts).cell(shown, width: row.width)
        }
    }

    private static func conversation(_ id: String, _ options: TableOptions, _ facts: Facts) -> LiveTable {
        var options = options
        options.opensAt = .end
        options.follows = .end
        options.showsNewRowsAtOnce = true
        options.emptyText = "No messages yet"
        return LiveTable(mappings: mappings(of: id), options: options) { row in
            guard let message = try row.readable() as? Message else { return RowCell([Line(text: "?")]) }
            try facts.marks.update(row.transaction)
            if let reply = message.reply { facts.quotes[reply.id] = .some(try row.transaction.quoted(reply.id)) }
            let title = row.index == 0 ? Conversation(id: row.group)?.title(for: facts.me) : nil
            func neighbor(_ offset: Int) throws -> Message? { try readable { try row.neighbor(offset) } as? Message }
            let cell = MessageCell(theme: row.theme, facts: facts)
            return cell.cell(
                message, after: try neighbor(-1), at: try ShownTime(message, now: cell.now, neighbor: neighbor),
                beginning: title, width: row.width)
        }
    }

    /// Returns mappings of the newest messages. A message's cell depends on those beside it.
    static func mappings(of conversation: String, length: Int = firstMessages) -> YapDatabaseViewMappings {
        let mappings = YapDatabaseViewMappings(groups: [conversation], view: Chat.conversations.name)
        mappings.setRangeOptions(range(length: length), forGroup: conversation)
        mappings.setCellDrawingDependencyOffsets(Set(-ShownTime.reach...1).subtracting([0]), forGroup: conversation)
        return mappings
    }

    static func range(length: Int) -> YapDatabaseViewRangeOptions {
        let range = YapDatabaseViewRangeOptions.flexibleRange(withLength: max(1, length), offset: 0, from: .end)
        range.minLength = minMessages
        return range
    }
}

/// Where a person left the chat.
struct ChatStart {
    var conversation = ""
    var drafts: [String: Draft] = [:]
    var settings = Settings()
    /// What was not sent.
    var unsent: [Sending] = []

    init(_ transaction: YapDatabaseReadTransaction, of chat: ChatDatabase, wanted: String?) throws {
        let me = chat.me
        unsent = try chat.unsent(transaction)
        let roster = try transaction.roster(of: me)
        settings = try transaction[Chat.settings].readable(me)?.settings ?? Settings()
        for row in roster {
            let draft = try transaction[Chat.drafts].readable(row.key)?.draft
            // A chat that was killed when it sent the text left it in both places.
            let isUnsent = unsent.contains { $0.conversation == row.conversation && $0.draft == draft }
            if let draft, !isUnsent { drafts[row.conversation] = draft }
        }
        let left = settings.open.flatMap { open in roster.first { $0.conversation == open } }
        let first = left ?? roster.first { $0.unread > 0 } ?? roster.first { $0.last > .distantPast }
        conversation =
            try wanted.map { try transaction.conversation(named: $0, by: me).id }
            ?? first?.conversation ?? Conversation.note(me).id
    }
}

extension ChatScreen {
    /// Tells the user of what has come since: private messages and mentions, never of what is on the screen.
    func tell(_ before: [RosterRow]) {
        let known = Dictionary(before.map { ($0.conversation, $0) }) { $1 }
        for row in state.roster {
            let old = known[row.conversation]
            let isPrivate = row.unread > (old?.unread ?? 0) && row.standing != .rooms
            guard isPrivate || row.mentions > (old?.mentions ?? 0), !row.seat.isMuted, !state.settings.isQuiet else {
                continue
            }
            if row.conversation == state.composer.conversation, isConversationSeen { continue }
            tell(of: row)
        }
    }

    private func tell(of row: RosterRow) {
        notified.append(row)
        if notified.count > 100 { notified.removeFirst(50) }
        if state.settings.bell { state.screen.request(.bell) }
        guard state.settings.notify else { return }
        let last = try? tables.connection.read { transaction in
            try transaction.last(in: Conversation(id: row.conversation) ?? .note(chat.me)) { !$0.isBy(chat.me) }
        }
        state.screen.request(.notify(title: row.title, body: last?.firstLine ?? ""))
    }

    /// Shows in the terminal's title what is unread and which conversation is open.
    func showTitle() {
        let unread = state.roster.reduce(0) { $0 + ($1.seat.isMuted ? 0 : $1.unread) }
        let name = state.conversation?.title(for: chat.me) ?? ""
        let title = state.settings.title ? (unread > 0 ? "(\(unread)) " : "") + "\(name) - yap chat" : nil
        guard title != shownTitle else { return }
        shownTitle = title
        state.screen.request(.title(title))
    }
}
