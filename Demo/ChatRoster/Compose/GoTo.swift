import LiveTable

/// The list of conversations that a few letters lead to.
struct GoTo: Hashable, Sendable {
    struct Place: Hashable, Sendable {
        let conversation: String
        let title: String
        var unread = 0
        /// A room that one is not in.
        var isNew = false
    }

    var line = PromptLine(Question.conversation)
    let places: [Place]
    private(set) var selected = 0

    enum Question: PromptQuestion {
        case conversation
        var label: String { " go to: " }
    }

    /// - Parameter rooms: the ids of all rooms.
    init(_ seats: [Seat], rooms: [String] = []) {
        let own = seats.map { Place(conversation: $0.conversation, title: $0.title, unread: $0.unread) }
        let others = rooms.filter { room in !seats.contains { $0.conversation == room } }
        places = own + others.map { Place(conversation: $0, title: $0, isNew: true) }
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
