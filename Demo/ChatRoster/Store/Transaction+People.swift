import Foundation
import LiveTable
import NearestName

extension YapDatabaseReadTransaction {
    /// The members of a conversation. What another program wrote among those of a room and cannot be the name of a person is left out.
    func members(of conversation: Conversation) throws -> [String] {
        switch conversation {
        case .room: try self[Chat.rooms].readable(conversation.id)?.people ?? []
        case .pair(let first, let second): [first, second]
        case .note(let name): [name]
        }
    }

    /// The conversation that a person means by a text. Names that are known are found in any case of letters, and the note to oneself by
    /// its title.
    func conversation(named text: String, by person: String) throws -> Conversation {
        let conversation = try Conversation.named(text, by: person)
        guard let name = conversation.other(than: person) else { return conversation }
        let names = try self[Chat.people].keys()
        if names.contains(name) { return conversation }
        let note = Conversation.note(person)
        if name == note.title(for: person) { return note }
        let alike = names.filter { $0.lowercased() == name.lowercased() }
        return alike.count == 1 ? Conversation(person, alike[0]) : conversation
    }

    /// The same for a conversation that is not on the person's roster. It may be with a person who comes later, but not with one whose name looks
    /// like a slip: that would stay on the roster for good.
    /// - Throws: ``BadName``, ``UnknownPerson`` with the name that may be meant.
    func conversation(toOpen text: String, by person: String) throws -> Conversation {
        let conversation = try conversation(named: text, by: person)
        guard let name = conversation.other(than: person), try !self[Chat.people].contains(name) else {
            return conversation
        }
        let others = try self[Chat.people].keys().filter { $0 != person }
        if let nearest = nearestName(to: name, in: others) {
            throw UnknownPerson(name: name, nearest: nearest, invitation: nil)
        }
        return conversation
    }

    /// Whether the other one of a conversation has never been here, where other people have: the name may be wrong.
    func isWithStranger(_ conversation: Conversation, _ person: String) throws -> Bool {
        guard let name = conversation.other(than: person), try !self[Chat.people].contains(name) else { return false }
        return try self[Chat.people].readableValues().contains { $0.joined != nil && $0.name != person }
    }

    /// Whether a person takes part: by the own row, if it can be decoded, and by the seat that everyone has. Another one may have written the row, the
    /// seat is the person's own.
    func hasJoined(_ person: String) throws -> Bool {
        if let known = try self[Chat.people].readable(person), known.joined == nil { return false }
        return try self[Chat.people].contains(person)
            && self[Chat.seats].contains(Seat.key(person, Conversation.note(person).id))
    }

    func seat(of person: String, in conversation: String) throws -> Seat? {
        try self[Chat.seats].readable(Seat.key(person, conversation))
    }

    /// A person's roster in the order of the screen.
    func roster(of person: String) throws -> [RosterRow] {
        let list = try self[Chat.roster]
        return try Standing.allCases.flatMap { try list.values(in: Seat.group(person, $0)) }.map { try shown($0) }
    }

    /// A row of a roster with what it says of other rows in this commit.
    func shown(_ entry: RosterEntry) throws -> RosterRow {
        var row = entry.place
        (row.unread, row.mentions) = try unread(row.seat)
        if row.seat.other == nil { row.topic = try self[Chat.rooms].readable(row.conversation)?.topic ?? "" }
        return row
    }
}

extension YapDatabaseReadWriteTransaction {
    /// Adds a participant: to the rosters of all others, and all others to the own roster. A row of the person that cannot be decoded stays as it is.
    func join(_ name: String, at date: Date, isSimulated: Bool = false) throws {
        if try hasJoined(name) { return }
        if try self[Chat.people].mayReplace(name) {
            var person = try self[Chat.people].readable(name) ?? Person(name: name)
            person.joined = date
            person.isSimulated = isSimulated
            try self[Chat.people].save(person)
        }
        try open(.note(name), for: name, at: .distantPast)
        // A row that another program wrote may have any name: one that keys cannot be made of must not keep others out.
        for other in try self[Chat.people].readableValues()
        where other.name != name && other.joined != nil && Person.mayBeName(other.name) {
            let pair = Conversation(name, other.name)
            try open(pair, for: name, at: .distantPast)
            try open(pair, for: other.name, at: .distantPast)
        }
        for room in try self[Chat.rooms].readableValues() where room.isForAll {
            try enter(.room(String(room.id.dropFirst())), name)
        }
    }

    /// Adds a person who has never run the chat but receives messages.
    func meet(_ name: String) throws {
        if try !self[Chat.people].contains(name) { try self[Chat.people].save(Person(name: name)) }
    }

    /// Puts a conversation on a person's roster. The other one of two people becomes known to all with the first message, not before: a misspelt
    /// name that was only opened concerns no one else.
    func open(_ conversation: Conversation, for person: String, at date: Date) throws {
        guard try !self[Chat.seats].contains(Seat.key(person, conversation.id)) else { return }
        try self[Chat.seats].save(Seat(person, in: conversation, opened: date))
    }

    /// Moves a person to a section of all rosters. Does nothing if the person is there already.
    func set(_ standing: Standing, away: String?, of name: String, at date: Date) throws {
        guard var person = try self[Chat.people].readable(name) else { return }
        if person.standing == standing, person.away == away { return }
        person.standing = standing
        person.away = away
        if standing == .offline || person.lastSeen == nil { person.lastSeen = date }
        try self[Chat.people].save(person)
    }

    /// Says what a person does while away; nil for one who is back.
    func setAway(_ text: String?, of name: String, at date: Date) throws {
        try set(text == nil ? .available : .away, away: text, of: name, at: date)
    }

    /// Gives a sign of life, and shows the person as present: as idle if all of the person's chats are. Who begins to be
    /// present is no longer away.
    func beat(_ beat: Heartbeat) throws {
        let others = try self[Chat.presence].readableValues().filter { $0.person == beat.person && $0.key != beat.key }
        try self[Chat.presence].save(beat)
        let away = others.isEmpty && beat.count == 1 ? nil : try self[Chat.people].readable(beat.person)?.away
        let isIdle = beat.isIdle && others.allSatisfy(\.isIdle)
        try set(away != nil || isIdle ? .away : .available, away: away, of: beat.person, at: beat.date)
    }

    /// Removes heartbeats that are over, unless they have gone on since, and shows those as offline who have no other.
    func end(_ over: [Heartbeat], at date: Date) throws {
        var ended: Set<String> = []
        for beat in over where try self[Chat.presence].readable(beat.key) == beat {
            try self[Chat.presence].remove(beat.key)
            ended.insert(beat.person)
        }
        if ended.isEmpty { return }
        let alive = Set(try self[Chat.presence].readableValues().map(\.person))
        for name in ended.subtracting(alive).sorted() {
            try set(.offline, away: self[Chat.people].readable(name)?.away, of: name, at: date)
        }
    }
}
