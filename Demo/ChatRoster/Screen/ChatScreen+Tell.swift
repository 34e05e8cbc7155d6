import LiveTable

extension ChatScreen {
    /// Tells the user of what has come since: private messages and mentions, never of what is on the screen.
    func tell(_ before: [Seat]) {
        let known = Dictionary(before.map { ($0.conversation, $0) }) { $1 }
        for seat in state.roster {
            let old = known[seat.conversation]
            let isPrivate = seat.unread > (old?.unread ?? 0) && seat.standing != .rooms
            guard isPrivate || seat.mentions > (old?.mentions ?? 0), !seat.isMuted, !state.settings.isQuiet else {
                continue
            }
            if seat.conversation == state.composer.conversation, isConversationSeen { continue }
            tell(of: seat)
        }
    }

    private func tell(of seat: Seat) {
        told.append(seat)
        if told.count > 100 { told.removeFirst(50) }
        if state.settings.bell { state.screen.request(.bell) }
        guard state.settings.notify else { return }
        let last = try? tables.connection.read { transaction in
            try transaction.last(in: Conversation(id: seat.conversation) ?? .note(chat.me)) { !$0.isBy(chat.me) }
        }
        state.screen.request(.notify(title: seat.title, body: last?.firstLine ?? ""))
    }

    /// Shows in the terminal's title what is unread and which conversation is open.
    func showTitle() {
        let unread = state.roster.reduce(0) { $0 + ($1.isMuted ? 0 : $1.unread) }
        let name = state.conversation?.title(for: chat.me) ?? ""
        let title = state.settings.title ? (unread > 0 ? "(\(unread)) " : "") + "\(name) - yap chat" : nil
        guard title != shownTitle else { return }
        shownTitle = title
        state.screen.request(.title(title))
    }
}
