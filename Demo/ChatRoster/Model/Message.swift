import Foundation

/// One message. Its author is the only one who changes or deletes it.
struct Message: Codable, Hashable, Sendable {
    /// What a message says.
    enum Kind: String, Codable, Sendable {
        case text
        /// What the author does, as in `/me waves`.
        case action
        /// What happened: a person joined, a topic was set.
        case notice
    }

    /// The message that is answered. Its text is read when the answer is shown, so that it disappears with the message.
    struct Quote: Codable, Hashable, Sendable {
        let id: String
        let author: String
        /// A copy that earlier releases stored. It is not shown, and emptied when the message is deleted.
        var text = ""
    }

    let id: String
    /// The id of a ``Conversation``.
    private(set) var conversation: String
    let author: String
    /// Its place in the order, which is when it was written unless ``said`` is there: ``Moment``.
    var date: Date
    /// What the writer's clock said, where that is not the place.
    var said: Date?
    var text: String
    var kind: Kind?
    var edited: Date?
    var reply: Quote?
    /// The names of those who reacted, by emoji.
    var reactions: [String: [String]]?
    /// The members whom the text names.
    var mentions: [String]?
    /// Who has still to see that the message was deleted; nil for one that was not.
    var unseenDeletion: [String]?

    init(
        _ text: String, kind: Kind = .text, in conversation: Conversation, by author: String,
        id: String = UUID().uuidString,
        date: Date = WallClock.now, reply: Quote? = nil
    ) {
        self.id = id
        self.conversation = conversation.id
        self.author = author
        self.date = date
        self.text = text
        self.kind = kind == .text ? nil : kind
        self.reply = reply
    }

    /// Into the same conversation under another form of its id.
    mutating func move(to conversation: String) { self.conversation = conversation }

    var isDeleted: Bool { unseenDeletion != nil }
    var position: Position { Position(date: date, author: author, id: id) }
    /// Whether others have it to read.
    var isNews: Bool { kind != .notice && !isDeleted }
    /// Its part of a sum that changes with the set of news, whose places differ.
    var newsTime: Double { isNews ? date.timeIntervalSinceReferenceDate : 0 }
    /// The seats of the people whom its text names and who have it to read: ``Seat/messages(_:_:)``. Each is a copy of the message in the file, so
    /// there are as many as a room has members at most, and fewer of a large one that another program wrote.
    var seatsNamed: [String] {
        guard isNews, let mentions else { return [] }
        let size = mentions.reduce(text.utf8.count + 500) { $0 + $1.utf8.count + 4 }
        let most = min(Room.mostPeople, max(1, Self.mostCopied / size))
        return mentions.lazy.filter { $0 != author }.prefix(most).map { Seat.messages($0, conversation) }
    }
    private static let mostCopied = 32 << 20
    /// Whether the author may be told from a person's name: a notice belongs to no one.
    func isBy(_ person: String) -> Bool { author == person && kind != .notice }

    /// The text of a notice, which says who wrote it: otherwise one could say of another what it likes.
    var signedNotice: String { text.hasPrefix(author + " ") ? text : "\(author): \(text)" }

    /// The reactions that someone gave; nil if there are none. Another program may have written lists of no one.
    var givenReactions: [String: [String]]? {
        let given = (reactions ?? [:]).filter { !$0.value.isEmpty }
        return given.isEmpty ? nil : given
    }

    /// The first line of the text, for quotes.
    var firstLine: String {
        String((text.split(whereSeparator: \.isNewline).first ?? "").prefix(120))
    }
}

/// A place in a conversation: the date decides, between equal dates the author.
struct Position: Codable, Hashable, Comparable, Sendable {
    var date: Date
    var author: String
    var id: String

    static let start = Position(date: .distantPast, author: "", id: "")

    static func < (a: Position, b: Position) -> Bool { (a.date, a.author, a.id) < (b.date, b.author, b.id) }
}

extension Message {
    /// Returns those of some names that a text mentions: `@bob`, or `@all` for everyone.
    static func mentions(in text: String, of names: some Sequence<String>) -> [String]? {
        guard text.contains("@") else { return nil }
        let words = Set(
            text.split { !($0.isLetter || $0.isNumber || "@._-'".contains($0)) }.filter { $0.hasPrefix("@") }
                .map { $0.dropFirst().lowercased().trimmingCharacters(in: [".", "-", "'"]) })
        let found = names.filter { words.contains($0.lowercased()) || words.contains("all") }
        return found.isEmpty ? nil : found
    }
}
