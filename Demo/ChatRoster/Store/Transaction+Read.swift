import Foundation
import LiveTable

extension YapDatabaseReadTransaction {
    /// Returns the number of messages of a conversation up to a position. O(log n).
    func count(of conversation: String, upTo position: Position) throws -> Int {
        let list = try self[Chat.conversations]
        if let place = try list.place(of: position.id), place.group == conversation { return place.index + 1 }
        return try list.count(in: conversation) { $0.position <= position }
    }

    /// Returns the number of messages before a date. O(log n).
    func count(of conversation: String, before date: Date) throws -> Int {
        try self[Chat.conversations].count(in: conversation) { $0.time < date }
    }

    /// Counts the messages of others that a person has not read, and those of them that name the person. O(log n).
    func unread(_ seat: Seat) throws -> (messages: Int, mentions: Int) {
        func after(_ list: YapListRows<Message, String, Never>, _ group: String) throws -> Int {
            try list.count(in: group) - list.count(in: group) { $0.position <= seat.read }
        }
        let news = try after(self[Chat.news], seat.conversation)
        if news == 0 { return (0, 0) }
        let own = Seat.messages(seat.person, seat.conversation)
        let messages = try max(0, news - after(self[Chat.ownNews], own))
        let named = try self[Chat.mentions]
        let mentions = try named.count(in: own) - named.count(in: own) { $0.row.position <= seat.read }
        return (messages, mentions)
    }

    /// Returns the first message of others after what a person has read, and its place in the conversation; nil if there is none.
    func firstUnread(of person: String, in conversation: String) throws -> (id: String, index: Int)? {
        guard let seat = try seat(of: person, in: conversation), try unread(seat).messages > 0 else { return nil }
        let list = try self[Chat.news]
        var index = try list.count(in: conversation) { $0.position <= seat.read }
        while index < list.count(in: conversation) {
            let message = try readable { try list.value(at: index, in: conversation) }
            if let message, message.author != person {
                return try self[Chat.conversations].place(of: message.id).map { (message.id, $0.index) }
            }
            index += 1
        }
        return nil
    }

    /// The last message that names a person.
    func lastMention(of person: String, in conversation: String) throws -> String? {
        let (list, key) = (try self[Chat.mentions], Seat.messages(person, conversation))
        return try list.key(at: list.count(in: key) - 1, in: key)?.key
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

extension YapListRows {
    /// Returns how many rows of a group a test holds for, which are its first ones. O(log n), and one row where it holds for all.
    fileprivate func count(in group: String, while holds: (Value) -> Bool) throws -> Int {
        var (low, high) = (0, count(in: group))
        if let last = try readable({ try value(at: high - 1, in: group) }), holds(last) { return high }
        while low < high {
            let middle = (low + high) / 2
            // Another program may have spoiled a row past the library: the next one tells.
            var (index, found): (Int, Value?) = (middle, nil)
            while index < high, found == nil {
                found = try readable { try value(at: index, in: group) }
                index += 1
            }
            if let found, holds(found) { low = index } else { high = middle }
        }
        return low
    }
}

extension YapDatabaseReadWriteTransaction {
    /// Notes that messages up to a position were on a person's screen.
    /// - Parameter clock: the person's.
    func markRead(
        by person: String, in conversation: String, upTo position: Position, at clock: Date = WallClock.now
    ) throws {
        guard var seat = try seat(of: person, in: conversation), seat.read < position else { return }
        seat.note(read: position, at: clock)
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
