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
    }
}
