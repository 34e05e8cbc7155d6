import Testing

@testable import TerminalCells

@Suite struct KeyMapTests {
    @Test(arguments: [
        ("ctrl-d", "Ctrl-D"), ("C-D", "Ctrl-D"), ("alt-Enter", "Alt-Enter"), ("shift-tab", "Shift-Tab"),
        ("alt-c", "Alt-C"), ("Alt-C", "Alt-C"), ("alt-shift-c", "Alt-Shift-C"), ("alt-1", "Alt-1"), ("space", "Space"),
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

    @Test func theHelpIsMadeOfTheBindings() throws {
        var map = KeyMap([
            .init(.next, ["down", "j"], "next row"), .init(.center, ["zz"], "middle"), .init(.copy, [], "copy"),
        ])
        #expect(map.helpLines(theme: Theme()).map(\.text) == ["↓  j   next row", "zz     middle"])
        map = try KeyConfig("j none\nx copy", file: "keys", screens: []).applied(to: [map], of: "chat")[0]
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
