import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// Files with seats of earlier releases, which had copies of what other rows say.
@Suite struct OldSeatsTests {
    /// As they were stored.
    private struct OldSeat: Codable, Hashable, Sendable {
        let person: String
        let conversation: String
        var title: String
        var standing: String
        var status = ""
        var lastSeen: Date?
        var last: Date
        var unread = 0
        var mentions = 0
        var lastMention: String?
        var read = Position.start
        var isMuted = false

        var key: String { Seat.key(person, conversation) }
    }

    private static let seats = YapCollection("seats", of: OldSeat.self, key: \.key)
    private static let roster = YapList(
        "seats", of: seats, sortedBy: .descending(\.last), .ascending(\.title), versionTag: "1"
    ) { seat in "\(seat.person)/\(seat.standing)" }
    private static let start = Date(timeIntervalSince1970: 1_790_000_000)
    private static let pair = Conversation("alice", "bob")

    private func old(_ person: String, _ read: Position, last: Date = Self.start) -> OldSeat {
        OldSeat(
            person: person, conversation: Self.pair.id, title: person == "alice" ? "bob" : "alice",
            standing: "available", last: last, unread: 7, read: read)
    }

    /// A file of alice and bob, as an earlier release left it; bob said so many messages.
    private func makeOldFile(_ url: URL, messages count: Int) throws -> [Message] {
        let messages = (0..<count).map { number in
            Message("\(number)", in: Self.pair, by: "bob", date: Self.start + Double(number - count))
        }
        let database = try YapDatabase(url: url)
        try database.register(Chat.conversations, Self.roster, Chat.words)
        try database.newConnection().readWrite { transaction in
            for name in ["alice", "bob"] {
                let person = Person(
                    name: name, joined: Self.start, standing: name == "bob" ? .away : .offline, away: "tea")
                try transaction[Chat.people].save(person)
            }
            try transaction[Chat.messages].save(messages)
            try transaction[Self.seats].save(old("alice", messages[2].position))
            try transaction[Self.seats].save(old("bob", messages[count - 1].position))
            try transaction[Self.seats].save(
                OldSeat(
                    person: "alice", conversation: "alice&alice", title: "Notes", standing: "rooms", last: .distantPast,
                    isMuted: true))
        }
        try database.close()
        return messages
    }

    @Test func areReadAsTheyAre() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "chat.sqlite")
            _ = try makeOldFile(url, messages: 5)
            for _ in 0..<2 {
                let chat = try ChatDatabase(url: url, as: "alice", joins: false)
                let roster = try chat.read { try $0.roster(of: "alice") }
                #expect(roster.map(\.title) == ["Notes", "bob"] && roster.map(\.unread) == [0, 2])
                #expect(roster.map(\.standing) == [.rooms, .away] && roster.map(\.status) == ["", "tea"])
                #expect(roster.map(\.last) == [.distantPast, Self.start - 1])
                #expect(roster.map(\.seat.isMuted) == [true, false])
                #expect(try chat.row("bob", Self.pair).unread == 0)
                #expect(try !chat.database.previouslyRegisteredExtensionNames().contains(Chat.formerRoster))
                try chat.close()
                #expect(try YapDatabase.check(url: url) == [])
            }
        }
    }

    /// An earlier release goes on with the same file, in turn with this one, and fills its list again.
    @Test func ofAnEarlierReleaseBesideAreTaken() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "chat.sqlite")
            let messages = try makeOldFile(url, messages: 5)
            for (round, unread) in [(3, 2), (4, 2)] {
                let before = try ChatDatabase(url: url, as: "alice", joins: false)
                try before.close()
                let release = try YapDatabase(url: url)
                try release.register(Chat.conversations, Self.roster, Chat.words)
                var seat = old("alice", messages[round].position)
                seat.isMuted = round == 4
                let more = Message("more", in: Self.pair, by: "bob", date: Self.start + Double(round))
                try release.newConnection().readWrite { [seat] transaction throws in
                    try transaction[Self.seats].save(seat)
                    try transaction[Chat.messages].save(more)
                }
                try release.close()
                let chat = try ChatDatabase(url: url, as: "alice", joins: false)
                let row = try chat.row("alice", Self.pair)
                #expect((row.unread, row.seat.isMuted, row.last) == (unread, round == 4, more.date))
                try chat.close()
            }
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func ofAnArchiveAreRead() throws {
        let seat =
            #"{"person":"alice","conversation":"alice&bob","title":"bob","standing":"available","last":100,"#
            + #""unread":3,"mentions":1,"lastMention":"m","isMuted":true,"status":"","read":{"date":50,"author":"bob","id":"m"}}"#
        let line = try #require(ArchiveLine(Array(#"{"seat":\#(seat)}"#.utf8))?.seat)
        #expect(line.opened == Date(timeIntervalSinceReferenceDate: 100) && line.isMuted && line.read.id == "m")
        #expect(line.oldUnread == 3 && line.readTime == nil)
    }

    @Test(arguments: [
        #"{"person":"a","conversation":"a&b"}"#,
        #"{"person":"a","conversation":"a&b","last":"yesterday","read":7,"isMuted":"no","unread":[]}"#,
    ]) func withFieldsOfOtherShapesAreRead(text: String) throws {
        let seat = try JSONDecoder().decode(Seat.self, from: Data(text.utf8))
        #expect(seat == Seat("a", in: Conversation("a", "b"), opened: .distantPast))
    }

    /// The roster of earlier releases had put it right.
    @Test func whatWasReadInTheFutureStaysWhereItWas() throws {
        let future = Position(date: Self.start + 315_360_000, author: "bob", id: "m")
        let bytes = try JSONEncoder().encode(old("alice", future))
        let seat = try JSONDecoder().decode(Seat.self, from: bytes)
        #expect(seat.last(newest: future.date + 1) == Self.start)
        #expect(try JSONDecoder().decode(Seat.self, from: JSONEncoder().encode(seat)).readTime == Self.start)
    }
}
