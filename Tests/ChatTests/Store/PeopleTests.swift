import Foundation
import LiveTable
import Testing

@testable import ChatRoster

/// Participants, presence and rooms.
@Suite struct PeopleTests {
    @Test func whoJoinsIsOnAllRosters() throws {
        try withChat { chat in
            try chat.write { try $0.join("bob", at: Date()) }
            let titles = try chat.read { transaction in
                (try transaction.roster(of: "alice").map(\.title), try transaction.roster(of: "bob").map(\.title))
            }
            #expect(titles.0 == ["Notes", "bob"] && titles.1 == ["Notes", "alice"])
        }
    }

    @Test func whoWasOnlyWrittenToFindsTheMessage() throws {
        try withChat { chat in
            try chat.say("are you there?", by: "alice", in: Conversation("alice", "zed"))
            #expect(try chat.read { try $0[Chat.people]["zed"]?.joined } == nil)
            try chat.write { try $0.join("zed", at: Date()) }
            #expect(try chat.row("zed", Conversation("alice", "zed")).unread == 1)
        }
    }

    /// A misspelt name is on the own roster alone, until a message makes the person one.
    @Test func whoWasOnlyOpenedIsNoOneElses() throws {
        try withChat { chat in
            let pair = Conversation("alice", "zed")
            try chat.write { try $0.open(pair, for: "alice", at: Date()) }
            #expect(try chat.row("alice", pair).title == "zed" && chat.row("alice", pair).standing == .offline)
            #expect(try chat.read { try $0[Chat.people].keys() } == ["alice"])
            try chat.say("hi", by: "alice", in: pair)
            #expect(try chat.read { try $0[Chat.people].keys() } == ["alice", "zed"])
        }
    }

    @Test func aNameLikeOneThatIsThereIsASlip() throws {
        try withChat { chat in
            // No one is there who may be meant.
            #expect(try chat.read { try $0.conversation(toOpen: "bobb", by: "alice") } == Conversation("alice", "bobb"))
            try chat.write { try $0.join("bob", at: Date()) }
            #expect(throws: UnknownPerson.self) { try chat.read { try $0.conversation(toOpen: "bobb", by: "alice") } }
            let other = try chat.read { try $0.conversation(toOpen: "zed", by: "alice") }
            #expect(other == Conversation("alice", "zed"))
            #expect(try chat.read { try $0.isWithStranger(other, "alice") })
            #expect(try chat.read { try !$0.isWithStranger(Conversation("alice", "bob"), "alice") })
        }
    }

    @Test func signsOfLifeMoveAPersonBetweenTheSections() throws {
        try withChat { chat in
            let pair = Conversation("alice", "bob")
            try chat.write { try $0.join("bob", at: Date()) }
            var beat = Heartbeat(person: "bob", session: "1", count: 1, date: Date())
            try chat.write { try $0.beat(beat) }
            #expect(try chat.row("alice", pair).standing == .available)
            try chat.write { try $0.setAway("tea", of: "bob", at: Date()) }
            beat.count = 2
            try chat.write { try $0.beat(beat) }
            #expect(try chat.row("alice", pair).standing == .away && chat.row("alice", pair).status == "tea")
            // A sign that went on is not over.
            try chat.write {
                try $0.end([Heartbeat(person: "bob", session: "1", count: 1, date: beat.date)], at: Date())
            }
            #expect(try chat.row("alice", pair).standing == .away)
            try chat.write { try $0.end([beat], at: Date()) }
            #expect(try chat.row("alice", pair).standing == .offline && chat.row("alice", pair).lastSeen != nil)
            // Who comes back is not away.
            try chat.write { try $0.beat(Heartbeat(person: "bob", session: "2", count: 1, date: Date())) }
            #expect(try chat.row("alice", pair).standing == .available)
        }
    }

    @Test func oneOfTwoProcessesThatEndsLeavesThePersonThere() throws {
        try withChat { chat in
            let beats = ["1", "2"].map { Heartbeat(person: "alice", session: $0, count: 1, date: Date()) }
            for beat in beats { try chat.write { try $0.beat(beat) } }
            try chat.write { try $0.end([beats[0]], at: Date()) }
            #expect(try chat.read { try $0[Chat.people]["alice"]?.standing } == .available)
            try chat.write { try $0.end([beats[1]], at: Date()) }
            #expect(try chat.read { try $0[Chat.people]["alice"]?.standing } == .offline)
        }
    }

    @Test func roomsAreEnteredLeftAndGivenATopic() throws {
        try withChat { chat in
            let room = Conversation.room("tea")
            try chat.write { try $0.join(room, "alice") }
            try chat.say("hello", by: "alice", in: room)
            try chat.write { try $0.invite("bob", to: room, by: "alice") }
            #expect(try chat.row("bob", room).unread == 0)
            try chat.write { try $0.setTopic("green or black", of: room, by: "bob") }
            #expect(try chat.row("alice", room).status == "green or black")
            try chat.say("black", by: "bob", in: room)
            #expect(try chat.row("alice", room).unread == 1)
            try chat.write { try $0.leave(room, "bob") }
            #expect(try chat.read { try $0.members(of: room) } == ["alice"])
            #expect(try chat.read { try $0.seat(of: "bob", in: room.id) } == nil)
            #expect(try chat.texts(room).first == "alice joined" && chat.texts(room).last == "bob left")
        }
    }

    @Test func theNameIsKeptInTheFile() throws {
        try withChat(as: "Alice-A") { chat in
            let last = try chat.read { try $0[Chat.users][NSUserName()]?.name }
            #expect(last == "Alice-A")
        }
    }

    @Test func whoComesAndGoesChangesNoSeat() throws {
        try withChat { chat in
            try chat.write { try $0.join("bob", at: Date()) }
            let seats = try chat.read { try $0[Chat.seats].values() }
            try chat.write { try $0.set(.away, away: "tea", of: "bob", at: Date()) }
            let row = try chat.row("alice", Conversation("alice", "bob"))
            #expect((row.standing, row.status) == (.away, "tea") && row.lastSeen != nil)
            #expect(try chat.read { try $0[Chat.seats].values() } == seats)
        }
    }
}
