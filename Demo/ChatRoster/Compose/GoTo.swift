import LiveTable

/// The list of conversations that a few letters lead to.
struct GoTo: Hashable, Sendable {
    struct Place: Hashable, Sendable {
        let conversation: String
        let title: String
        var unread = 0
    }

    var line = PromptLine(Question.conversation)
    let places: [Place]
    private(set) var selected = 0

    enum Question: PromptQuestion {
        case conversation
        var label: String { " go to: " }
    }

    init(_ seats: [Seat]) {
        places = seats.map { Place(conversation: $0.conversation, title: $0.title, unread: $0.unread) }
    }

    /// Those that the letters fit, the best first: a title that begins with them, then one that has them together, then
    /// one that has them in this order.
    var found: [Place] {
        let letters = line.field.text.lowercased()
        if letters.isEmpty { return places }
        let ranked = places.enumerated().compactMap { index, place in
            Self.rank(letters, in: place.title.lowercased()).map { (rank: $0, index: index, place: place) }
        }
        return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.place)
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

    private static func rank(_ letters: String, in title: String) -> Int? {
        let name = title.drop { $0 == "#" }
        if title.hasPrefix(letters) || name.hasPrefix(letters) { return 0 }
        if title.contains(letters) { return 1 }
        var rest = title[...]
        for letter in letters {
            guard let place = rest.firstIndex(of: letter) else { return nil }
            rest = rest[rest.index(after: place)...]
        }
        return 2
    }
}
