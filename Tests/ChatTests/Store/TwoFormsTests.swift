import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// Files in which an earlier chat wrote one name in two Unicode forms.
@MainActor @Suite struct TwoFormsTests {
    private nonisolated static let composed = "Jos\u{e9}"
    private nonisolated static let decomposed = "Jose\u{301}"
    private nonisolated static let names = [composed, decomposed]
    private nonisolated static let start = Date(timeIntervalSince1970: 1_000_000)

    /// As an earlier chat wrote it, which took names as they were typed.
    private func makeOldFile(_ url: URL) throws {
        let chat = try ChatDatabase(url: url, as: "alice")
        var minute = 0.0
        func say(_ text: String, _ author: String, _ conversation: Conversation) throws {
            minute += 1
            try chat.say(text, by: author, in: conversation, at: Self.start + minute * 60)
        }
        for (number, name) in Self.names.enumerated() {
            try chat.write { transaction in
                try transaction.join(name, at: Self.start + Double(number))
                try transaction.enter(.room("caf" + name.suffix(1)), "alice", at: Self.start)
                try transaction.enter(.room("caf" + name.suffix(1)), name, at: Self.start)
            }
        }
        try chat.write {
            try $0.setTopic(
                "coffee", of: .room("caf" + Self.decomposed.suffix(1)), by: Self.decomposed, at: Self.start)
        }
        for round in 1...3 {
            for (form, name) in Self.names.enumerated() {
                try say("to alice \(round) \(form)", name, Conversation("alice", name))
                try say("to José \(round) \(form)", "alice", Conversation("alice", name))
                try say("@alice room \(round) \(form)", name, .room("caf" + name.suffix(1)))
            }
        }
        // What alice has seen of one of the two.
        try chat.write { transaction in
            let pair = Conversation("alice", Self.composed).id
            let all = try transaction[Chat.conversations].values(in: pair)
            try transaction.markRead(by: "alice", in: pair, upTo: try #require(all.last).position)
        }
        try chat.write { transaction in
            for (form, name) in Self.names.enumerated() {
                try transaction[Chat.drafts].save(
                    StoredDraft(
                        key: Seat.key("alice", Conversation("alice", name).id), draft: Draft(text: "draft \(form)")))
            }
            try transaction[Chat.settings].save(
                StoredSettings(
                    person: "alice", settings: Settings(open: Conversation("alice", Self.decomposed).id)))
            try transaction[Chat.settings].save(
                StoredSettings(person: Self.decomposed, settings: Settings(bell: false)))
        }
        try chat.read { transaction throws in
            #expect(try transaction[Chat.people].count == 3 && transaction[Chat.rooms].count == 2)
            #expect(try transaction.roster(of: "alice").count == 5)
        }
        try chat.close()
    }

    @Test func whatWasNotSentStays() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "chat.sqlite")
            try makeOldFile(url)
            let old = try YapDatabase(url: url)
            let sending = Sending(
                id: "s", person: "alice", conversation: Conversation("alice", "bob").id, draft: Draft(text: "waits"),
                date: Self.start)
            let connection = try old.newConnection()
            try connection.readWrite { try $0.keep([sending]) }
            try old.close()
            let chat = try ChatDatabase(url: url, as: "alice")
            #expect(try chat.read { try $0[Chat.people].count } == 2, "the forms are one")
            #expect(try chat.read { try $0.unsent(by: "alice") } == [sending])
            try chat.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func areOnePersonAndOneRoom() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "chat.sqlite")
            try makeOldFile(url)
            var numbers: [Int] = []
            for round in 0..<2 {
                let chat = try ChatDatabase(url: url, as: "alice")
                if round == 0 { try expectOne(chat) }
                let roster = try chat.read { try $0.roster(of: "alice") }
                #expect(roster.count == 3)
                let screen = try TestScreen(chat, width: 100)
                let lines = screen.lines().joined(separator: "\n")
                #expect(lines.contains("to alice 1 0") && lines.contains("to alice 1 1") || round > 0, "\(lines)")
                numbers.append(try chat.read { try $0[Chat.messages].count })
                try chat.close()
                #expect(try YapDatabase.check(url: url) == [])
            }
            #expect(numbers == [19, 19], "18 were said, and one tells of the topic")
        }
    }

    private func expectOne(_ chat: ChatDatabase) throws {
        let room = Conversation.room("caf\u{e9}")
        let pair = Conversation("alice", Self.composed)
        try chat.read { transaction throws in
            let people = try transaction[Chat.people].values()
            #expect(people.map { Array($0.name.utf8) } == [Self.composed, "alice"].map { Array($0.utf8) })
            #expect(people.first { $0.name == Self.composed }?.joined == Self.start)
            let rooms = try transaction[Chat.rooms].values()
            #expect(rooms.map { Array($0.id.utf8) } == [Array(room.id.utf8)])
            #expect(rooms[0].members == ["alice", Self.composed] && rooms[0].topic == "coffee")
            let groups = try transaction[Chat.conversations].groups
            #expect(Set(groups.map { Array($0.utf8) }) == Set([room.id, pair.id].map { Array($0.utf8) }))
            let said = (1...3).flatMap { round in
                (0...1).flatMap { ["to alice \(round) \($0)", "to José \(round) \($0)"] }
            }
            #expect(try transaction[Chat.conversations].values(in: pair.id).map(\.text) == said)
            #expect(try transaction[Chat.conversations].values(in: room.id).count == 7)

            let roster = try transaction.roster(of: "alice")
            #expect(roster.map(\.title) == ["#caf\u{e9}", "Notes", Self.composed])
            #expect(try transaction[Chat.seats].count == 3 + 3)
            let row = try #require(roster.first { $0.conversation == pair.id })
            // Of the other form nothing was seen: from its first message on all is new.
            #expect((row.unread, row.last) == (6, Self.start + 17 * 60))
            let inRoom = try #require(roster.first { $0.conversation == room.id })
            #expect((inRoom.unread, inRoom.mentions, inRoom.status) == (6, 6, "coffee"))
            let others = try transaction.roster(of: Self.composed)
            #expect(others.first { $0.conversation == pair.id }?.unread == 6)
            let draft = try transaction[Chat.drafts][Seat.key("alice", pair.id)]
            #expect(try draft?.draft.text == "draft 0\ndraft 1" && transaction[Chat.drafts].count == 1)
            let open = try transaction[Chat.settings]["alice"]?.settings.open
            #expect(open.map { Array($0.utf8) } == Array(pair.id.utf8))
            #expect(try transaction[Chat.settings][Self.composed]?.settings.bell == false)
        }
    }

    /// Rows that this version cannot decode stay where they are, and cost nothing else.
    @Test func anUnreadableFormStays() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "chat.sqlite")
            try makeOldFile(url)
            let other = try YapDatabase(url: url)
            let keys = [
                ("people", Self.decomposed), ("rooms", "#cafe\u{301}"), ("seats", "alice/\(Self.decomposed)&alice"),
            ]
            try other.newConnection().readWrite { transaction in
                for (collection, key) in keys {
                    try transaction.setStored(
                        RowKey(collection: collection, key: key), object: Data("older".utf8), metadata: nil)
                }
            }
            try other.close()
            for _ in 0..<2 {
                let chat = try ChatDatabase(url: url, as: "alice")
                try chat.read { transaction throws in
                    #expect(try transaction[Chat.conversations].values(in: "\(Self.composed)&alice").count == 12)
                    #expect(try transaction.unreadable().count == 3)
                }
                try chat.say("more", by: "alice", in: .note("alice"))
                try chat.close()
            }
            let problems = try YapDatabase.check(url: url)
            #expect(problems.allSatisfy { $0.description.contains("decoded") }, "\(problems)")
        }
    }
}
