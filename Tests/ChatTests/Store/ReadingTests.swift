import Foundation
import LiveTable
import Testing

@testable import ChatRoster

/// Read positions.
@Suite struct ReadingTests {
    private let pair = Conversation("alice", "bob")

    @Test func onlyWhatWasOnTheScreenIsRead() throws {
        try withChat { chat in
            let messages = try (0..<10).map { try chat.say("\($0)", by: "bob", in: pair) }
            try chat.write { try $0.markRead(by: "alice", in: pair.id, upTo: messages[3].position) }
            #expect(try chat.row("alice", pair).unread == 6)
            #expect(try chat.read { try $0.firstUnread(of: "alice", in: pair.id)?.id } == messages[4].id)
            // A position never goes back.
            try chat.write { try $0.markRead(by: "alice", in: pair.id, upTo: messages[1].position) }
            #expect(try chat.row("alice", pair).seat.read == messages[3].position)
            try chat.write { try $0.markRead(by: "alice", in: pair.id, upTo: messages[9].position) }
            #expect(try chat.read { try $0.firstUnread(of: "alice", in: pair.id) } == nil)
        }
    }

    @Test func readByAllIsTheOneWhoIsFarthestBehind() throws {
        try withChat { chat in
            let room = Conversation.room("tea")
            for name in ["bob", "carol"] { try chat.write { try $0.join(name, at: Date()) } }
            try chat.write { transaction in for name in ["alice", "bob", "carol"] { try transaction.join(room, name) } }
            let messages = try (0..<3).map { try chat.say("\($0)", by: "alice", in: room) }
            try chat.write { try $0.markRead(by: "bob", in: room.id, upTo: messages[2].position) }
            try chat.write { try $0.markRead(by: "carol", in: room.id, upTo: messages[0].position) }
            #expect(try chat.read { try $0.readByAll(of: room, besides: "alice") } == messages[0].position)
            #expect(try chat.read { try $0.readByAll(of: .note("alice"), besides: "alice") } == nil)
        }
    }

    @Test func countsFollowAnyOrderOfEvents() throws {
        try withChat { chat in
            var seed: UInt64 = 7
            func random(_ count: Int) -> Int {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(seed >> 33) % count
            }
            var messages: [Message] = []
            for step in 0..<300 {
                switch random(6) {
                case 0 where !messages.isEmpty:
                    let message = messages[random(messages.count)]
                    try chat.write { try $0.delete(message.id, by: message.author) }
                case 1 where !messages.isEmpty:
                    let message = messages[random(messages.count)]
                    try chat.write { try $0.markRead(by: "alice", in: pair.id, upTo: message.position) }
                case 2 where !messages.isEmpty:
                    let message = messages[random(messages.count)]
                    try chat.write { try $0.restore(message) }
                default: messages.append(try chat.say("\(step)", by: random(3) == 0 ? "alice" : "bob", in: pair))
                }
                let row = try chat.row("alice", pair)
                let unread = try chat.read { try $0[Chat.conversations].values(in: pair.id) }
                    .count { $0.author == "bob" && !$0.isDeleted && $0.position > row.seat.read }
                #expect(row.unread == unread, "after step \(step)")
                if row.unread != unread { return }
            }
        }
    }

    @Test func aDayIsFoundInAnyConversation() throws {
        try withChat { chat in
            let start = Date(timeIntervalSince1970: 1_000_000)
            for day in 0..<20 {
                try chat.say("\(day)", by: "bob", in: pair, at: start.addingTimeInterval(Double(day) * 86400))
            }
            let index = try chat.read { try $0.count(of: pair.id, before: start.addingTimeInterval(7.5 * 86400)) }
            #expect(index == 8)
            #expect(try chat.read { try $0.count(of: pair.id, before: .distantPast) } == 0)
        }
    }
}
