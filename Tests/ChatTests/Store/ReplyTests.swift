import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// A reply refers to a message: what is shown of that goes with it.
@MainActor @Suite struct ReplyTests {
    private let pair = Conversation("alice", "bob")

    @Test func theTextOfADeletedMessageIsNowhereInReplies() async throws {
        try await withScreenChat { chat in
            let said = try chat.say("my password is swordfish", by: "bob", in: pair)
            let screen = try TestScreen(chat, with: "bob")
            try await screen.shows("swordfish")
            screen.press(.key(.tab, .shift), .key(.character("r")))
            screen.type("never say that")
            screen.press(.key(.enter))
            try await screen.shows("↳ bob: my password is swordfish")
            // Changed, it is shown as it is now.
            try chat.write { try $0.edit(said.id, text: "my password is tuna", by: "bob", at: Date()) }
            try await screen.shows("↳ bob: my password is tuna")
            let message = try #require(try chat.read { try $0[Chat.messages][said.id] })
            try chat.write { try $0.delete(said.id, by: "bob") }
            try await screen.shows("↳ bob: (deleted)")
            #expect(!screen.lines().contains { $0.contains("tuna") || $0.contains("swordfish") })
            try expectNowhere("swordfish", chat)
            try expectNowhere("tuna", chat)
            // Deleting can be undone.
            try chat.write { try $0.restore(message) }
            try await screen.shows("↳ bob: my password is tuna")
        }
    }

    /// Earlier releases stored a copy in each reply.
    @Test func copiesInOldRepliesGoToo() throws {
        try withChat { chat in
            let said = try chat.say("swordfish", by: "bob", in: pair)
            for number in 0..<3 {
                var reply = Message("reply \(number)", in: pair, by: "alice")
                reply.reply = Message.Quote(id: said.id, author: "bob", text: "swordfish")
                let sent = reply
                try chat.write { try $0.append(sent) }
                try chat.say("between", by: "bob", in: pair)
            }
            try chat.write { try $0.delete(said.id, by: "bob") }
            try expectNowhere("swordfish", chat)
            #expect(try chat.texts(pair).count { $0.hasPrefix("reply") } == 3)
        }
    }

    @Test func anExportHasRepliesReactionsAndWhatWasEdited() throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "chat.sqlite")
            let chat = try ChatDatabase(url: url, as: "alice")
            let (kept, gone) = (
                try chat.say("kept", by: "bob", in: pair), try chat.say("gone", by: "bob", in: pair)
            )
            for (number, quoted) in [kept, gone].enumerated() {
                var reply = Message("reply \(number)", in: pair, by: "alice")
                reply.reply = Message.Quote(id: quoted.id, author: "bob", text: quoted.text)
                let sent = reply
                try chat.write { try $0.append(sent) }
            }
            try chat.write { try $0.edit(kept.id, text: "kept, changed", by: "bob", at: Date()) }
            try chat.write { try $0.react("👍", to: kept.id, by: "alice") }
            try chat.write { try $0.delete(gone.id, by: "bob") }
            try chat.say("to myself", by: "alice", in: .note("alice"))
            try chat.close()
            func export(_ other: String, asJSON: Bool) throws -> [String] {
                var options = ChatOptions(url: url, seed: 1, motion: .none, unicode: .safe)
                (options.name, options.other) = ("alice", other)
                var lines: [String] = []
                try exportChat(options, asJSON: asJSON) { lines += $0.split(separator: "\n").map(String.init) }
                return lines
            }
            let texts = try export("bob", asJSON: false).map { $0.dropFirst(18) }
            #expect(
                texts == [
                    "bob: kept, changed (edited)", "👍 alice", "bob: (deleted)", "alice: ↳ bob: kept, changed",
                    "reply 0",
                    "alice: ↳ bob: (deleted)", "reply 1",
                ])
            let json = try export("bob", asJSON: true)
            #expect(json.count == 4 && json[2].contains("\"text\":\"kept, changed\"") && !json[3].contains("gone"))
            // By the title under which the list of conversations has it.
            #expect(try export("Notes", asJSON: false).count == 1)
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    private func expectNowhere(_ text: String, _ chat: ChatDatabase) throws {
        try chat.database.newConnection().read { transaction in
            for collection in [Chat.messages.name, Chat.drafts.name] {
                try transaction.forEachStoredKey { key in
                    guard key.collection == collection, let bytes = try transaction.storedBytes(key) else { return }
                    #expect(bytes.object.firstRange(of: Data(text.utf8)) == nil, "\(key)")
                }
            }
        }
    }
}
