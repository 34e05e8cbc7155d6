import Testing

@testable import TerminalCells

@Suite struct KeyConfigTests {
    @Test func aFileBindsAndUnbinds() throws {
        let map = try configured(
            """
            # my keys
            ctrl-j  next

            j       none
            x       last     # like nothing else
            hash    center
            # first
            """)
        #expect(action(map, .character("j"), .control) == .next)
        #expect(action(map, .character("j")) == nil)
        #expect(action(map, .character("x")) == .last)
        #expect(action(map, .character("#")) == .center)
        #expect(action(map, .down) == .next, "what is not named stays")
    }

    /// As editors on Windows write it, with a byte order mark at the beginning.
    @Test(arguments: ["\r\n", "\n", "\r"], ["", "\u{FEFF}"])
    func linesEndAsTheyMay(end: String, mark: String) throws {
        let lines = ["ctrl-j next", "", "j none # mine", "[chat]", "x last", "[lab]", "y first", ""]
        let map = try configured(mark + lines.joined(separator: end))
        #expect(action(map, .character("j"), .control) == .next)
        #expect(action(map, .character("j")) == nil && action(map, .character("y")) != .first)
        #expect(action(map, .character("x")) == .last)
        let error = #expect(throws: KeyConfigError.self) {
            try KeyConfig(lines.joined(separator: end) + "k next more", file: "keys", screens: ["chat", "lab"])
        }
        #expect(error?.problems.map(\.line) == [8])
    }

    @Test func aKeyBoundAnewDoesOnlyTheNewThing() throws {
        #expect(action(try configured("j previous"), .character("j")) == .previous)
    }

    @Test func theFirstKeyOfAnActionIsTheNewOne() throws {
        let map = try configured("ctrl-j next")
        #expect(map.hintLine([.next], width: 40, theme: Theme()).text == " ↑Ctrl-J move")
    }

    @Test func linesBelowANameAreForThatScreen() throws {
        let text = "x last\n[lab]\nx first\n[chat]\ny first"
        let chat = try configured(text)
        #expect(action(chat, .character("x")) == .last)
        #expect(action(chat, .character("y")) == .first)
        let lab = try KeyConfig(text, file: "keys", screens: ["chat", "lab"]).applied(to: [.table], of: "lab")[0]
        #expect(action(lab, .character("x")) == .first)
        #expect(action(lab, .character("y")) == nil)
    }

    @Test func whatAScreenDoesNotHaveMayBeBoundForAll() throws {
        #expect(try configured("ctrl-s search") == .table, "search is known, though not to this screen")
    }

    @Test func theEarlierNameOfAnActionStillBindsIt() throws {
        let lists = KeyMap([.init("copy-all", ["y"], "copy")])
        let maps = try KeyConfig("x copyAll", file: "keys", screens: [])
            .applied(to: [lists], of: "chat", earlierNames: ["copyAll": "copy-all"])
        #expect(action(maps[0], .character("x")) == "copy-all")
    }

    @Test func lettersStayLettersWhereTextIsTyped() throws {
        let typing = KeyMap([.init(.quit, ["ctrl-c"], "quit")], isForTyping: true)
        let lists = KeyMap([.init(.quit, ["q"], "quit")])
        let maps = try KeyConfig("x quit\nctrl-q quit", file: "keys", screens: [])
            .applied(to: [typing, lists], of: "chat")
        #expect(action(maps[0], .character("x")) == nil)
        #expect(action(maps[0], .character("q"), .control) == .quit)
        #expect(action(maps[1], .character("x")) == .quit)
        #expect(action(maps[1], .character("q"), .control) == .quit)
    }

    @Test func anActionOfOneMapLeavesTheKeyToTheOthers() throws {
        let typing = KeyMap([.init(.quit, ["ctrl-c"], "quit")], isForTyping: true)
        let lists = KeyMap([.init(.copy, ["y"], "copy")])
        let maps = try KeyConfig("ctrl-c copy", file: "keys", screens: []).applied(to: [typing, lists], of: "chat")
        #expect(action(maps[0], .character("c"), .control) == .quit)
        #expect(action(maps[1], .character("c"), .control) == .copy)
    }

    @Test func everyLineThatCannotBeReadIsNamed() {
        let error = #expect(throws: KeyConfigError.self) {
            try configured("ctrl-j next\nhyper-x next\nj\nl next last\n[nowhere]")
        }
        #expect(
            error?.description.split(separator: "\n").map(String.init) == [
                "~/keys, line 2: there is no key \"hyper-x\"; write j, G, zz, ctrl-d, alt-x, enter, pgdn, f1.",
                "~/keys, line 3: a line is a key and an action, as in \"ctrl-j next\".",
                "~/keys, line 4: a line is a key and an action, as in \"ctrl-j next\".",
                "~/keys, line 5: there is no screen \"nowhere\"; there are [chat], [lab].",
            ])
    }

    @Test func anUnknownActionIsNamedWithThoseThatThereAre() throws {
        let error = #expect(throws: KeyConfigError.self) { try configured("k jump\n[chat]\nk hop\n[lab]\nk skip") }
        let lines = error?.description.split(separator: "\n").map(String.init) ?? []
        #expect(lines.count == 2, "what is for another screen is judged there")
        #expect(
            lines.first?.hasPrefix(
                "~/keys, line 1: chat has no action \"jump\"; what only one screen has stands below its name, as in [chat]."
            ) == true)
        #expect(
            lines.last?.hasPrefix("~/keys, line 3: chat has no action \"hop\". It has none, next, previous,") == true)
    }

    private func configured(_ text: String) throws -> KeyMap {
        try KeyConfig(text, file: "~/keys", screens: ["chat", "lab"]).applied(to: [.table], of: "chat")[0]
    }

    private func action(_ map: KeyMap, _ key: Key, _ modifiers: Modifiers = []) -> Action? {
        var reader = KeyReader(map)
        if case .action(let action, _) = reader.read(key, modifiers) { return action }
        return nil
    }
}
