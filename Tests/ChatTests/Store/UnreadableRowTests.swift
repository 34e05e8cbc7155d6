import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// A row that this version of the chat cannot decode, in each of its collections: the chat starts, shows the rest, and sends.
@MainActor @Suite struct UnreadableRowTests {
    private nonisolated static let rows: [(collection: String, key: String)] = [
        ("presence", "bob/1"), ("presence", "nobody"), ("rooms", "#tea"), ("rooms", "#other"),
        ("seats", "alice/alice&bob"),
        ("seats", "bob/alice&bob"), ("seats", "alice/#tea"), ("seats", "zed/#tea"), ("people", "zed"),
        ("people", "bob"),
        ("chat", "a message"), ("drafts", "alice/alice&bob"), ("settings", "alice"), ("users", NSUserName()),
    ]

    @Test(arguments: rows.indices, ["plain bytes", "{\"an\": \"older shape\"}"])
    func theChatStartsAndGoesOn(row: Int, bytes: String) async throws {
        let (collection, key) = Self.rows[row]
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "chat.sqlite")
            let pair = Conversation("alice", "bob")
            let tea = try Conversation.named("#tea", by: "alice")
            var chat = try ChatDatabase(url: url, as: "alice")
            try chat.write { transaction in
                try transaction.join("bob", at: Date())
                try transaction.join(tea, "alice")
                try transaction.beat(Heartbeat(person: "bob", session: "1", count: 1, date: Date()))
            }
            try chat.say("hello", by: "bob", in: pair)
            try chat.close()
            // As another program writes it, which registers nothing.
            let other = try YapDatabase(url: url)
            try await other.newConnection().readWrite {
                try $0.setStored(RowKey(collection: collection, key: key), object: Data(bytes.utf8), metadata: nil)
            }
            try other.close()

            chat = try ChatDatabase(url: url, as: "alice")
            let screen = try TestScreen(chat, width: 100)
            let lines = screen.lines().joined(separator: "\n")
            #expect(lines.contains("Notes"), "\(collection) \(key):\n\(lines)")
            let reports = try chat.read { try $0.unreadable() }
            let isShared = ["people", "rooms", "presence", "seats", "chat"].contains(collection)
            #expect(reports.contains { $0.collection == collection && $0.key == key } == isShared)
            try chat.say("still here", by: "alice", in: pair)
            try chat.write { transaction in
                try transaction.join("carol", at: Date())
                try transaction.beat(Heartbeat(person: "carol", session: "2", count: 1, date: Date()))
            }
            #expect(try chat.texts(pair) == ["hello", "still here"])
            try await screen.shows("carol")
            try chat.close()
        }
    }
}
