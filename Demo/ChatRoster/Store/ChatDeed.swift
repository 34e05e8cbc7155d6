import Foundation
import LiveTable

/// A change that a person makes to what all people of the chat share, as a value. If the chat follows a server, the change is made in the file at
/// once and sent when that is possible.
///
/// It may be applied again, on what others have changed meanwhile. So it carries the date at which it was made, and gives the same rows each time.
struct ChatDeed: YapMutation {
    static let mutationName = "chat"

    enum What: Codable, Hashable, Sendable {
        case send(Sending)
        case delete(message: String)
        case restore(Message)
        case react(String, message: String)
        case join(Conversation)
        case leave(Conversation)
        case open(Conversation)
        case invite(String, Conversation)
        case kick(String, Conversation)
        case topic(String, Conversation)
        case mute(Bool, conversation: String)
    }

    var person: String
    var date: Date
    var what: What

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        switch what {
        case .send(let sending): _ = try transaction.sendKept(sending, at: date)
        case .delete(let message): try transaction.delete(message, by: person)
        case .restore(let message): try transaction.restore(message)
        case .react(let emoji, let message): try transaction.react(emoji, to: message, by: person)
        case .join(let room): try transaction.join(room, person, at: date)
        case .leave(let room): try transaction.leave(room, person, at: date)
        case .open(let conversation): try transaction.open(conversation, for: person, at: date)
        case .invite(let guest, let room): try transaction.invite(guest, to: room, by: person, at: date)
        case .kick(let guest, let room): try transaction.kick(guest, from: room, by: person, at: date)
        case .topic(let topic, let room): try transaction.setTopic(topic, of: room, by: person, at: date)
        case .mute(let isMuted, let conversation):
            try transaction[Chat.seats].update(Seat.key(person, conversation)) { $0.isMuted = isMuted }
        }
    }
}

/// As its id.
extension Conversation: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let id = try container.decode(String.self)
        guard let conversation = Conversation(id: id) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(id)\" is no conversation.")
        }
        self = conversation
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(id)
    }
}

extension YapDatabaseReadTransaction {
    /// The messages with changes that the server does not have yet, at most so many that a person may have written.
    func pendingMessages() throws -> Set<String> {
        Set(try keysWithPendingChanges(inCollection: Chat.messages.name, limit: 10_000))
    }
}

extension YapMutationRecord {
    /// What a person did, of a deed of a chat.
    var deed: ChatDeed? {
        guard name == ChatDeed.mutationName else { return nil }
        return try? JSONDecoder().decode(ChatDeed.self, from: Data(arguments.utf8))
    }
}
