import LiveTable

/// The position of the line "new" in the conversation on screen, for drawing cells.
final class UnreadMark {
    /// The id of the message below the line.
    var first: String?
}

extension ChatDatabase {
    /// Returns the id of a conversation's first unread message; nil if all were read. Cost: the unread messages.
    static func firstUnread(of buddy: String, in transaction: YapDatabaseReadTransaction) throws -> String? {
        let stored = try transaction.object(forKey: buddy, inCollection: Buddy.collection) as? Buddy
        guard var rest = stored?.unread, rest > 0,
            let view = transaction.ext(messagesView) as? YapDatabaseViewTransaction
        else { return nil }
        var first: String?
        try view.iterateKeysAndObjects(inGroup: buddy, reversed: true) { _, _, object, _, stop in
            guard let message = object as? Message, !message.isMine else { return }
            first = message.id
            rest -= 1
            stop = rest == 0
        }
        return first
    }
}
