import LiveTable
import Testing

@testable import ChatRoster

/// The keys of the chat, without a database.
@Suite struct ChatStateTests {
    private var state: ChatState {
        ChatState(
            screen: ScreenState(size: (80, 24), theme: Theme(), keepsNotices: false), keys: .standard, ownName: "me",
            buddy: "anna")
    }

    private func type(_ text: String, into state: inout ChatState) {
        for character in text { #expect(state.update(.key(.character(character))) == nil) }
    }

    @Test func aLineIsWrittenAndSent() {
        var state = state
        type("hello", into: &state)
        #expect(state.composer.field.text == "hello")
        #expect(state.update(.key(.enter)) == .perform(.send))
        let sent = state.composer.send(state.composer.field.submit(), at: 1)
        #expect(sent == Sending(draft: Draft(text: "hello"), buddy: "anna", start: 1))
        #expect(state.composer.field.isEmpty && state.composer.unsent == ["to Anna: hello"])
        state.composer.end(sent)
        #expect(state.composer.unsent.isEmpty)
    }

    @Test func aLineThatWasNotStoredReturnsWhenItsPlaceIsFree() {
        var state = state
        let sent = state.composer.send("first", at: 0)
        type("second", into: &state)
        state.composer.end(sent)
        let words = state.composer.restore(sent, isMessageGone: false)
        #expect(words.contains("when its line is free") && state.composer.field.text == "second")
        // The line is cleared.
        #expect(state.update(.key(.character("u"), .control)) == nil)
        #expect(state.composer.field.text == "first" && state.composer.draft.isUnsent)
        state.composer.turn(to: "ben")
        #expect(state.composer.field.isEmpty && state.composer.unsent == ["to Anna: first"])
    }

    @Test func lettersAreCommandsInTheListsOnly() {
        var state = state
        type("q", into: &state)
        #expect(state.screen.effects.isEmpty)
        state.focus = .roster
        #expect(state.update(.key(.character("3"))) == nil)
        #expect(state.update(.key(.character("j"))) == .move(.selectNext(3)))
        #expect(state.update(.key(.character("e"))) == .perform(.edit))
        #expect(state.update(.key(.character("q"))) == nil && state.screen.effects == [.quit])
    }

    @Test func theHelpTakesTheKeysUntilItIsClosed() {
        var state = state
        #expect(state.update(.key(.function(1))) == nil && state.screen.text != nil)
        type("jx", into: &state)
        #expect(state.screen.text == nil && state.composer.field.isEmpty)
    }

    @Test func aMessageIsShownUntilTheNextKeyAndKept() {
        var state = state
        state.screen.message = .failure("The file is locked.")
        #expect(state.update(.focus(true)) == .look && state.screen.message != nil)
        type("x", into: &state)
        #expect(state.screen.message == nil && state.screen.lastMessage?.text == "The file is locked.")
    }

    @Test func aPastedFileIsCut() {
        var state = state
        #expect(state.update(.paste(String(repeating: "x", count: TextField.mostCharacters + 1))) == nil)
        #expect(state.screen.message?.text.hasPrefix("Only 10000 characters fit") == true)
        #expect(state.composer.field.characters.count == TextField.mostCharacters)
    }
}
