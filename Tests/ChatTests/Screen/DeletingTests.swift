import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// A message that is deleted and comes back, on the screen of the one who wrote it.
@MainActor @Suite struct DeletingTests {
    private let pair = Conversation("alice", "bob")

    @Test func theSelectionStaysAtThePlaceAndComesBackToTheLine() async throws {
        try await withScreenChat { chat in
            let sent = try ["one", "two", "three"].map { try chat.say($0, by: "alice", in: pair) }
            let screen = try TestScreen(chat, with: "bob")
            try await screen.shows("three")
            screen.press(.key(.tab, .shift), .key(.up))
            for (message, next) in [(sent[1], "three"), (sent[2], "two")] {
                if message.id == sent[2].id { screen.press(.key(.down)) }
                #expect(selected(screen) == message.id)
                screen.press(.key(.character("d")))
                try await screen.shows("deleted")
                #expect(selected(screen) == message.id)
                // Bob has seen it: it goes, and the selection is on the line below, else above.
                try chat.write { try $0.markSeen(by: "bob", deleted: [message.id]) }
                try await screen.shows("▎ deleted", false)
                #expect(try chat.read { try $0[Chat.messages][selected(screen) ?? ""]?.text } == next)
                #expect(screen.lines().contains { $0.contains("Deleted: u brings it back") })
                screen.press(.key(.character("u")))
                try await screen.shows("▎ \(message.text) ✓")
                try await screen.until("It is selected") { selected(screen) == message.id }
                #expect(!screen.lines().contains { $0.contains("u brings it back") })
            }
            screen.press(.key(.character("u")))
            #expect(screen.lines().contains { $0.contains("Nothing was deleted.") })
        }
    }

    /// A notice says no longer than it is so that something can be brought back.
    @Test func theNoticeGoesWithWhatItOffers() async throws {
        try await withScreenChat { chat in
            let sent = try chat.say("one", by: "alice", in: pair)
            let screen = try TestScreen(chat, with: "bob")
            screen.program.state.deleted = sent
            screen.program.state.screen.message = ChatState.undoNotice
            #expect(screen.lines().contains { $0.contains("Deleted: u brings it back") })
            screen.program.state.deleted = nil
            #expect(!screen.lines().contains { $0.contains("Deleted: u brings it back") })
        }
    }

    private func selected(_ screen: TestScreen) -> String? { screen.program.conversation.table.selection?.key }
}
