import Foundation
import LiveTable
import Testing

@testable import ChatRoster

/// What a search finds.
@Suite struct SearchTests {
    private let pair = Conversation("alice", "bob")

    @Test func theNewestMessagesComeFirstAndAllAreCounted() throws {
        try withChat { chat in
            let start = Date(timeIntervalSince1970: 1_000)
            // Not in the order of their times, as after a copy from a server.
            for number in [3, 1, 4, 0, 2] {
                let date = start.addingTimeInterval(Double(number))
                let message = Message("word \(number)", in: pair, by: "bob", date: date)
                try chat.write { try $0[Chat.messages].save(message) }
            }
            let all = try #require(try chat.read { try $0.messages(matching: "\"word\"", for: "alice") })
            #expect(all.count == 5 && all.messages.map(\.text) == (0..<5).reversed().map { "word \($0)" })
            let some = try #require(try chat.read { try $0.messages(matching: "\"word\"", for: "alice", limit: 2) })
            #expect(some.count == 5 && some.messages.map(\.text) == ["word 4", "word 3"])
        }
    }

    @Test func whatOnePersonMayNotReadIsNotFound() throws {
        try withChat { chat in
            try chat.say("secret word", by: "bob", in: Conversation("bob", "carol"))
            try chat.say("word to oneself", by: "bob", in: .note("bob"))
            let mine = try chat.say("word", by: "alice", in: pair)
            let gone = try chat.say("word, deleted", by: "alice", in: pair)
            try chat.write { try $0.delete(gone.id, by: "alice") }
            try chat.write { try $0.join(.room("word"), "alice") }
            let found = try chat.read { try $0.messages(matching: "\"word\"", for: "alice") }
            #expect(found == FoundMessages(messages: [mine], count: 1))
            #expect(try chat.read { try $0.messages(matching: "", for: "alice") } == FoundMessages())
        }
    }

    @Test func aSearchThatIsNotWantedAnyMoreEnds() throws {
        try withChat { chat in
            for number in 0..<10 { try chat.say("word \(number)", by: "bob", in: pair) }
            var looks = 0
            let found = try chat.read { transaction in
                try transaction.messages(matching: "\"word\"", for: "alice") {
                    looks += 1
                    return looks < 4
                }
            }
            #expect(found == nil && looks <= 5)
        }
    }
}
