import Foundation

/// One person's place in one conversation: a row of that person's roster, with what the person has read.
struct Seat: Codable, Hashable, Sendable {
    let person: String
    let conversation: String
    /// What the roster shows: a name, or a room.
    var title: String
    var standing: Standing
    /// What the other one is doing while away, or a room's topic.
    var status = ""
    /// When the other one was last online; nil for a room.
    var lastSeen: Date?
    /// When the last message came, or the conversation was opened. The roster is in this order, and nothing else shows it.
    var last: Date
    /// Messages of others that were never on this person's screen.
    var unread = 0
    /// Those of them that name the person.
    var mentions = 0
    /// The last message that named the person.
    var lastMention: String?
    /// The last message that was on this person's screen.
    var read = Position.start
    var isMuted = false

    init(_ person: String, in conversation: Conversation, standing: Standing, last: Date) {
        self.person = person
        self.conversation = conversation.id
        title = conversation.title(for: person)
        self.standing = standing
        self.last = last
    }

    var key: String { Self.key(person, conversation) }

    static func key(_ person: String, _ conversation: String) -> String { "\(person)/\(conversation)" }

    /// The name of a section of a person's roster.
    static func group(_ person: String, _ standing: Standing) -> String { "\(person)/\(standing.rawValue)" }
}
