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
            #expect(try chat.seat("zed", Conversation("alice", "zed")).unread == 1)
        }
    }

    @Test func signsOfLifeMoveAPersonBetweenTheSections() throws {
        try withChat { chat in
            let pair = Conversation("alice", "bob")
            try chat.write { try $0.join("bob", at: Date()) }
            var beat = Heartbeat(person: "bob", session: "1", count: 1, date: Date())
            try chat.write { try $0.beat(beat) }
            #expect(try chat.seat("alice", pair).standing == .available)
            try chat.write { try $0.setAway("tea", of: "bob", at: Date()) }
            beat.count = 2
            try chat.write { try $0.beat(beat) }
            #expect(try chat.seat("alice", pair).standing == .away && chat.seat("alice", pair).status == "tea")
            // A sign that went on is not over.
            try chat.write {
                try $0.end([Heartbeat(person: "bob", session: "1", count: 1, date: beat.date)], at: Date())
            }
            #expect(try chat.seat("alice", pair).standing == .away)
            try chat.write { try $0.end([beat], at: Date()) }
            #expect(try chat.seat("alice", pair).standing == .offline && chat.seat("alice", pair).lastSeen != nil)
            // Who comes back is not away.
            try chat.write { try $0.beat(Heartbeat(person: "bob", session: "2", count: 1, date: Date())) }
            #expect(try chat.seat("alice", pair).standing == .available)
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
            #expect(try chat.seat("bob", room).unread == 0)
            try chat.write { try $0.setTopic("green or black", of: room, by: "bob") }
            #expect(try chat.seat("alice", room).status == "green or black")
            try chat.say("black", by: "bob", in: room)
            #expect(try chat.seat("alice", room).unread == 1)
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

    /// Who noticed that bob's chat had ended saw no other's roster.
    @Test func aRosterIsPutWhereThePeopleAre() throws {
        try withChat { chat in
            try chat.write { try $0.join("bob", at: Date()) }
            let key = Seat.key("alice", Conversation("alice", "bob").id)
            _ = try chat.write { try $0[Chat.seats].update(key) { ($0.standing, $0.status) = (.away, "idle") } }
            #expect(try chat.read { try $0.misplaced(onRosterOf: "alice").map(\.key) } == [key])
            try chat.write { try $0.align(rosterOf: "alice") }
            let seat = try chat.seat("alice", Conversation("alice", "bob"))
            #expect((seat.standing, seat.status) == (.offline, ""))
            #expect(try chat.read { try $0.misplaced(onRosterOf: "alice") } == [])
        }
    }
}
