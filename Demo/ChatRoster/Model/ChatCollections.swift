import Foundation
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
    /// What others have to read of each conversation, in the same order: neither notices nor what was deleted.
    static let news = YapList(
        "news", of: messages, groupedBy: \.conversation, sortedBy: .ascending(\.date), .ascending(\.author),
        .ascending(\.id), where: isNews, versionTag: "1")
    /// The same of each author in each conversation, by ``Seat/messages(_:_:)``.
    static let ownNews = YapList(
        "own news", of: messages, sortedBy: .ascending(\.date), .ascending(\.author), .ascending(\.id), where: isNews,
        versionTag: "1"
    ) { Seat.messages($0.author, $0.conversation) }
    /// The same for each person whom it names, by ``Seat/messages(_:_:)``.
    static let mentions = YapList(
        "mentions", of: messages, groupedByEach: \.seatsNamed, sortedBy: .ascending(\.row.date),
        .ascending(\.row.author), .ascending(\.row.id), versionTag: "1")
    private static let isNews = YapCondition<Message>.holds { $0.isNews }

    /// The last place in a conversation.
    static let newest = YapFigure<Message, Date?>.maximum(\Message.date)
    /// Changes with whatever others have to read.
    private static let newsTimes = YapFigure<Message, Double>.sum(\Message.newsTime, named: "news times 1")
    /// Each conversation as a row.
    static let threads = YapList("threads", groupsOf: conversations, figures: [newest, newsTimes], keeping: [])
    /// Seats with the other one of two people.
    static let peers = YapJoin("peers", of: seats, joiningIfThere: \.other, to: people, versionTag: "1")
    /// These with their conversation. A message writes the rows of its members, and a presence those of both joins, because it is rarer.
    static let places = YapJoin("places", of: peers.rows, joiningIfThere: \.row.conversation, to: threads.collection)
    /// Each person's roster: a group for each section, what was last written in first.
    static let roster = YapList(
        "roster", of: places.rows, sortedBy: .descending(\.place.last), .ascending(\.place.title), versionTag: "1"
    ) { entry in Seat.group(entry.place.seat.person, entry.place.standing) }
    /// The names of all extensions that the chat registers, today's and earlier ones.
    static var extensionNames: Set<String> {
        let declarations: [any YapDeclaration] = [
            conversations, news, ownNews, mentions, threads, peers, places, roster, words,
        ]
        return Set(declarations.flatMap { $0.makeExtensions().map(\.name) } + [formerRoster])
    }
    /// The list of seats that was the roster of earlier releases, with copies in them of what the others say.
    static let formerRoster = "seats"
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
