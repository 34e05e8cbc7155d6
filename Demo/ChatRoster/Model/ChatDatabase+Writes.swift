import Foundation
import LiveTable

// One transaction for each event. They run in the background, one after the other; `completion` gets a failure on the
// main queue.
extension ChatDatabase {
    typealias Completion = @Sendable @MainActor (Result<Void, any Error>) -> Void

    /// Fills an empty file with the people and their history; leaves any other file unchanged.
    func populate(_ buddies: [Buddy], _ messages: [Message]) throws {
        try writer.readWrite { transaction in
            guard try transaction.numberOfKeys(inCollection: Buddy.collection) == 0 else { return }
            for buddy in buddies {
                try transaction.setObject(buddy, forKey: buddy.id, inCollection: Buddy.collection)
            }
            for message in messages {
                try transaction.setObject(message, forKey: message.id, inCollection: Message.collection)
            }
        }
    }

    /// Adds a message. One from a buddy counts as unread and ends the buddy's typing.
    func add(_ message: Message, _ completion: @escaping Completion) {
        commit(completion) { transaction in
            try transaction.setObject(message, forKey: message.id, inCollection: Message.collection)
            guard !message.isMine else { return }
            try Self.update(message.conversation, in: transaction) { buddy in
                buddy.unread += 1
                buddy.isTyping = false
                buddy.lastSeen = message.date
            }
        }
    }

    /// Sets whether a buddy is typing. A typing buddy is online and has read its messages.
    func setTyping(_ buddy: String, _ isTyping: Bool, _ completion: @escaping Completion) {
        commit(completion) { transaction in
            try Self.update(buddy, in: transaction) { buddy in
                buddy.isTyping = isTyping
                if isTyping, buddy.presence == .offline { buddy.presence = .available }
            }
            if isTyping { try Self.markSeen(conversation: buddy, in: transaction) }
        }
    }

    /// Changes the text of a message. Fails if it was deleted meanwhile.
    func edit(_ id: String, text: String, _ completion: @escaping Completion) {
        commit(completion) { transaction in
            let stored = try transaction.object(forKey: id, inCollection: Message.collection)
            guard var message = stored as? Message else { throw MessageIsGone() }
            message.text = text
            message.isEdited = true
            try transaction.setObject(message, forKey: id, inCollection: Message.collection)
        }
    }

    func delete(message id: String, _ completion: @escaping Completion) {
        commit(completion) { try $0.removeObject(forKey: id, inCollection: Message.collection) }
    }

    /// Deletes the buddy's newest message, if there is one.
    func deleteLast(of buddy: String, _ completion: @escaping Completion) {
        commit(completion) { transaction in
            guard let view = transaction.ext(Self.messagesView) as? YapDatabaseViewTransaction else { return }
            var last: String?
            try view.iterateKeysAndObjects(inGroup: buddy, reversed: true) { _, key, object, _, stop in
                guard let message = object as? Message, !message.isMine else { return }
                last = key
                stop = true
            }
            if let last { try transaction.removeObject(forKey: last, inCollection: Message.collection) }
        }
    }

    /// Changes an existing buddy; writes nothing if nothing changes.
    func update(
        _ buddy: String, _ completion: @escaping Completion, _ change: @escaping @Sendable (inout Buddy) -> Void
    ) {
        commit(completion) { try Self.update(buddy, in: $0, change) }
    }

    /// Waits for pending writes and closes the file.
    func close() throws { try database.close() }

    private func commit(
        _ completion: @escaping Completion,
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Void
    ) {
        writer.asyncReadWrite(body) { result in
            // Completion blocks run on the main queue.
            MainActor.assumeIsolated { completion(result) }
        }
    }

    /// Marks own messages as seen, from the newest back to the first that is marked already.
    private static func markSeen(conversation: String, in transaction: YapDatabaseReadWriteTransaction) throws {
        guard let view = transaction.ext(messagesView) as? YapDatabaseViewTransaction else { return }
        var unseen: [Message] = []
        try view.iterateKeysAndObjects(inGroup: conversation, reversed: true) { _, _, object, _, stop in
            guard let message = object as? Message, message.isMine else { return }
            if message.isSeen == true { stop = true } else { unseen.append(message) }
        }
        for var message in unseen {
            message.isSeen = true
            try transaction.setObject(message, forKey: message.id, inCollection: Message.collection)
        }
    }

    private static func update(
        _ id: String, in transaction: YapDatabaseReadWriteTransaction, _ change: (inout Buddy) -> Void
    ) throws {
        let stored = try transaction.object(forKey: id, inCollection: Buddy.collection)
        guard var buddy = stored as? Buddy else { return }
        change(&buddy)
        if buddy != stored as? Buddy {
            try transaction.setObject(buddy, forKey: id, inCollection: Buddy.collection)
        }
    }
}

struct MessageIsGone: Error, CustomStringConvertible {
    var description: String { "The message was deleted meanwhile. Send the text as a new one, or clear the line." }
}
