import LiveTable

/// What a search has found.
struct FoundMessages: Hashable, Sendable {
    /// The most messages that are shown; all are counted.
    static let limit = 1_000

    /// The newest first.
    var messages: [Message] = []
    var count = 0
}

extension YapDatabaseReadTransaction {
    /// Finds messages that a person may read. Costs a read of each message that has the words; nothing is written.
    /// - Parameter isWanted: asked for each message; the search ends when it is false.
    /// - Returns: nil if the search ended before all were found.
    func messages(
        matching query: String, for person: String, limit: Int = FoundMessages.limit, isWanted: () -> Bool = { true }
    ) throws -> FoundMessages? {
        var found = FoundMessages()
        if query.isEmpty { return found }
        try self[Chat.words].search.iterateKeys(matching: query) { _, key, stop in
            stop = !isWanted()
            guard !stop, let message = try self[Chat.messages].readable(key), !message.isDeleted,
                message.kind != .notice, let conversation = Conversation(id: message.conversation),
                !conversation.isClosed(to: person)
            else { return }
            found.count += 1
            found.messages.append(message)
            if found.messages.count >= limit * 2 { found.messages.keepNewest(limit) }
        }
        found.messages.keepNewest(limit)
        return isWanted() ? found : nil
    }
}

extension [Message] {
    fileprivate mutating func keepNewest(_ limit: Int) {
        sort { $1.position < $0.position }
        removeLast(Swift.max(0, count - limit))
    }
}
