/// What a conversation is, read from its id: a room, two people, or a note to oneself.
///
/// The id says who takes part, so that two machines that create the same conversation mean the same one.
enum Conversation: Hashable, Sendable {
    case room(String)
    /// In alphabetical order.
    case pair(String, String)
    case note(String)

    init(_ first: String, _ second: String) {
        self = first == second ? .note(first) : .pair(min(first, second), max(first, second))
    }

    init?(id: String) {
        if id.hasPrefix("#"), id.count > 1 {
            self = .room(String(id.dropFirst()))
            return
        }
        let names = id.split(separator: "&", omittingEmptySubsequences: false).map(String.init)
        guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty else { return nil }
        self.init(names[0], names[1])
    }

    var id: String {
        switch self {
        case .room(let name): "#\(name)"
        case .pair(let first, let second): "\(first)&\(second)"
        case .note(let name): "\(name)&\(name)"
        }
    }

    /// The other one of two people; nil for rooms, notes and the conversations of others.
    func other(than person: String) -> String? {
        guard case .pair(let first, let second) = self else { return nil }
        return first == person ? second : second == person ? first : nil
    }

    /// What a person calls it.
    func title(for person: String) -> String {
        switch self {
        case .room(let name): "#\(name)"
        case .pair(let first, let second): other(than: person) ?? "\(first) and \(second)"
        case .note: "Notes"
        }
    }

    /// Whether the conversation is one of two people or a note that the person has nothing to do with. A room does not
    /// say who is in it.
    func isClosed(to person: String) -> Bool {
        switch self {
        case .room: false
        case .pair(let first, let second): first != person && second != person
        case .note(let name): name != person
        }
    }

    /// The conversation that a person means by a text: `#tea`, `bob`, or the own name for notes.
    /// - Throws: ``BadName``.
    static func named(_ text: String, by person: String) throws(BadName) -> Conversation {
        guard text.hasPrefix("#") else { return Conversation(person, try Person.checked(text)) }
        do throws(BadName) {
            return .room(try Person.checked(text.dropFirst()).lowercased())
        } catch {
            throw BadName(name: text, isRoom: true)
        }
    }
}

/// A room: its name is its identity.
struct Room: Codable, Hashable, Sendable {
    /// With `#`.
    let id: String
    var topic = ""
    /// In the order in which they came.
    var members: [String] = []
    /// Whether everyone who runs the chat on this file is a member.
    var isForAll = false

    /// The most members that are served: each message may write a seat for each of them.
    static let mostPeople = 1_000

    /// The members that can be people. Another program may have written anything, and everyone may change a room.
    var people: [String] { Array(members.lazy.filter(Person.mayBeName).prefix(Self.mostPeople)) }
}
