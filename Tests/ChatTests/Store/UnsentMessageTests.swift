import Foundation
import LiveTable
import TestSupport
import Testing

@testable import ChatRoster

/// A message that was sent is in the chat once, wherever the chat was killed, and however many send it.
@MainActor @Suite struct UnsentMessageTests {
    private let tea = Conversation.room("tea")

    /// The moments at which a chat may be killed.
    enum Step: CaseIterable {
        case keptInAFile
        case stored
        case failedAndKeptInTheFile
        case keptInBoth
        case storedLater
        case draftStillThere
    }

    @Test(arguments: Step.allCases)
    func killedAtAnyStepItIsThereOnceAfterTheNextStart(step: Step) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appending(path: "chat.sqlite")
            let chat = try ChatDatabase(url: url, as: "alice")
            try chat.write { try $0.join(tea, "alice") }
            let sending = chat.kept(sending("hello", chat))
            #expect(sending.isKept)
            switch step {
            case .keptInAFile: break
            case .stored: _ = try chat.write { try $0.send([sending], keptIn: chat.unsentFiles) }
            case .failedAndKeptInTheFile:
                try chat.write { try $0.keep([sending]) }
                chat.unsentFiles.remove(sending.id)
            case .keptInBoth: try chat.write { try $0.keep([sending]) }
            case .storedLater:
                try chat.write { try $0.keep([sending]) }
                chat.unsentFiles.remove(sending.id)
                _ = try chat.write { try $0.send([sending], keptIn: chat.unsentFiles) }
            case .draftStillThere:
                let key = Seat.key("alice", tea.id)
                try chat.write { try $0[Chat.drafts].save(StoredDraft(key: key, draft: Draft(text: "hello"))) }
            }
            try chat.close()

            let again = try ChatDatabase(url: url, as: "alice")
            let screen = try TestScreen(again, with: "#tea")
            try await screen.shows("▎ hello ✓")
            try await screen.until("Nothing is left") {
                try screen.program.state.composer.outbox.isEmpty && again.read { try $0.unsent(by: "alice") }.isEmpty
                    && again.unsentFiles.load(of: "alice").isEmpty
            }
            #expect(try again.texts(tea) == ["alice joined", "hello"])
            #expect(screen.program.state.composer.field.isEmpty)
            try again.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func twoChatsOfOnePersonSendItOnce() async throws {
        try await withScreenChat { chat in
            try chat.write { try $0.join(tea, "alice") }
            var sendings = (0..<3).map { sending("number \($0)", chat) }
            for index in sendings.indices { sendings[index] = chat.kept(sendings[index]) }
            // Both find the same.
            let screens = [try TestScreen(chat, with: "#tea"), try TestScreen(chat, with: "#tea")]
            for screen in screens { #expect(screen.program.state.composer.outbox.sendings.count == 3) }
            for screen in screens {
                try await screen.until("All are sent") { screen.program.state.composer.outbox.isEmpty }
            }
            #expect(try chat.texts(tea) == ["alice joined", "number 0", "number 1", "number 2"])
        }
    }

    @Test func whatOneChatTakesBackTheOtherDoesNotSend() async throws {
        try await withScreenChat { chat in
            try chat.write { try $0.join(tea, "alice") }
            let sending = chat.kept(sending("no, wait", chat))
            let done = try await taken(sending, in: chat)
            #expect(done)
            let results = try chat.write { try $0.send([sending], keptIn: chat.unsentFiles) }
            #expect(results == [sending.id: .gone])
            #expect(try chat.texts(tea) == ["alice joined"])
            #expect(try chat.read { try $0[Chat.drafts][Seat.key("alice", tea.id)]?.draft.text } == "no, wait")
        }
    }

    private func taken(_ sending: Sending, in chat: ChatDatabase) async throws -> Bool {
        await withCheckedContinuation { done in
            chat.takeBack(sending, as: sending.draft) { result in
                done.resume(returning: (try? result.get()) != nil)
            }
        }
    }

    @Test func aChangeThatIsRefusedKeepsNothingElseFromBeingSent() throws {
        try withChat { chat in
            try chat.write { try $0.join(tea, "alice") }
            var edit = sending("changed", chat)
            edit.draft.edited = "not there"
            let results = try chat.write { try $0.send([edit, sending("next", chat)], keptIn: chat.unsentFiles) }
            #expect(results[edit.id] == .refused("The message was deleted meanwhile."))
            #expect(try chat.texts(tea) == ["alice joined", "next"])
        }
    }

    @Test func theTimeIsThatOfWritingAndThePlaceTheEnd() throws {
        try withChat { chat in
            try chat.write { try $0.join(tea, "alice") }
            let said = try chat.say("meanwhile", by: "bob", in: tea)
            var late = sending("late", chat)
            late.date = said.date.addingTimeInterval(-3600)
            let results = try chat.write { try $0.send([late], keptIn: chat.unsentFiles) }
            #expect(results.count == 1)
            #expect(try chat.texts(tea) == ["alice joined", "meanwhile", "late"])
        }
    }

    /// A chat of an earlier release meets them among the drafts.
    @Test func amongDraftsTheyAreNoDrafts() throws {
        try withChat { chat in
            try chat.write { try $0.join(tea, "alice") }
            try chat.write { try $0.keep([sending("waits", chat)]) }
            let start = try chat.read { try ChatStart($0, of: chat, wanted: nil) }
            #expect(start.drafts.isEmpty && start.unsent.map(\.draft.text) == ["waits"])
            #expect(try chat.read { try $0.unsent(by: "bob") }.isEmpty)
        }
    }

    private func sending(_ text: String, _ chat: ChatDatabase) -> Sending {
        Sending(
            id: UUID().uuidString, person: chat.me, conversation: tea.id, draft: Draft(text: text), date: Date())
    }
}
