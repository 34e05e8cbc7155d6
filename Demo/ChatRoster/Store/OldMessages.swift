import Foundation
import LiveTable
import ObjectDecoding

/// A message in a file that an earlier chat or the original wrote: a property list, or an object of a class that only
/// its program knows.
struct OldMessage: Sendable {
    var conversation = ""
    var sender: String?
    var isMine: Bool?
    var text = ""
    var date = Date.distantPast

    static let collection = "messages"
    /// The lists of its program, which has no use for them any more.
    static let lists: Set<String> = ["messages", "roster"]

    /// Has the messages of an earlier chat read as these.
    static func use(in database: YapDatabase) {
        database.registerDeserializer({ _, _, data in OldMessage(data) }, forCollection: collection)
    }

    init?(_ data: Data) {
        let fields: [DecodedField]
        switch ObjectDecoder(formats: [.archive, .plist, .json]).decode(data).value {
        case .object(_, let all): fields = all
        case .dictionary(let all): fields = all
        default: return nil
        }
        for field in fields {
            switch (field.name, field.value) {
            case ("conversation", .string(let text)): conversation = text
            case ("sender", .string(let text)): sender = text
            case ("text", .string(let text)): self.text = text
            case ("isMine", .bool(let isMine)): self.isMine = isMine
            case ("date", .date(let date)): self.date = date
            default: break
            }
        }
        if conversation.isEmpty || date == .distantPast { return nil }
    }

    /// The message as it is stored now. Without a sender a conversation was one of two people, named after the other one.
    func message(id: String, reader: String) -> (Conversation, Message)? {
        if let sender = sender.flatMap({ Self.name($0) }) {
            guard let room = Self.name(conversation) else { return nil }
            return (.room(room), Message(text, in: .room(room), by: sender, id: id, date: date))
        }
        guard let isMine, let other = Self.name(conversation) else { return nil }
        let pair = Conversation(reader, other)
        return (pair, Message(text, in: pair, by: isMine ? reader : other, id: id, date: date))
    }

    /// A name of an old file, with what names cannot have left out.
    private static func name(_ text: String) -> String? {
        let kept = text.filter { (try? Person.checked(String($0))) != nil }
        return try? Person.checked(kept.prefix(Person.longestName))
    }
}

extension ChatDatabase {
    /// Copies the messages of an earlier chat into the collections of this one, once. The old rows stay as they are.
    func bringOldMessages() throws {
        let me = me
        let reader = try database.newConnection()
        var found: [(Conversation, Message)] = []
        try reader.read { transaction in
            for key in try transaction.allKeys(inCollection: OldMessage.collection) {
                if let message = try transaction.oldMessage(key)?.message(id: key, reader: me) { found.append(message) }
            }
        }
        let messages = found.sorted { $0.1.position < $1.1.position }
        try writer.readWrite { transaction in
            guard try transaction.numberOfKeys(inCollection: Chat.people.name) == 0 else { return }
            try transaction.join(me, at: now)
            try transaction.adopt(messages, for: me)
        }
    }
}

extension YapDatabaseReadTransaction {
    /// A message of an earlier chat; nil if it cannot be read as one.
    func oldMessage(_ key: String) throws -> OldMessage? {
        try readable { try object(forKey: key, inCollection: OldMessage.collection) } as? OldMessage
    }
}

extension YapDatabaseReadWriteTransaction {
    /// Stores messages that were read elsewhere.
    fileprivate func adopt(_ messages: [(Conversation, Message)], for me: String) throws {
        for (conversation, message) in messages {
            try meet(message.author)
            switch conversation {
            case .room:
                var room = try self[Chat.rooms][conversation.id] ?? Room(id: conversation.id)
                room.isForAll = true
                if !room.members.contains(message.author) { room.members.append(message.author) }
                try self[Chat.rooms].save(room)
            case .pair, .note: try open(conversation, for: me, at: message.date)
            }
            try self[Chat.messages].save(message)
        }
        for room in try self[Chat.rooms].readableValues() {
            for member in room.members + [me] { try enter(.room(String(room.id.dropFirst())), member) }
        }
        for seat in try roster(of: me).map(\.seat) {
            guard let last = try self[Chat.conversations].view.lastObject(inGroup: seat.conversation) as? Message else {
                continue
            }
            try self[Chat.seats].update(seat.key) { $0.read = last.position }
        }
    }
}
