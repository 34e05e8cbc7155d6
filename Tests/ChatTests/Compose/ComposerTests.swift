import Foundation
import LiveTable
import Testing

@testable import ChatRoster

/// The text being written: nothing typed is lost.
@Suite struct ComposerTests {
    private func composer(_ text: String = "") -> Composer {
        Composer(conversation: "alice&bob", drafts: ["alice&bob": Draft(text: text)])
    }

    private func taken(_ composer: inout Composer) -> Draft? { composer.take() }

    private let message = Message("before", in: Conversation("alice", "bob"), by: "alice", id: "m")

    @Test func whatFailsStaysInPlaceWithItsReason() throws {
        var composer = composer("first")
        let sending = try send(&composer, at: 1)
        #expect(composer.field.isEmpty && composer.visibleOutbox(at: 1).isEmpty)
        #expect(composer.visibleOutbox(at: 1 + Sending.patience).count == 1)
        composer.outbox.fail("The disk is full.", at: 1)
        #expect(composer.visibleOutbox(at: 1).map(\.failure) == ["The disk is full."])
        // Another conversation shows its own.
        composer.turn(to: "#tea")
        #expect(composer.visibleOutbox(at: 9).isEmpty && composer.outbox.sendings.count == 1)
        composer.turn(to: "alice&bob")
        let again = composer.outbox.next(again: true, at: 2).map(\.id)
        #expect(again == [sending.id])
        composer.outbox.remove(sending.id)
        #expect(composer.outbox.isEmpty)
    }

    @Test func whatFailedComesBackIntoAnEmptyLineOnly() throws {
        var composer = composer("lost?")
        try send(&composer, at: 1)
        composer.outbox.fail("no", at: 1)
        composer.field.text = "x"
        let early = composer.takeBack()
        #expect(early == nil)
        composer.field.text = ""
        let back = composer.takeBack()
        #expect(back != nil && composer.field.text == "lost?" && composer.outbox.isEmpty)
    }

    /// Enter sends the same again, and no command.
    @Test func whatComesBackIsWhatWasTyped() {
        func back(_ text: String, kind: Message.Kind? = nil, edited: String? = nil, isRefused: Bool = false) -> Draft {
            var composer = composer("")
            var sending = Sending(
                id: "s", person: "alice", conversation: composer.conversation, draft: Draft(text: text, edited: edited),
                kind: kind, date: Date())
            sending.failure = "no"
            if isRefused { sending = sending.refused("no") }
            composer.outbox.restore([sending], at: 1)
            _ = composer.takeBack()
            return composer.draft
        }
        #expect(back("/quit now") == Draft(text: "//quit now"))
        #expect(back("waves", kind: .action) == Draft(text: "/me waves"))
        #expect(back("changed", edited: "m") == Draft(text: "changed", edited: "m"))
        #expect(back("/changed", edited: "m") == Draft(text: "/changed", edited: "m"))
        #expect(back("changed", edited: "m", isRefused: true) == Draft(text: "changed"))
    }

    @Test func editingKeepsWhatTheDraftAnswers() {
        var composer = composer("half a thought")
        composer.answer(message)
        composer.edit(message)
        composer.edit(message)
        #expect(composer.draft.waiting == "half a thought" && composer.draft.waitingReply?.id == "m")
        composer.giveUpEditing()
        #expect(composer.draft == Draft(text: "half a thought", reply: composer.reply) && composer.reply?.id == "m")
        composer.edit(message)
        _ = composer.take()
        #expect(composer.draft.text == "half a thought" && composer.reply?.id == "m")
    }

    @discardableResult
    private func send(_ composer: inout Composer, at time: Double) throws -> Sending {
        var sending = Sending(
            id: "s", person: "alice", conversation: composer.conversation, draft: try #require(taken(&composer)),
            date: Date())
        sending.start = time
        composer.outbox.add(sending)
        _ = composer.outbox.next(again: false, at: time)
        return sending
    }

    @Test func editingKeepsTheDraftThatWasThere() throws {
        var composer = composer("half a thought")
        composer.edit(message)
        #expect(composer.field.text == "before" && composer.edited == "m")
        #expect(composer.draft.waiting == "half a thought")
        let edit = try #require(taken(&composer))
        #expect(edit.edited == "m" && composer.field.text == "half a thought" && composer.edited == nil)
        composer.edit(message)
        let isGivenUp = composer.giveUpEditing()
        #expect(isGivenUp && composer.field.text == "half a thought")
    }

    @Test func eachConversationHasItsDraft() {
        var composer = composer("to bob")
        composer.turn(to: "#tea")
        #expect(composer.field.isEmpty)
        composer.field.text = "to all"
        composer.turn(to: "alice&bob")
        #expect(composer.field.text == "to bob" && composer.drafts["#tea"]?.text == "to all")
    }

    @Test func blanksAreNotSent() {
        var composer = composer("  \n ")
        #expect(taken(&composer) == nil)
    }

    @Test func anAnswerGoesWithItsMessage() throws {
        var composer = composer()
        composer.answer(message)
        composer.field.text = "yes"
        #expect(taken(&composer)?.reply == Message.Quote(id: "m", author: "alice"))
        #expect(composer.reply == nil)
    }
}
