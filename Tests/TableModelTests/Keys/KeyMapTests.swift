import Testing

@testable import TableModel

@Suite struct KeyMapTests {
    @Test(arguments: [
        ("ctrl-d", "Ctrl-D"), ("C-D", "Ctrl-D"), ("alt-Enter", "Alt-Enter"), ("shift-tab", "Shift-Tab"),
        ("space", "Space"),
        ("PageDown", "PgDn"), ("f12", "F12"), ("-", "-"), ("ctrl--", "Ctrl--"), ("up", "↑"), ("G", "G"), ("gg", "gg"),
    ])
    func aKeyHasAName(name: String, shown: String) throws {
        let keys = try #require(KeyStroke.parse(name))
        #expect(KeyMap.name(keys) == shown)
    }

    @Test(arguments: ["", "ctrl-", "ctrl-nope", "f99", "hyper-x", "PgDwn"])
    func whatIsNoKeyIsNone(name: String) {
        #expect(KeyStroke.parse(name) == nil)
    }

    @Test func everyNameThatIsShownCanBeWritten() {
        for keys in (KeyMap.table.bindings + KeyMap.general.bindings).flatMap(\.keys) where keys.count == 1 {
            let name = KeyMap.name(keys)
            guard !["↑", "↓", "←", "→"].contains(name) else { continue }
            #expect(KeyStroke.parse(name) == keys, "\(name)")
        }
    }

    @Test func aConfigurationBindsAndUnbinds() throws {
        var map = KeyMap.table
        try map.configure(
            """
            # my keys
            ctrl-j  next

            j       none
            x       last     # like nothing else
            #       center
            """)
        var reader = KeyReader(map)
        #expect(reader.read(.character("j"), .control) == .action(.next, count: nil))
        #expect(reader.read(.character("j")) == .unknown)
        #expect(reader.read(.character("x")) == .action(.last, count: nil))
        #expect(reader.read(.character("#")) == .action(.center, count: nil))
        #expect(reader.read(.down) == .action(.next, count: nil), "what is not named stays")
    }

    @Test func aKeyBoundAnewDoesOnlyTheNewThing() throws {
        var map = KeyMap.table
        try map.configure("j previous")
        var reader = KeyReader(map)
        #expect(reader.read(.character("j")) == .action(.previous, count: nil))
    }

    @Test func everyWrongLineIsNamedAndNothingIsTakenOver() {
        var map = KeyMap.table
        let before = map
        let error = #expect(throws: KeyConfigError.self) {
            try map.configure("ctrl-j next\nhyper-x next\nj\nk jump\nl next last")
        }
        #expect(map == before)
        let lines = "\(error.map(\.description) ?? "")".split(separator: "\n").map { $0.prefix(40) }
        #expect(
            lines == [
                "line 2: there is no key \"hyper-x\"; write", "line 3: a line is a key and an action, a",
                "line 4: there is no action \"jump\"; there", "line 5: a line is a key and an action, a",
            ])
    }

    @Test func theHelpIsMadeOfTheBindings() throws {
        var map = KeyMap([
            .init(.next, ["down", "j"], "next row"), .init(.center, ["zz"], "middle"), .init(.copy, [], "copy"),
        ])
        #expect(map.helpLines(theme: Theme()).map(\.text) == ["↓  j   next row", "zz     middle"])
        try map.configure("j none\nx copy")
        #expect(map.helpLines(theme: Theme()).map(\.text) == ["↓    next row", "zz   middle", "x    copy"])
    }

    @Test func theHintLineShowsWhatFits() {
        let map = KeyMap.table.merging(.general)
        #expect(
            map.hintLine([.next, .open, .search, .help, .quit], width: 60, theme: Theme()).text
                == " ↑↓ move   Enter open   / find   ? help   q quit")
        #expect(map.hintLine([.next, .open, .search], width: 24, theme: Theme()).text == " ↑↓ move   Enter open")
        #expect(map.hintLine(["unheard-of"], width: 24, theme: Theme()).text == " ")
    }

    @Test func mergingGivesTheOtherThePrecedence() {
        let own = KeyMap([.init(.open, ["j"], "open the row")])
        let merged = KeyMap.table.merging(own)
        var reader = KeyReader(merged)
        #expect(reader.read(.character("j")) == .action(.open, count: nil))
        #expect(merged[.next]?.keys.contains([KeyStroke(.character("j"))]) == false)
    }
}
