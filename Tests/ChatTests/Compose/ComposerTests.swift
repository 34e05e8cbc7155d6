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
        let draft = try #require(taken(&composer))
        let sending = composer.begin(draft, at: 1)
        #expect(composer.field.isEmpty && composer.visibleOutbox(at: 1).isEmpty)
        #expect(composer.visibleOutbox(at: 1 + Sending.patience).count == 1)
        composer.end(sending.id, failure: "The disk is full.")
        #expect(composer.visibleOutbox(at: 1).map(\.failure) == ["The disk is full."])
        // Another conversation shows its own.
        composer.turn(to: "#tea")
        #expect(composer.visibleOutbox(at: 9).isEmpty && composer.outbox.count == 1)
        composer.turn(to: "alice&bob")
        let again = composer.retry(at: 2).map(\.id)
        #expect(again == [sending.id] && composer.visibleOutbox(at: 2).isEmpty)
        composer.end(sending.id, failure: nil)
        #expect(composer.outbox.isEmpty)
    }

    @Test func whatFailedIsSentAgainInOrder() throws {
        var composer = composer()
        for text in ["one", "two", "three"] {
            composer.field.text = text
            let sending = composer.begin(try #require(taken(&composer)), at: 1)
            composer.end(sending.id, failure: "no")
        }
        let again = composer.retry(at: 2).map(\.draft.text)
        #expect(again == ["one", "two", "three"])
    }

    @Test func whatFailedComesBackIntoAnEmptyLineOnly() throws {
        var composer = composer("lost?")
        let sending = composer.begin(try #require(taken(&composer)), at: 1)
        composer.end(sending.id, failure: "no")
        composer.field.text = "x"
        let isBack = composer.takeBack()
        #expect(!isBack)
        composer.field.text = ""
        let isBackNow = composer.takeBack()
        #expect(isBackNow && composer.field.text == "lost?" && composer.outbox.isEmpty)
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
        #expect(taken(&composer)?.reply?.text == "before")
        #expect(composer.reply == nil)
    }
}
