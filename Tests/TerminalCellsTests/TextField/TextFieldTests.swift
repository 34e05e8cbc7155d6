import Testing

@testable import TerminalCells

@Suite struct TextFieldTests {
    @Test func typingGoesInAtTheCursor() {
        #expect(field("helo", .left, "l") == "hell|o")
        #expect(field("world", .home, "hello ") == "hello |world")
    }

    @Test func deletingGoesBackAndForth() {
        #expect(field("abc", .backspace) == "ab|")
        #expect(field("abc", .home, .delete) == "|bc")
        #expect(field("abc", .home, .backspace) == "|abc")
        #expect(field("abc", .delete) == "abc|")
    }

    @Test func wordsAreJumpedOverAndDeleted() {
        #expect(field("one two  three", .alt("b")) == "one two  |three")
        #expect(field("one two  three", .alt("b"), .alt("b"), .alt("f")) == "one two|  three")
        #expect(field("one two  ", .control("w")) == "one |")
        #expect(field("one, two", .home, .alt("d")) == "|, two")
        #expect(field("don't", .control("w")) == "don'|")
    }

    @Test func controlKeysDoWhatShellsDo() {
        #expect(field("one two", .control("a")) == "|one two")
        #expect(field("one two", .control("a"), .control("e")) == "one two|")
        #expect(field("one two", .alt("b"), .control("u")) == "|two")
        #expect(field("one two", .alt("b"), .control("k")) == "one |")
        #expect(field("one two", .control("w"), .control("a"), .control("y")) == "two|one ")
    }

    @Test func aClusterIsOneCharacter() {
        #expect(field("a👨‍👩‍👧", .backspace) == "a|")
        #expect(field("e", "\u{301}", .backspace) == "|", "the mark joined the letter")
        #expect(field("漢字", .left) == "漢|字")
    }

    @Test func aPasteIsOneLine() {
        var field = TextField()
        #expect(field.handle(.paste("one\ntwo\r\nthree")) == .changed)
        #expect(field.text == "one two three")
    }

    @Test func moreThanAnyoneTypesIsLeftOut() {
        var field = TextField()
        _ = field.handle(.paste(String(repeating: "x", count: 50_000)))
        #expect(field.text.count == TextField.maxCharacters)
        _ = field.handle(.key(.character("y")))
        #expect(field.text.count == TextField.maxCharacters)
    }

    @Test func enterSubmitsAndTheHistoryKeepsIt() {
        var field = TextField("hello")
        #expect(field.handle(.key(.enter)) == .submitted("hello"))
        #expect(field.isEmpty && field.history == ["hello"])
        _ = field.handle(.paste("draft"))
        #expect(field.handle(.key(.up)) == .changed)
        #expect(field.text == "hello")
        #expect(field.handle(.key(.up)) == nil, "there is nothing older, so the key is free for others")
        #expect(field.handle(.key(.down)) == .changed)
        #expect(field.text == "draft")
        #expect(field.handle(.key(.down)) == nil)
    }

    @Test func theHistoryKeepsNoRepetitionAndNoEmptyLine() {
        var field = TextField(history: ["a"])
        for line in ["a", "", "b", "b"] {
            field.text = line
            _ = field.submit()
        }
        #expect(field.history == ["a", "b"])
    }

    @Test func keysOfOthersAreLeftToThem() {
        var field = TextField("x")
        #expect(field.handle(.key(.tab)) == nil)
        #expect(field.handle(.key(.pageUp)) == nil)
        #expect(field.handle(.key(.function(1))) == nil)
        #expect(field.handle(.key(.character("c"), .control)) == nil)
        #expect(field.handle(.resize(width: 1, height: 1)) == nil)
        #expect(field.handle(.key(.escape)) == .cancelled)
    }

    @Test func theCursorIsShownAndScrolledTo() {
        #expect(drawn(TextField("hi"), width: 10) == ("› hi", 4))
        #expect(drawn(TextField("", placeholder: "Write"), width: 10) == ("› Write", 2))
        let long = TextField("abcdefghijklmnop")
        #expect(drawn(long, width: 10) == ("› ‹nop", 6))
        var back = long
        back.moveToStart()
        #expect(drawn(back, width: 10) == ("› abcdefg›", 2))
    }

    @Test func theCursorIsAlwaysOnTheField() {
        var random = SplitMix64(seed: 21)
        for _ in 0..<2000 {
            let text = (0..<random.below(20)).map { _ in ["a", "漢", "👍🏿", "e\u{301}", "\t"][random.below(5)] }.joined()
            var field = TextField(text)
            for _ in 0..<random.below(20) { field.moveLeft() }
            let width = 4 + random.below(12)
            var grid = Grid(width: width, height: 1)
            field.draw(into: &grid, in: grid.bounds, theme: Theme(), isFocused: true)
            let x = grid.cursor?.x ?? -1
            #expect((2..<width).contains(x), "\(text.debugDescription) in \(width): \(x)")
        }
    }

    @Test func hostileTextInAFieldIsHarmless() {
        var grid = Grid(width: 20, height: 1)
        TextField("\u{1B}[31m\u{202E}x").draw(into: &grid, in: grid.bounds, theme: Theme(), isFocused: false)
        #expect(grid.lines == ["› ␛[31mx"])
        #expect(grid.cursor == nil)
    }

    private func drawn(_ field: TextField, width: Int) -> (String, Int) {
        var grid = Grid(width: width, height: 1)
        field.draw(into: &grid, in: grid.bounds, theme: Theme(), isFocused: true)
        return (grid.lines[0], grid.cursor?.x ?? -1)
    }

    /// Returns the text after some keys, with `|` at the cursor.
    private func field(_ keys: Typed...) -> String {
        var field = TextField()
        for key in keys {
            switch key {
            case .text(let text):
                for character in text.unicodeScalars { _ = field.handle(.key(.character(Character(character)))) }
            case .key(let key, let modifiers): _ = field.handle(.key(key, modifiers))
            }
        }
        return String(field.characters[..<field.cursor]) + "|" + String(field.characters[field.cursor...])
    }

    private enum Typed: ExpressibleByStringLiteral {
        case text(String)
        case key(Key, Modifiers)

        init(stringLiteral value: String) { self = .text(value) }

        static let left = Typed.key(.left, [])
        static let home = Typed.key(.home, [])
        static let backspace = Typed.key(.backspace, [])
        static let delete = Typed.key(.delete, [])
        static func alt(_ character: Character) -> Typed { .key(.character(character), .alt) }
        static func control(_ character: Character) -> Typed { .key(.character(character), .control) }
    }
}
