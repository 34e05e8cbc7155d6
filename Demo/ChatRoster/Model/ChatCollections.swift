import LiveTable

/// What is in the file of a chat: the collections and the views of them.
enum Chat {
    static let people = YapCollection("people", of: Person.self, key: \.name)
    static let rooms = YapCollection("rooms", of: Room.self, key: \.id)
    static let messages = YapCollection("chat", of: Message.self, key: \.id)
    static let seats = YapCollection("seats", of: Seat.self, key: \.key)
    /// Signs of life; what is in here may be lost at any time.
    static let presence = YapCollection("presence", of: Heartbeat.self, key: \.key)
    /// By ``Seat/key(_:_:)``; and by ``Sending/key`` what was not sent.
    static let drafts = YapCollection("drafts", of: StoredDraft.self, key: \.key)
    /// By person.
    static let settings = YapCollection("settings", of: StoredSettings.self, key: \.person)
    /// The name that each user of the machine last used.
    static let users = YapCollection("users", of: StoredUser.self, key: \.user)

    /// Each conversation from its first message on.
    static let conversations = YapList(
        "conversations", of: messages, groupedBy: \.conversation, sortedBy: .ascending(\.date), .ascending(\.author),
        .ascending(\.id))
    /// Each person's roster: a group for each section, what was last written in first.
    static let roster = YapList(
        "seats", of: seats, sortedBy: .descending(\.last), .ascending(\.title), versionTag: "1"
    ) { seat in Seat.group(seat.person, seat.standing) }
    /// The words of all messages.
    static let words = YapTextIndex("words", of: messages, on: \.text)
}

struct StoredDraft: Codable, Hashable, Sendable {
    let key: String
    var draft: Draft
    /// Instead of a draft: what was to be sent.
    var unsent: Sending?
}

struct StoredSettings: Codable, Hashable, Sendable {
    let person: String
    var settings: Settings
    /// Those of the person's conversations; nil in rows of earlier releases.
    var numbers: [String: Int]?
}

struct StoredUser: Codable, Hashable, Sendable {
    let user: String
    var name: String
}
