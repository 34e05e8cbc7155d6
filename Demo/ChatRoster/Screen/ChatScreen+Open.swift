import Foundation
import LiveTable

extension ChatScreen {
    /// The number of messages shown above one that is jumped to.
    private static let messagesAbove = 20

    /// Opens a conversation, at the first unread message if more is unread than the screen has room for.
    func open(_ id: String) throws {
        guard id != state.composer.conversation else { return }
        if state.composer.draft != storedDraft { store(state.composer.draft, in: state.composer.conversation) }
        // What was asked about goes along.
        let asked = state.hasAskedWhom ? state.composer.take()?.text : nil
        state.hasAskedWhom = false
        if asked != nil { store(Draft(), in: state.composer.conversation) }
        state.composer.turn(to: id)
        storedDraft = state.composer.draft
        if let asked, state.composer.draft.isEmpty { state.composer.replaceText(asked) }
        state.lastTyped = nil
        state.completion.reset()
        facts.unfolded = []
        facts.firstUnread = nil
        seen = Seen()
        try conversation.show(Self.mappings(of: id), at: now())
        try layOut()
        try refresh(tells: false)
        state.settings.open = id
        storeSettings()
        try show(id)
    }

    /// Shows the newest part of the open conversation, and its place on the roster.
    func show(_ id: String) throws {
        let key = RowKey(collection: Chat.roster.collection.name, key: Seat.key(chat.me, id))
        try roster.update { table, source in table.select(source.path(of: key), source: source, at: now()) }
        let first = try tables.connection.read { try $0.firstUnread(of: chat.me, in: id) }
        facts.firstUnread = first?.id
        state.asksWhom = isUnusedNote
        try redrawRows()
        guard let first, let unread = state.row?.unread, unread > messagesArea.height / 3 else { return }
        try include(index: first.index)
        let row = RowKey(collection: Chat.messages.name, key: first.id)
        try conversation.update { table, source in
            table.restore(.anchored(row, line: 0), source: source, at: now())
            // If what follows does not fill the screen, the end is shown.
            table.perform(.scroll(lines: 0), source: source, at: now())
        }
    }

    /// Whether the open conversation is the person's note, and nothing is in it.
    var isUnusedNote: Bool {
        let id = state.composer.conversation
        return id == Conversation.note(chat.me).id && conversation.mappings.numberOfItems(inGroup: id) == 0
    }

    // MARK: The range

    /// Loads older messages before the user comes to the first that is shown. The text stands still.
    func lookBack() throws {
        let id = state.composer.conversation
        let position = conversation.mappings.rangePosition(forGroup: id)
        guard position.offsetFromBeginning > 0 else { return }
        if case .row(_, let path) = conversation.table.hit(x: 0, y: 0, at: now() + 10), path.row > Self.minMessages {
            return
        }
        try showMessages(position.length + Self.firstMessages)
    }

    /// Shows a number of the newest messages.
    func showMessages(_ length: Int) throws {
        try conversation.reconfigure(at: now()) { mappings in
            mappings.setRangeOptions(Self.range(length: length), forGroup: state.composer.conversation)
        }
    }

    func showAllMessages() throws {
        let position = conversation.mappings.rangePosition(forGroup: state.composer.conversation)
        if position.offsetFromBeginning > 0 { try showMessages(position.offsetFromBeginning + position.length) }
    }

    /// Makes the range begin before a message of the conversation.
    private func include(index: Int) throws {
        let position = conversation.mappings.rangePosition(forGroup: state.composer.conversation)
        guard index - Self.messagesAbove < position.offsetFromBeginning else { return }
        let all = position.offsetFromBeginning + position.length + position.offsetFromEnd
        try showMessages(all - max(0, index - Self.messagesAbove))
    }

    // MARK: Jumps

    /// Selects a message of the open conversation and shows it in the middle. Returns false if it is not there.
    @discardableResult
    func jump(toMessage id: String) throws -> Bool {
        let conversation = state.composer.conversation
        let place = try tables.connection.read { try $0[Chat.conversations].place(of: id) }
        guard let place, place.group == conversation else { return false }
        try jump(toIndex: place.index)
        return true
    }

    private func jump(toIndex index: Int) throws {
        try include(index: index)
        let row = conversation.mappings.row(forIndex: index, inGroup: state.composer.conversation)
        try conversation.update { table, source in
            table.select(row.map { RowPath(section: 0, row: $0) }, source: source, at: now())
            table.perform(.center, source: source, at: now())
        }
    }

    func jumpToFirstUnread() throws {
        let (me, id) = (chat.me, state.composer.conversation)
        if let first = try tables.connection.read({ try $0.firstUnread(of: me, in: id) }) {
            return try jump(toIndex: first.index)
        }
        if let id = facts.firstUnread, try jump(toMessage: id) { return }
        show(notice: "Nothing is unread here.")
    }

    func jumpToLastMention() throws {
        let (me, conversation) = (chat.me, state.composer.conversation)
        let last = try tables.connection.read { try $0.lastMention(of: me, in: conversation) }
        if let last, try jump(toMessage: last) { return }
        show(notice: "No message here names you.")
    }

    func jump(toDay text: String) throws {
        guard let day = ChatDates.typed.date(from: text.trimmed) else {
            return show(failure: "\"\(text)\" is no date: write it as 2026-11-23.")
        }
        let id = state.composer.conversation
        let index = try tables.connection.read { transaction in
            min(try transaction.count(of: id, before: day), try transaction[Chat.conversations].count(in: id) - 1)
        }
        guard index >= 0 else { return show(notice: "There is no message yet.") }
        try jump(toIndex: index)
    }

    func openNextUnread() throws {
        let rows = state.roster
        let here = rows.firstIndex { $0.conversation == state.composer.conversation } ?? -1
        let next = rows.indices.lazy.map { rows[(here + 1 + $0) % rows.count] }.first {
            $0.unread > 0 && !$0.seat.isMuted && $0.conversation != self.state.composer.conversation
        }
        guard let next else { return show(notice: "Nothing else is unread.") }
        try open(next.conversation)
    }
}
