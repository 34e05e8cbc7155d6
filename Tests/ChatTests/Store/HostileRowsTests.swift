import Foundation
import LiveTable
import Testing

@testable import ChatRoster

/// Rows that a member writes with another program cost that row, and keep no one out.
@Suite struct HostileRowsTests {
    private static let names = [
        "", "x/y", "a&b", "#room", "nul\0", String(repeating: "n", count: 1_100), "/", "&",
    ]

    /// One who was never here, with names of which no key can be made, does not keep newcomers out.
    @Test func whoHasNoPossibleNameKeepsNoOneOut() throws {
        try withChat { chat in
            try chat.write { transaction throws in
                for name in Self.names {
                    var person = Person(name: name)
                    person.joined = Date()
                    // The key of a row need not be the name in it.
                    try transaction.setObject(person, forKey: UUID().uuidString, inCollection: Chat.people.name)
                }
                try transaction.join("bob", at: Date())
            }
            #expect(try chat.read { try $0.roster(of: "bob").map(\.title) } == ["Notes", "alice"])
            #expect(try chat.read { try $0[Chat.seats].keys() }.allSatisfy { $0.utf8.count < 100 })
        }
    }

    @Test func aSpoiledListOfMembersSpoilsNoMessage() throws {
        try withChat { chat in
            let tea = Conversation.room("tea")
            try chat.write { transaction throws in
                try transaction.join(tea, "alice")
                try transaction[Chat.rooms].update(tea.id) { room in
                    room.members = Self.names + ["bob"] + room.members + (0..<5_000).map { "p\($0)" }
                }
            }
            try chat.say("hello @all", by: "alice", in: tea)
            let members = try chat.read { try $0.members(of: tea) }
            #expect(members.prefix(2) == ["bob", "alice"] && members.count == Room.mostPeople)
            #expect(try chat.read { try $0[Chat.seats].keys() }.allSatisfy { $0.utf8.count < 100 })
            #expect(try chat.row("bob", tea).mentions == 1)
        }
    }

    /// Another one has written the own row before the first start.
    @Test func aRowThatAnotherWroteIsNoJoining() throws {
        try withChat { chat in
            try chat.write { transaction throws in
                var frank = Person(name: "frank")
                frank.joined = Date()
                try transaction[Chat.people].save(frank)
                #expect(try !transaction.hasJoined("frank"))
                try transaction.join("frank", at: Date())
                #expect(try transaction.hasJoined("frank"))
            }
            #expect(try chat.read { try $0.roster(of: "frank").map(\.title) } == ["Notes", "alice"])
            #expect(try chat.read { try $0.roster(of: "alice").map(\.title) } == ["Notes", "frank"])
        }
    }

    /// Rows at the end of all times: what is said then keeps its order, and follows them where that is possible.
    @Test(arguments: [1e11, 1e14, 1e18, 1e300, .infinity, .nan])
    func aRowOfTheFarFutureKeepsTheOrder(seconds: Double) throws {
        try withChat { chat in
            let tea = Conversation.room("tea")
            try chat.write { transaction throws in
                try transaction.join(tea, "alice")
                try transaction.join(tea, "bob")
                for number in 0..<3 {
                    let date = Date(timeIntervalSinceReferenceDate: seconds)
                    try transaction[Chat.messages].save(Message("far \(number)", in: tea, by: "mallory", date: date))
                }
            }
            let texts = (0..<12).map { "said \($0)" }
            for (number, text) in texts.enumerated() {
                try chat.say(text, by: number % 2 == 0 ? "bob" : "alice", in: tea)
            }
            let shown = try chat.read { transaction throws in
                try transaction[Chat.conversations].values(in: tea.id).map(\.text)
            }
            #expect(shown.filter { $0.hasPrefix("said") } == texts, "\(shown)")
            if seconds < 1e15 { #expect(shown.suffix(texts.count) == texts[...]) }
        }
    }

    /// Each person whom a message names has a copy of it, so a message with thousands of names has few.
    @Test func aMessageWithThousandsOfNamesStaysSmall() {
        func message(_ count: Int, _ text: String) -> Message {
            var message = Message(text, in: .room("tea"), by: "mallory")
            message.mentions = (0..<count).map { "person \($0)" }
            return message
        }
        for count in [9_000, 20_000] {
            let large = message(count, "x")
            let size = count * 16
            #expect(large.seatsNamed.count > 0 && large.seatsNamed.count * size < 64 << 20)
        }
        // As many as a room may have.
        #expect(message(Room.mostPeople, String(repeating: "x", count: 2_000)).seatsNamed.count == Room.mostPeople)
    }

    @Test func reactionsOfNoOneAreNotShown() {
        var message = Message("x", in: .room("tea"), by: "mallory")
        message.reactions = ["+": [], "-": []]
        #expect(message.givenReactions == nil)
        message.reactions = ["+": ["bob"], "-": []]
        #expect(message.givenReactions == ["+": ["bob"]])
    }
}
