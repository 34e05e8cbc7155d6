import FileReading
import LiveTable
import Testing

@testable import Browser

/// The keys of the browser, without a file.
@Suite struct BrowserStateTests {
    private func state(focus: BrowserState.Pane = .list) -> BrowserState {
        var state = BrowserState(
            screen: ScreenState(size: (100, 24), theme: Theme()), keys: .standard, follows: false)
        state.focus = focus
        return state
    }

    private func type(_ text: String, _ state: inout BrowserState, isReading: Bool = false) -> BrowserState.Request? {
        text.map { state.update(.key(.character($0)), isReading: isReading) }.last ?? nil
    }

    @Test func keysAreRequests() {
        var state = state()
        #expect(type("12j", &state) == .move(.selectNext(12)))
        #expect(type("r", &state) == .inList(.reverse))
        #expect(state.update(.resize(width: 50, height: 24), isReading: false) == .layOut)
        #expect(state.shownPanes == [.list] && state.area(of: .tree) == nil)
        #expect(type("q", &state) == nil && state.screen.effects == [.quit])
    }

    @Test func theHelpKeepsWhatIsTypedFromTheScreen() {
        var state = state()
        #expect(type("?", &state) == nil && state.screen.text != nil)
        #expect(type("/export xrq", &state) == nil && state.screen.text?.isSearchTyped == true)
        #expect(state.update(.key(.escape), isReading: false) == nil && state.screen.text?.isSearchTyped == false)
        #expect(type("xrq", &state) == nil && state.screen.text == nil)
        #expect(state.prompt == nil && state.screen.effects.isEmpty)
        #expect(type("q", &state) == nil && state.screen.effects == [.quit])
    }

    @Test func aPatternIsSearchedAsItIsTyped() {
        var state = state()
        state.prompt = .pattern(TextField())
        #expect(type("ab", &state) == .searchAsTyped("ab", isKeysOnly: false))
        #expect(state.update(.key(.tab), isReading: false) == .searchAsTyped("ab", isKeysOnly: true))
        let question = BrowserQuestion.pattern(isFilter: false, isKeysOnly: true)
        #expect(state.update(.key(.enter), isReading: false) == .accept("ab", question))
        #expect(state.prompt == nil && state.patterns == ["ab"])
    }

    @Test func keysForAListThatIsBeingLoadedWait() {
        var state = state()
        #expect(type("/q", &state, isReading: true) == nil && state.typedAhead.count == 2)
        #expect(state.screen.effects.isEmpty)
        state.typedAhead = []
        #expect(type("q", &state, isReading: true) == nil && state.screen.effects == [.quit])
        state.focus = .tree
        #expect(type("j", &state, isReading: true) == .move(.selectNext()) && state.typedAhead.isEmpty)
    }

    @Test func aMenuOfSeveralStaysOpen() {
        var state = state()
        let choices = ["key", "rowid", "text"].map { Menu.Choice(title: $0) }
        state.menu = OpenMenu(menu: Menu("Columns", choices, isMultiple: true), purpose: .columns)
        #expect(type("j ", &state) == .choose(1, .columns) && state.menu != nil)
        #expect(type("3>", &state) == .adjust(1, .by(3)))
        #expect(state.update(.key(.escape), isReading: false) == nil && state.menu == nil)
        state.menu = OpenMenu(menu: Menu("Sorted by", choices), purpose: .order([]))
        #expect(state.update(.key(.enter), isReading: false) == .choose(0, .order([])) && state.menu == nil)
    }
}
