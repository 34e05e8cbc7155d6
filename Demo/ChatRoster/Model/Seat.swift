import Foundation

/// One person's place in one conversation: that it is on the person's roster, and what the person has read.
struct Seat: Codable, Hashable, Sendable {
    let person: String
    let conversation: String
    /// When it came on the roster, which is its place there while nothing is said; `distantPast` for one that came with a person.
    var opened: Date
    /// The last message that was on this person's screen.
    var read = Position.start
    /// When that was, by this person's clock, where the clock does not permit its place: ``last(newest:)``.
    var readTime: Date?
    var isMuted = false
    /// How many messages an earlier release had counted as unread. It is not stored again.
    private(set) var oldUnread: Int?

    init(_ person: String, in conversation: Conversation, opened: Date) {
        self.person = person
        self.conversation = conversation.id
        self.opened = opened
    }

    var key: String { Self.key(person, conversation) }
    /// The other one of two people; nil for rooms, notes and the conversations of others.
    var other: String? { Conversation(id: conversation)?.other(than: person) }

    static func key(_ person: String, _ conversation: String) -> String { "\(person)/\(conversation)" }

    /// The group of the messages that concern a person in a conversation. They may have the name in another Unicode form.
    static func messages(_ person: String, _ conversation: String) -> String { key(person.inOneForm, conversation) }

    /// The name of a section of a person's roster.
    static func group(_ person: String, _ standing: Standing) -> String { "\(person)/\(standing.rawValue)" }

    /// Notes that a message was on the person's screen.
    /// - Parameter clock: the person's.
    mutating func note(read position: Position, at clock: Date) {
        read = position
        readTime = position.date > clock.addingTimeInterval(Moment.bound) ? clock : nil
    }

    /// When something was last said, or the conversation was opened: the order of the roster.
    ///
    /// A place that the clock of its reader does not permit counts as the time at which it was read, with all that follows it within
    /// ``Moment/bound``. So a row of a wrong clock is before all others only until it was seen.
    /// - Parameter newest: the last place in the conversation; nil for one without messages.
    func last(newest: Date?) -> Date {
        guard let newest else { return opened }
        guard let readTime, newest <= read.date.addingTimeInterval(Moment.bound) else { return newest }
        return readTime
    }
}

extension Seat {
    private enum CodingKeys: String, CodingKey { case person, conversation, opened, read, readTime, isMuted }

    /// What earlier releases stored besides; the rest were copies of what other rows say.
    private enum OldKeys: String, CodingKey { case last, unread }

    /// Reads the rows of earlier releases, too.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        person = try fields.decode(String.self, forKey: .person)
        conversation = try fields.decode(String.self, forKey: .conversation)
        read = (try? fields.decode(Position.self, forKey: .read)) ?? .start
        isMuted = (try? fields.decode(Bool.self, forKey: .isMuted)) ?? false
        if let opened = try? fields.decode(Date.self, forKey: .opened) {
            self.opened = opened
            readTime = try? fields.decode(Date.self, forKey: .readTime)
            return
        }
        let old = try decoder.container(keyedBy: OldKeys.self)
        opened = (try? old.decode(Date.self, forKey: .last)) ?? .distantPast
        oldUnread = try? old.decode(Int.self, forKey: .unread)
        // The roster had a clock of its own, which put right what is so far ahead.
        if opened > .distantPast, read.date > opened.addingTimeInterval(Moment.bound) { readTime = opened }
    }
}
