import Testing

@testable import TerminalCells

/// Fields of several lines.
@Suite struct TextLinesTests {
    @Test func altEnterBeginsALineAndEnterSubmitsAll() {
        var field = TextField("one", maxLines: 6)
        #expect(field.handle(.key(.enter, .alt)) == .changed)
        _ = field.handle(.paste("two\r\nthree\rfour"))
        #expect(field.text == "one\ntwo\nthree\nfour")
        #expect(field.handle(.key(.enter)) == .submitted("one\ntwo\nthree\nfour"))
        #expect(field.isEmpty)
        var line = TextField("one")
        #expect(line.handle(.key(.enter, .alt)) == nil, "a field of one line has no second one")
    }

    @Test func theFieldGrowsToItsLimitAndThenScrolls() {
        var field = TextField(maxLines: 3)
        let heights = (0..<5).map { _ in
            defer { field.insert("x\n") }
            return field.height(inWidth: 20)
        }
        #expect(heights == [1, 2, 3, 3, 3])
        field = TextField("1\n2\n3\n4\n5", maxLines: 3)
        #expect(drawn(field, 6, 5) == ["› 3  ↑", "  4", "  5|", "", ""])
        for _ in 0..<3 { field.moveUp() }
        #expect(drawn(field, 6, 5) == ["› 1", "  2|", "  3  ↓", "", ""])
    }

    @Test func aLineBreaksBetweenWordsAndInsideALongOne() {
        let field = TextField("the quick brown fox", maxLines: 6)
        #expect(drawn(field, 12, 4) == ["› the quick", "  brown fox|", "", ""])
        #expect(drawn(TextField("abcdefghijkl", maxLines: 6), 8, 4) == ["› abcde", "  fghij", "  kl|", ""])
        #expect(drawn(TextField("漢字漢字", maxLines: 6), 8, 3) == ["› 漢字", "  漢字|", ""])
    }

    @Test func theCursorGoesUpAndDownAndKeepsItsColumn() {
        var field = TextField("a long line\nx\nanother one", maxLines: 6)
        field.wrap(to: Rect(x: 0, y: 0, width: 40, height: 6))
        expect(&field, by: { $0.moveUp() }, "a long line\nx|\nanother one")
        expect(&field, by: { $0.moveUp() }, "a long line|\nx\nanother one")
        expect(&field, by: { $0.moveUp() }, nil)
        expect(&field, by: { $0.moveDown() }, "a long line\nx|\nanother one")
        expect(&field, by: { $0.moveDown() }, "a long line\nx\nanother one|")
        expect(&field, by: { $0.moveDown() }, nil)
        // Now a line of the screen, not of the text.
        field.wrap(to: Rect(x: 0, y: 0, width: 11, height: 6))
        expect(&field, by: { $0.moveUp() }, "a long line\nx\nano|ther one")
    }

    @Test func homeEndAndTheKillKeysStayInTheirLine() {
        #expect(after("one\ntwo", .home) == "one\n|two")
        #expect(after("one\ntwo", .home, .control("u")) == "one|two", "an empty part is the line break")
        #expect(after("one\ntwo", .control("u")) == "one\n|")
        #expect(after("one\ntwo", .key(.home, .control)) == "|one\ntwo")
        #expect(after("one\ntwo", .key(.home, .control), .control("k")) == "|\ntwo")
        #expect(after("one\ntwo", .key(.home, .control), .control("k"), .control("k")) == "|two")
    }

    @Test func theArrowUpInTheFirstLineIsTheHistorysOrTheScreens() {
        var field = TextField("", history: ["a\nb"], maxLines: 6)
        #expect(field.handle(.key(.up)) == .changed && field.text == "a\nb")
        field = TextField("draft", history: ["a\nb"], maxLines: 6)
        field.usesHistory = false
        #expect(field.handle(.key(.up)) == nil && field.text == "draft")
    }

    @Test func changesAreTakenBackWordByWord() {
        var field = TextField(maxLines: 3)
        for character in "one two" { _ = field.handle(.key(.character(character))) }
        _ = field.handle(.key(.character("w"), .control))
        var texts: [String] = []
        while field.undo() { texts.append(field.text) }
        #expect(texts == ["one two", "one ", "one", ""])
        field.text = "another"
        let isUndone = field.undo()
        #expect(!isUndone)
    }

    @Test func aClickPutsTheCursorUnderIt() {
        var field = TextField("the quick brown fox", maxLines: 6)
        let rect = Rect(x: 3, y: 2, width: 12, height: 4)
        field.moveCursor(toX: 7, y: 3, in: rect)
        #expect(shown(field) == "the quick br|own fox")
        field.moveCursor(toX: 14, y: 2, in: rect)
        #expect(shown(field) == "the quick| brown fox")
        field.moveCursor(toX: 3, y: 9, in: rect)
        #expect(shown(field) == "the quick brown fox|")
        var line = TextField("abcdefghijklmnop")
        line.moveCursor(toX: 4, y: 0, in: Rect(x: 0, y: 0, width: 10, height: 1))
        #expect(shown(line) == "abcdefghijklmn|op", "the line is scrolled")
    }

    @Test func whatIsDrawnIsTheTextAndTheCursorIsInIt() {
        var random = SplitMix64(seed: 18)
        for _ in 0..<300 {
            var field = TextField(maxLines: 1 + random.below(40))
            for _ in 0..<random.below(40) { change(&field, &random) }
            #expect(String(field.characters).count == field.characters.count, "\(field.text.debugDescription)")
            #expect((0...field.characters.count).contains(field.cursor))
            let (width, height) = (1 + random.below(20), 1 + random.below(50))
            var grid = Grid(width: width, height: height)
            field.draw(into: &grid, in: grid.bounds, theme: Theme(), isFocused: true)
            guard width > 4 else { continue }
            let cursor = grid.cursor ?? (-1, -1)
            #expect((2..<width).contains(cursor.x) && (0..<height).contains(cursor.y))
            let rows = TextField.Rows(field.characters, width: width - 2, level: .safe)
            if field.maxLines > 1, rows.count <= min(height, field.maxLines) {
                let inked = grid.lines.map { String($0.dropFirst(2)) }.joined().filter { $0 != " " }
                #expect(inked == field.characters.filter { !" \t\n".contains($0) }.map(Self.visible).joined())
            }
        }
    }

    /// One random key, paste or move.
    private func change(_ field: inout TextField, _ random: inout SplitMix64) {
        let texts = ["a", "word ", "漢", "👍🏿", "e", "\u{301}", "🇩", "🇪", "\n", " ", "one\r\ntwo", "\u{1B}"]
        switch random.below(12) {
        case 0: field.deleteBackward()
        case 1: field.deleteForward()
        case 2: field.moveWordLeft()
        case 3: field.moveUp()
        case 4: field.moveDown()
        case 5: field.deleteToStart()
        case 6: field.deleteWordBackward()
        case 7: field.undo()
        case 8: field.moveLeft()
        default: field.insert(texts[random.below(texts.count)])
        }
    }

    /// Moves and compares; nil if there must be nowhere to move.
    private func expect(_ field: inout TextField, by move: (inout TextField) -> Bool, _ text: String?) {
        let isMoved = move(&field)
        #expect(isMoved == (text != nil))
        if let text { #expect(shown(field) == text) }
    }

    private static func visible(_ character: Character) -> String { TextMeasure().safe(String(character)) }

    private func shown(_ field: TextField) -> String {
        String(field.characters[..<field.cursor]) + "|" + String(field.characters[field.cursor...])
    }

    private func drawn(_ field: TextField, _ width: Int, _ height: Int) -> [String] {
        var grid = Grid(width: width, height: height)
        field.draw(into: &grid, in: grid.bounds, theme: Theme(), isFocused: true)
        if let cursor = grid.cursor { grid.draw("|", x: cursor.x, y: cursor.y) }
        return grid.lines
    }

    private func after(_ text: String, _ events: InputEvent...) -> String {
        var field = TextField(text, maxLines: 6)
        for event in events { _ = field.handle(event) }
        return shown(field)
    }
}

extension InputEvent {
    fileprivate static let home = InputEvent.key(.home)
    fileprivate static func control(_ character: Character) -> InputEvent { .key(.character(character), .control) }
}
