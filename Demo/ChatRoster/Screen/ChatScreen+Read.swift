import Foundation
import LiveTable

/// What was on the screen last.
struct Seen {
    /// The rows at both edges and their commit, so that the same screen is looked at once.
    struct Mark: Hashable {
        var snapshot: Int
        var top: String
        var bottom: String
    }

    var mark: Mark?
    /// Whether a read position is on its way into the file.
    var isPending = false
    /// Before this time no further read position is stored.
    var earliest = -Double.infinity
    /// Whether a read position waits for that time.
    var isWaiting = false
    /// Seconds between two read positions: who reads along with many writers would otherwise commit as often as all of them.
    static let pace = 0.25
    /// Since when messages that were deleted have been on the screen.
    var deleted: [String: Double] = [:]
    /// Seconds for which a deleted message stays on the screen as deleted.
    static let patience = 6.0

    /// When something is to be noted although the screen stays as it is.
    var nextTime: Double? {
        let deletion = deleted.values.min().map { $0 + Self.patience }
        return isWaiting ? min(earliest, deletion ?? .infinity) : deletion
    }
}

extension ChatScreen {
    /// Whether the conversation can be seen now.
    var isConversationSeen: Bool {
        state.isLookedAt && state.screen.text == nil && state.searched == nil && !messagesArea.isEmpty
    }

    /// Notes what of the conversation is on the screen: as read, and as seen to be deleted.
    func noteSeen(at time: Double) throws {
        guard isConversationSeen, let row = state.row else {
            // What is not seen now begins again when it is.
            seen.deleted = [:]
            seen.mark = nil
            seen.isWaiting = false
            return
        }
        let height = messagesArea.height
        let rows = (0..<height).compactMap { line -> (RowKey, RowPath)? in
            if case .row(let key, let path) = conversation.table.hit(x: 0, y: line, at: time + 10) {
                (key, path)
            } else {
                nil
            }
        }
        guard let top = rows.first, let bottom = rows.last else { return }
        let mark = Seen.Mark(snapshot: tables.connection.snapshot, top: top.0.key, bottom: bottom.0.key)
        guard mark != seen.mark || seen.nextTime.map({ $0 <= time }) ?? false else { return }
        seen.mark = mark
        try noteDeleted(rows, at: time)
        guard !seen.isPending, let message = try message(at: bottom.1), message.position > row.seat.read else {
            return
        }
        guard chat.whyNotWritable == nil else {
            // Looked at again when it can be stored.
            seen.mark = nil
            return
        }
        seen.isWaiting = time < seen.earliest
        guard !seen.isWaiting else { return }
        seen.earliest = time + Seen.pace
        seen.isPending = true
        let (me, id, position, clock) = (chat.me, state.composer.conversation, message.position, chat.now)
        chat.commit({ [weak self] _ in
            self?.seen.isPending = false
            self?.seen.mark = nil
        }) { transaction in
            try transaction.markRead(by: me, in: id, upTo: position, at: clock)
        }
    }

    private func noteDeleted(_ rows: [(RowKey, RowPath)], at time: Double) throws {
        var shown: [String: Double] = [:]
        for (index, row) in rows.enumerated() where index == 0 || rows[index - 1].1 != row.1 {
            guard let message = try message(at: row.1), message.unseenDeletion?.contains(chat.me) == true else {
                continue
            }
            shown[message.id] = seen.deleted[message.id] ?? time
        }
        let due = shown.filter { time - $0.value >= Seen.patience }.keys.sorted()
        seen.deleted = shown.filter { !due.contains($0.key) }
        guard !due.isEmpty, chat.whyNotWritable == nil else { return }
        let me = chat.me
        chat.commit { try $0.markSeen(by: me, deleted: due) }
    }

    func message(at path: RowPath) throws -> Message? {
        try tables.connection.read { transaction in
            try transaction[Chat.conversations].view.object(at: path, with: conversation.mappings) as? Message
        }
    }

    /// Puts the line "new" above the first unread message of the open conversation.
    func findUnread() throws {
        let (me, id) = (chat.me, state.composer.conversation)
        let first = try tables.connection.read { try $0.firstUnread(of: me, in: id)?.id }
        guard first != facts.firstUnread else { return }
        facts.firstUnread = first
        mustRedraw = true
    }
}
