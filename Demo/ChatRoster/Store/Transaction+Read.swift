import Foundation
import LiveTable

extension YapDatabaseReadTransaction {
    /// Returns the number of messages of a conversation up to a position. O(log n).
    func count(of conversation: String, upTo position: Position) throws -> Int {
        let list = try self[Chat.conversations]
        if let place = try list.place(of: position.id), place.group == conversation { return place.index + 1 }
        return try count(of: conversation) { $0.position <= position }
    }

    /// Returns the number of messages before a date. O(log n).
    func count(of conversation: String, before date: Date) throws -> Int {
        try count(of: conversation) { $0.time < date }
    }

    /// The messages for which the test holds come first.
    private func count(of conversation: String, while holds: (Message) -> Bool) throws -> Int {
        let list = try self[Chat.conversations]
        var (low, high) = (0, list.count(in: conversation))
        while low < high {
            let middle = (low + high) / 2
            guard let message = try list.value(at: middle, in: conversation) else { return low }
            if holds(message) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the first message of others after what a person has read; nil if there is none.
    func firstUnread(of person: String, in conversation: String) throws -> (id: String, index: Int)? {
        guard let seat = try seat(of: person, in: conversation), seat.unread > 0 else { return nil }
        let list = try self[Chat.conversations]
        var index = try count(of: conversation, upTo: seat.read)
        while let message = try list.value(at: index, in: conversation) {
            if message.author != person, message.kind != .notice, !message.isDeleted { return (message.id, index) }
            index += 1
        }
        return nil
    }

    /// Up to where all members but one have read who were ever here; nil if no other one was.
    func readByAll(of conversation: Conversation, besides person: String) throws -> Position? {
        let others = try members(of: conversation).filter { name in
            try name != person && self[Chat.people].readable(name)?.joined != nil
        }
        if others.isEmpty { return nil }
        return try others.map { try seat(of: $0, in: conversation.id)?.read ?? .start }.min()
    }
}

extension YapDatabaseReadWriteTransaction {
    /// Notes that messages up to a position were on a person's screen. Cost: the messages that were not yet.
    func markRead(by person: String, in conversation: String, upTo position: Position) throws {
        guard var seat = try seat(of: person, in: conversation), seat.read < position else { return }
        let list = try self[Chat.conversations]
        var index = try count(of: conversation, upTo: position)
        while index > 0, seat.unread > 0 {
            index -= 1
            guard let message = try list.value(at: index, in: conversation), message.position > seat.read else { break }
            guard message.author != person, message.kind != .notice, !message.isDeleted else { continue }
            seat.unread -= 1
            if message.mentions?.contains(person) == true { seat.mentions = max(0, seat.mentions - 1) }
        }
        seat.read = position
        if try count(of: conversation, upTo: position) == list.count(in: conversation) {
            (seat.unread, seat.mentions) = (0, 0)
        }
        try self[Chat.seats].save(seat)
    }

    /// Notes that a person has seen that messages were deleted. Those that all have seen go.
    func markSeen(by person: String, deleted ids: [String]) throws {
        for id in ids {
            guard let message = try self[Chat.messages][id], var rest = message.unseenDeletion else { continue }
            rest.removeAll { $0 == person }
            if rest.isEmpty {
                try self[Chat.messages].remove(id)
            } else {
                try self[Chat.messages].update(id) { $0.unseenDeletion = rest }
            }
        }
    }
}
