import LiveTable

/// The list of conversations, or of rooms, that a few letters lead to.
struct GoTo: Hashable, Sendable {
    struct Place: Hashable, Sendable {
        let conversation: String
        let title: String
        /// What is unread, or who is in.
        var detail = ""
        var topic = ""
        /// A room that one is not in.
        var isNew = false
    }

    var line: PromptLine<Question>
    let places: [Place]
    private(set) var selected = 0

    enum Question: PromptQuestion {
        case conversation
        case room
        var label: String { self == .room ? " room: " : " go to: " }
    }

    var title: String { isForRooms ? "Rooms" : "Go to" }
    var isForRooms: Bool { line.question == .room }

    /// - Parameter rooms: the ids of all rooms.
    init(_ roster: [RosterRow], rooms: [String] = []) {
        line = PromptLine(.conversation)
        let own = roster.map { row in
            Place(conversation: row.conversation, title: row.title, detail: row.unread > 0 ? "\(row.unread)" : "")
        }
        let others = rooms.filter { room in !roster.contains { $0.conversation == room } }
        places = own + others.map { Place(conversation: $0, title: $0, detail: "not entered", isNew: true) }
    }

    /// The list of rooms, with who is in and what it is about.
    init(rooms: [Room], of person: String) {
        line = PromptLine(.room)
        places = rooms.map { room in
            let isMine = room.members.contains(person)
            let count = room.members.count == 1 ? "1 member" : "\(room.members.count) members"
            let inWords = room.members.count == 1 ? "only you" : "\(count), you too"
            return Place(
                conversation: room.id, title: room.id, detail: isMine ? inWords : count, topic: room.topic,
                isNew: !isMine)
        }
    }

    /// Those that the letters fit, the best first.
    var found: [Place] {
        let letters = line.field.text.drop { $0 == "#" }
        if letters.isEmpty { return places }
        let ranked = places.enumerated().compactMap { index, place in
            FuzzyMatch(String(letters), in: String(place.title.drop { $0 == "#" })).map { ($0.score, index, place) }
        }
        return ranked.sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map(\.2)
    }

    var choice: Place? {
        let found = found
        return found.isEmpty ? nil : found[min(selected, found.count - 1)]
    }

    mutating func move(by step: Int) {
        let count = found.count
        if count > 0 { selected = (min(selected, count - 1) + step + count) % count }
    }

    mutating func typed() { selected = 0 }
}
