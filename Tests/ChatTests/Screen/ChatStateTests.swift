import LiveTable
import Testing

@testable import ChatRoster

/// The keys of the chat, without a database.
@Suite struct ChatStateTests {
    private var state: ChatState {
        ChatState(
            screen: ScreenState(size: (80, 24), theme: Theme(), keepsNotices: false), keys: .standard, me: "me",
            composer: Composer(conversation: "anna&me"))
    }

    private func type(_ text: String, into state: inout ChatState) {
        for character in text { #expect(state.update(.key(.character(character))) == nil) }
    }

    @Test func aLineIsWrittenAndSent() {
        var state = state
        type("hello", into: &state)
        #expect(state.update(.key(.enter)) == .send)
        let taken = state.composer.take()
        #expect(taken?.text == "hello")
    }

    @Test func aCommandIsNoMessage() {
        var state = state
        type("/join #tea", into: &state)
        #expect(state.update(.key(.enter)) == .command(.join("#tea")))
        let other = state.composer.take(ChatCommand.list)
        let line = state.composer.take(ChatCommand.join("#tea"))
        #expect(other == nil && line == "/join #tea" && state.composer.field.isEmpty)
        type("/nonsense", into: &state)
        #expect(state.update(.key(.enter)) == nil && state.composer.field.text == "/nonsense")
        #expect(state.screen.message?.isFailure == true)
    }

    @Test(arguments: ["copy-invitation", "copyInvitation"])
    func aKeyFileMayHaveTheEarlierNameOfAnAction(_ name: String) throws {
        let keys = try ChatKeys(KeyConfig("[chat]\nalt-z \(name)", file: "keys", screens: ["chat"]))
        #expect(keys.maps.allSatisfy { $0.action(of: .key(.character("z"), .alt)) == .copyInvitation })
    }

    @Test func ctrlCClearsALineFirstAndQuitsSecond() {
        var state = state
        type("half", into: &state)
        _ = state.update(.key(.character("c"), .control))
        #expect(state.composer.field.isEmpty && state.screen.effects.isEmpty)
        _ = state.update(.key(.character("c"), .control))
        #expect(state.screen.effects == [.quit])
    }

    @Test func upEditsOnAnEmptyLineOnly() {
        var state = state
        #expect(state.update(.key(.up)) == .editLast)
        state.composer.edit(Message("old", in: .note("me"), by: "me"))
        #expect(state.update(.key(.up)) == nil && state.composer.field.text == "old")
    }

    @Test func afterAClickLettersGoToTheLine() {
        var state = state
        let click = MouseEvent(.press(button: 1), x: 3, y: 3)
        #expect(state.update(.mouse(click)) == .mouse(click))
        type("quit deed", into: &state)
        #expect(state.composer.field.text == "quit deed" && state.screen.effects.isEmpty)
    }

    @Test func lettersAreCommandsInTheListsOnly() {
        var state = state
        type("q", into: &state)
        #expect(state.screen.effects.isEmpty)
        state.focus = .roster
        #expect(state.update(.key(.character("3"))) == nil)
        #expect(state.update(.key(.character("j"))) == .move(.selectNext(3), in: .roster))
        #expect(state.update(.key(.character("e"))) == nil && state.screen.message != nil)
        state.focus = .messages
        #expect(state.update(.key(.character("e"))) == .message(.edit))
        #expect(state.update(.key(.character("q"))) == nil && state.screen.effects == [.quit])
    }

    @Test func numbersAndLettersOpenConversations() {
        var state = state
        #expect(state.update(.key(.character("2"), .alt)) == .openNumber(2))
        state.roster = [RosterRow(seat: Seat("me", in: Conversation("me", "bob"), opened: .now))]
        _ = state.update(.key(.character("k"), .control))
        type("bo", into: &state)
        #expect(state.update(.key(.enter)) == .open("bob&me") && state.prompt == nil)
        _ = state.update(.key(.character("k"), .control))
        type("#tea", into: &state)
        #expect(state.update(.key(.enter)) == .command(.join("#tea")))
    }

    @Test func searchingTypesAndMoves() {
        var state = state
        #expect(state.update(.key(.character("r"), .control)) == .search(""))
        #expect(state.update(.key(.character("t"))) == .search("t") && state.searched == "t")
        #expect(state.update(.key(.character("r"), .control)) == .moveFound(1))
        #expect(state.update(.key(.enter)) == .openFound)
        #expect(state.update(.key(.escape)) == .endSearch && state.searched == nil)
    }

    @Test func tabCompletesOrLeaves() {
        var state = state
        #expect(state.update(.key(.tab)) == .focus(.roster))
        state.members = ["me", "anna"]
        type("hi @a", into: &state)
        #expect(state.update(.key(.tab)) == nil && state.composer.field.text == "hi @anna ")
    }

    /// A person who tries to complete a word goes on typing: in the lists the letters would be commands.
    @Test(arguments: ["I think", "I think ", "two\nlines /j", "/nonsense"]) func tabWithNothingToCompleteStaysInTheLine(
        text: String
    ) {
        var state = state
        state.composer.replaceText(text)
        #expect(state.update(.key(.tab)) == nil && state.focus == .input && state.screen.message?.isFailure == false)
        type("nd quit", into: &state)
        #expect(state.composer.field.text == text + "nd quit" && state.screen.effects.isEmpty)
    }

    /// Keys of a list scroll it, a blank turns the page, / finds a line, q and Escape close it, and other keys do nothing.
    @Test func theHelpTakesTheKeysThatScrollIt() {
        var state = state
        #expect(state.update(.key(.function(1))) == nil && state.screen.text != nil)
        type("jq", into: &state)
        #expect(state.screen.text == nil && state.composer.field.isEmpty)
        #expect(state.update(.key(.function(1))) == nil && state.screen.text != nil)
        type(" xr", into: &state)
        #expect(state.screen.text.map { $0.offset > 1 } == true && state.composer.field.isEmpty)
        let before = state.screen.text
        type("/export q", into: &state)
        #expect(state.screen.text != before && state.prompt == nil && state.composer.field.isEmpty)
        #expect(state.update(.key(.escape)) == nil && state.screen.text == before)
        #expect(state.update(.key(.escape)) == nil && state.screen.text == nil)
    }

    @Test func aMessageIsShownUntilTheNextKeyAndKept() {
        var state = state
        state.screen.message = .failure("The file is locked.")
        #expect(state.update(.focus(true)) == .look && state.screen.message != nil)
        type("x", into: &state)
        #expect(state.screen.message == nil && state.screen.lastMessage?.text == "The file is locked.")
    }

    @Test func aPastedFileIsAskedAboutAndNoneForAnEditedMessage() {
        var state = state
        let text = String(repeating: "x", count: TextField.maxCharacters + 1)
        #expect(state.update(.paste(text)) == nil)
        #expect(state.prompt == .paste(LongPaste(text)) && state.composer.field.isEmpty)
        #expect(state.update(.key(.escape)) == nil && state.prompt == nil)
        state.composer.edit(Message("before", in: Conversation("alice", "bob"), by: "alice"))
        #expect(state.update(.paste(text)) == nil && state.prompt == nil)
        #expect(state.screen.message?.isFailure == true && state.composer.field.text == "before")
    }
}
