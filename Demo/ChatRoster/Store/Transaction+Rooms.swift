import Foundation
import LiveTable

extension YapDatabaseReadWriteTransaction {
    /// Takes a person into a room, and creates it if there is none. Does nothing for a member.
    func enter(_ conversation: Conversation, _ person: String, at date: Date = WallClock.now) throws {
        guard case .room = conversation else { return }
        var room = try self[Chat.rooms][conversation.id] ?? Room(id: conversation.id)
        let isNew = !room.members.contains(person)
        if isNew {
            room.members.append(person)
            try self[Chat.rooms].save(room)
        }
        try open(conversation, for: person, at: date)
        guard isNew else { return }
        // What was said before is history, not news.
        if let last = try self[Chat.conversations].view.lastObject(inGroup: conversation.id) as? Message {
            try self[Chat.seats].updateReadable(Seat.key(person, conversation.id)) { $0.read = last.position }
        }
    }

    func join(_ room: Conversation, _ person: String, at date: Date = WallClock.now) throws {
        guard case .room = room else { return }
        if try self[Chat.rooms][room.id]?.members.contains(person) == true { return }
        try enter(room, person, at: date)
        try tell("joined", in: room, by: person, at: date)
    }

    func leave(_ room: Conversation, _ person: String, at date: Date = WallClock.now) throws {
        guard case .room = room, try self[Chat.rooms][room.id]?.members.contains(person) == true else { return }
        try tell("left", in: room, by: person, at: date)
        try remove(person, from: room)
    }

    func invite(
        _ guest: String, to room: Conversation, by person: String, at date: Date = WallClock.now
    ) throws {
        guard case .room = room else { return }
        if try self[Chat.rooms][room.id]?.members.contains(guest) == true { return }
        try meet(guest)
        try enter(room, guest, at: date)
        try tell("invited \(guest)", in: room, by: person, at: date)
    }

    func kick(
        _ guest: String, from room: Conversation, by person: String, at date: Date = WallClock.now
    ) throws {
        guard case .room = room, try self[Chat.rooms][room.id]?.members.contains(guest) == true else { return }
        try tell("removed \(guest)", in: room, by: person, at: date)
        try remove(guest, from: room)
    }

    private func remove(_ person: String, from room: Conversation) throws {
        try self[Chat.rooms].update(room.id) { $0.members.removeAll { $0 == person } }
        try self[Chat.seats].remove(Seat.key(person, room.id))
    }

    func setTopic(
        _ topic: String, of room: Conversation, by person: String, at date: Date = WallClock.now
    ) throws {
        guard case .room = room, try self[Chat.rooms].update(room.id, { $0.topic = topic }) else { return }
        try tell(topic.isEmpty ? "removed the topic" : "set the topic: \(topic)", in: room, by: person, at: date)
    }

    private func tell(_ what: String, in room: Conversation, by person: String, at date: Date) throws {
        try append(Message("\(person) \(what)", kind: .notice, in: room, by: person, date: date))
    }
}
