import Foundation
import LiveTable

extension YapDatabaseReadTransaction {
    /// The beginning of a message that is answered, as it is now; nil if it was deleted.
    func quoted(_ id: String) throws -> String? {
        guard let message = try self[Chat.messages].readable(id), !message.isDeleted else { return nil }
        return message.firstLine
    }
}

extension YapDatabaseReadWriteTransaction {
    /// Adds a message at the end of its conversation, which is on the roster of each member.
    /// - Parameter message: its date is what the writer's clock says.
    func append(_ message: Message) throws {
        guard let conversation = Conversation(id: message.conversation) else { return }
        var message = message
        let members = try members(of: conversation)
        let moment = Moment.next(after: try lastMoment(in: conversation, of: members), at: message.date)
        (message.date, message.said) = (moment.place, moment.said)
        message.mentions = Message.mentions(in: message.text, of: members.filter { $0 != message.author })
        try self[Chat.messages].save(message)
        if let other = conversation.other(than: message.author) { try meet(other) }
        for member in members { try open(conversation, for: member, at: message.date) }
    }

    /// The last moment of a conversation. A message that its author took back may have been after all others, and read: what is sent now
    /// must not count as read.
    private func lastMoment(in conversation: Conversation, of members: [String]) throws -> Moment? {
        let last = try lastMessage(in: conversation)
        let read = try members.compactMap { try seat(of: $0, in: conversation.id)?.read.date }
            .filter { $0.timeIntervalSinceReferenceDate < Self.lastPlace }.max()
        guard let read, read > last?.date ?? .distantPast else { return last?.moment }
        return Moment(place: read)
    }

    /// The last message with a place after which another one can be: what another program placed at the end of all times is passed over.
    private func lastMessage(in conversation: Conversation) throws -> Message? {
        let list = try self[Chat.conversations]
        let count = list.count(in: conversation.id)
        for index in stride(from: count - 1, through: max(0, count - Self.passedOver), by: -1) {
            guard let message = try readable({ try list.value(at: index, in: conversation.id) }) else { continue }
            if message.date.timeIntervalSinceReferenceDate < Self.lastPlace { return message }
        }
        return nil
    }

    private static let (lastPlace, passedOver) = (1e15, 1_000)

    /// Changes the text of a message. Throws if it was deleted meanwhile, or if another person wrote it.
    func edit(_ id: String, text: String, by person: String, at date: Date) throws {
        guard let message = try self[Chat.messages][id], !message.isDeleted else { throw MessageIsGone() }
        guard message.isBy(person) else { throw NotTheAuthor(author: message.author) }
        if message.text == text { return }
        try self[Chat.messages].update(id) { message in
            message.text = text
            message.edited = date
        }
    }

    /// Takes a message back. "Deleted" stands in its place until the others have seen that.
    func delete(_ id: String, by person: String) throws {
        guard let message = try self[Chat.messages][id], !message.isDeleted else { return }
        guard message.isBy(person), let conversation = Conversation(id: message.conversation) else {
            throw NotTheAuthor(author: message.author)
        }
        let others = try members(of: conversation).filter { $0 != person }
        try emptyQuotes(of: message)
        if others.isEmpty { return try self[Chat.messages].remove(id) }
        try self[Chat.messages].update(id) { message in
            message.text = ""
            message.reply = nil
            message.reactions = nil
            message.mentions = nil
            message.unseenDeletion = others
        }
    }

    /// Removes the copies of a message that replies of earlier releases hold. Reads the messages after it.
    private func emptyQuotes(of message: Message) throws {
        let list = try self[Chat.conversations]
        var index = try count(of: message.conversation, upTo: message.position)
        while let reply = try list.value(at: index, in: message.conversation) {
            index += 1
            guard reply.reply?.id == message.id, reply.reply?.text.isEmpty == false else { continue }
            try self[Chat.messages].update(reply.id) { $0.reply?.text = "" }
        }
    }

    /// Undoes a deletion.
    func restore(_ message: Message) throws {
        let stored = try self[Chat.messages][message.id]
        if let stored, !stored.isDeleted { return }
        try self[Chat.messages].save(message)
    }

    /// Adds a person's reaction to a message, or takes it back.
    func react(_ emoji: String, to id: String, by person: String) throws {
        guard let message = try self[Chat.messages][id], !message.isDeleted else { throw MessageIsGone() }
        var names = message.reactions?[emoji] ?? []
        if names.contains(person) { names.removeAll { $0 == person } } else { names.append(person) }
        try self[Chat.messages].update(id) { message in
            message.reactions = (message.reactions ?? [:]).merging([emoji: names]) { $1 }.filter { !$0.value.isEmpty }
            if message.reactions?.isEmpty == true { message.reactions = nil }
        }
    }
}

struct MessageIsGone: Error, CustomStringConvertible {
    var description: String { "The message was deleted meanwhile." }
}

struct NotTheAuthor: Error, CustomStringConvertible {
    let author: String
    var description: String { "Only \(author) can change this message." }
}
