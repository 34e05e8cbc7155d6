import Foundation
import LiveTable
import Testing

@testable import ChatRoster

/// Messages and what they do to the rosters of the members.
@Suite struct SendingTests {
    private let pair = Conversation("alice", "bob")

    @Test func aMessageIsUnreadForTheOtherOneOnly() throws {
        try withChat { chat in
            try chat.write { try $0.join("bob", at: Date()) }
            let message = try chat.say("hi", by: "alice", in: pair)
            #expect(message.author == "alice" && !message.isDeleted)
            #expect(try chat.row("bob", pair).unread == 1 && chat.row("alice", pair).unread == 0)
            #expect(try chat.row("bob", pair).last == message.date)
        }
    }

    @Test func whatIsSentNowComesLastWhateverTheClock() throws {
        try withChat { chat in
            try chat.write { try $0.join("bob", at: Date()) }
            try chat.say("from the future", by: "bob", in: pair, at: Date(timeIntervalSinceNow: 3600))
            try chat.say("from now", by: "alice", in: pair)
            #expect(try chat.texts(pair) == ["from the future", "from now"])
        }
    }

    @Test func onlyTheAuthorChangesAMessage() throws {
        try withChat { chat in
            let message = try chat.say("hi", by: "bob", in: pair)
            #expect(throws: NotTheAuthor.self) {
                try chat.write { try $0.edit(message.id, text: "ho", by: "alice", at: Date()) }
            }
            #expect(throws: NotTheAuthor.self) { try chat.write { try $0.delete(message.id, by: "alice") } }
            try chat.write { try $0.edit(message.id, text: "ho", by: "bob", at: Date()) }
            #expect(try chat.read { try $0[Chat.messages][message.id]?.edited } != nil)
        }
    }

    @Test func whatIsTakenBackTakesItsUnreadAlong() throws {
        try withChat { chat in
            let first = try chat.say("one", by: "bob", in: pair)
            let second = try chat.say("@alice two", by: "bob", in: pair)
            #expect(try chat.row("alice", pair).unread == 2 && chat.row("alice", pair).mentions == 1)
            try chat.write { try $0.markRead(by: "alice", in: pair.id, upTo: first.position) }
            #expect(try chat.row("alice", pair).unread == 1)
            try chat.write { try $0.delete(second.id, by: "bob") }
            #expect(try chat.row("alice", pair).unread == 0 && chat.row("alice", pair).mentions == 0)
            // What was read already changes no count.
            try chat.write { try $0.delete(first.id, by: "bob") }
            #expect(try chat.row("alice", pair).unread == 0)
        }
    }

    @Test func deletedStandsThereUntilAllHaveSeenIt() throws {
        try withChat { chat in
            let room = Conversation.room("tea")
            try chat.write { transaction in for name in ["alice", "bob", "carol"] { try transaction.join(room, name) } }
            let message = try chat.say("oops", by: "alice", in: room)
            try chat.write { try $0.delete(message.id, by: "alice") }
            #expect(try chat.read { try $0[Chat.messages][message.id]?.text } == "")
            try chat.write { try $0.markSeen(by: "bob", deleted: [message.id]) }
            #expect(try chat.read { try $0[Chat.messages][message.id]?.unseenDeletion } == ["carol"])
            try chat.write { try $0.markSeen(by: "carol", deleted: [message.id]) }
            #expect(try chat.read { try $0[Chat.messages][message.id] } == nil)
        }
    }

    @Test func aDeletionIsUndoneWithItsUnread() throws {
        try withChat { chat in
            let message = try chat.say("hi", by: "alice", in: pair)
            try chat.write { try $0.delete(message.id, by: "alice") }
            #expect(try chat.row("bob", pair).unread == 0)
            try chat.write { try $0.restore(message) }
            #expect(try chat.texts(pair) == ["hi"] && chat.row("bob", pair).unread == 1)
            // A second time changes nothing.
            try chat.write { try $0.restore(message) }
            #expect(try chat.row("bob", pair).unread == 1)
        }
    }

    @Test func aReactionIsTakenBackByTheSameKey() throws {
        try withChat { chat in
            let message = try chat.say("hi", by: "bob", in: pair)
            try chat.write { try $0.react("👍", to: message.id, by: "alice") }
            #expect(try chat.read { try $0[Chat.messages][message.id]?.reactions } == ["👍": ["alice"]])
            try chat.write { try $0.react("👍", to: message.id, by: "alice") }
            #expect(try chat.read { try $0[Chat.messages][message.id]?.reactions } == nil)
        }
    }
}
