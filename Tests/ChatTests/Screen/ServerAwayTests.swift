import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// A chat whose server is away, without a server: what it knows of that is set by the test.
@MainActor @Suite struct ServerAwayTests {
    private let tea = Conversation.room("tea")

    @Test func commandsSaySoAtOnceAndMessagesWait() async throws {
        try await withServerChat { chat, away in
            let screen = try TestScreen(chat, with: "bob")
            try await screen.shows("○ bob")
            away.withLock { $0 = Self.offline() }
            try await screen.shows("? bob")
            try await screen.shows("bob ? unknown")
            for command in ["/join #other", "/to dave", "/topic x", "/invite dave"] {
                screen.type("/to #tea")
                screen.press(.key(.enter))
                try await screen.shows("▪ #tea")
                #expect(screen.program.state.composer.conversation == "#tea", "what is there is opened")
                screen.type(command)
                screen.press(.key(.enter))
                #expect(screen.lines().contains { $0.contains("not possible now: The cable") }, "\(command)")
                #expect(screen.program.state.composer.field.text == command, "to be tried again")
                screen.press(.key(.character("c"), .control))
            }
            for text in ["one", "two"] {
                screen.type(text)
                screen.press(.key(.enter))
            }
            try await screen.shows("not sent: two")
            #expect(try chat.texts(tea) == ["alice joined"])
            // Kept in the file, where others write what is theirs alone.
            try await screen.until("They are kept") { try chat.read { try $0.unsent(by: "alice").count == 2 } }
            away.withLock { $0 = nil }
            try await screen.shows("▎ two ✓")
            try await screen.shows("Back again, 2 sent.")
            #expect(try chat.texts(tea) == ["alice joined", "one", "two"])
        }
    }

    @Test func theFirstScreenKnowsAsMuchOfOthersAsTheRoster() async throws {
        try await withServerChat { chat, away in
            try chat.write { try $0.join("bob", at: Date()) }
            let screen = try TestScreen(chat, with: "alice")
            try await screen.shows("Here before: bob.")
            away.withLock { $0 = Self.offline() }
            try await screen.shows("? bob")
            #expect(screen.lines().contains { $0.contains("Others: bob.") })
        }
    }

    @Test func awayWaitsAndSaysSo() async throws {
        try await withServerChat { chat, away in
            let screen = try TestScreen(chat, with: "#tea")
            away.withLock { $0 = Self.offline() }
            try await screen.shows("offline")
            screen.type("/away lunch")
            screen.press(.key(.enter))
            try await screen.shows("That you are away waits for the server: lunch")
            #expect(try chat.read { try $0[Chat.people]["alice"]?.away } == nil)
            away.withLock { $0 = nil }
            try await screen.shows("Back again.")
            try await screen.until("It is stored") { try chat.read { try $0[Chat.people]["alice"]?.away } == "lunch" }
            screen.type("/away")
            screen.press(.key(.enter))
            try await screen.until("It is stored at once") {
                try chat.read { try $0[Chat.people]["alice"]?.away } == nil
            }
        }
    }

    @Test(arguments: [(20, "12m, trying"), (59, "12 min, trying now"), (80, "(Alt-E: why)"), (200, "(Alt-E: why)")])
    func aLineSaysItOnEachScreenAndAKeyWhy(width: Int, shown: String) async throws {
        try await withServerChat { chat, away in
            let screen = try TestScreen(chat, with: "#tea", width: width, height: width == 20 ? 6 : 24)
            away.withLock { $0 = Self.offline() }
            try await screen.shows("offline")
            let line = screen.lines()[0]
            #expect(line.contains(shown), "\(line)")
            #expect(width < 60 || line.contains("#tea"))
            screen.press(.key(.character("e"), .alt))
            let text = screen.lines().joined(separator: " ")
            #expect(text.contains("The server") && (width == 20 || text.contains("The cable is out.")), "\(text)")
        }
    }

    /// While rows move, they are not drawn again: a mark that comes with the second drawing stands there half a second late.
    @Test func aMessageThatWaitsIsMarkedFromItsFirstFrame() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "chat.sqlite")
            let new = try ChatDatabase(url: url, as: "alice")
            try new.write { transaction in
                try transaction.join(tea, "alice")
                let local = YapDatabaseServerCollections.allExcept(ChatOptions.localCollections)
                let position = ["1", "0", "", "\(transaction.numberOfCommit)", local.line, UUID().uuidString, "chat"]
                try transaction.setFileValue(position.joined(separator: "\n"), SpaceValue.position)
            }
            try new.close()
            let chat = try ChatDatabase(url: url, as: "alice")
            try #require(chat.sendsLater)
            let screen = try TestScreen(chat, with: "#tea", motion: .full)
            screen.type("Hello")
            screen.press(.key(.enter))
            var line: String?
            try await screen.until("The message") {
                line = screen.lines().first { $0.contains("▎ Hello") }
                return line != nil
            }
            #expect(line?.contains("○") == true && line?.contains("✓") == false, "\(line ?? "")")
            try chat.close()
        }
    }

    /// The first screen of a chat with a space does not say that it is a file alone.
    @Test func theFirstScreenNamesTheSpace() throws {
        try withTemporaryFolder { folder throws in
            var options = ChatOptions(
                url: folder.appending(path: "chat.sqlite"), seed: 7, motion: .none, unicode: .safe)
            options.space = "the space \"team\" of the server postgres://db"
            let chat = try ChatDatabase(url: options.url, as: "alice")
            let screen = try ChatScreen(
                chat: chat, options: options, keys: .standard, theme: Theme(), size: (200, 24), now: { 0 })
            let text = screen.draw().lines.joined(separator: "\n")
            #expect(
                text.contains("This chat is the space \"team\" of the server postgres://db."),
                "\(text)")
            try chat.close()
        }
    }

    private static func offline() -> ServerDelay {
        ServerDelay(
            "offline", reason: "The cable is out.", mayWrite: false, since: Date() - 725, nextTry: Date())
    }

    private func withServerChat(_ body: (ChatDatabase, Locked<ServerDelay?>) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "chat.sqlite")
            let away = Locked<ServerDelay?>(nil)
            let chat = try ChatDatabase(url: url, as: "alice", serverDelay: { _ in away.withLock { $0 } })
            try chat.write { transaction in
                try transaction.join(.room("tea"), "alice")
                try transaction.meet("dave")
            }
            try await body(chat, away)
            try chat.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}
