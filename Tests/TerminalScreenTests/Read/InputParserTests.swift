import TerminalCells
import Testing

@testable import TerminalScreen

@Suite struct InputParserTests {
    @Test func lettersAndControlCharactersAreKeys() {
        #expect(events("aZ") == [.key(.character("a")), .key(.character("Z"))])
        #expect(events("\u{04}\u{1A}") == [.key(.character("d"), .control), .key(.character("z"), .control)])
        #expect(events("\r\n\t") == [.key(.enter), .key(.enter), .key(.tab)])
        #expect(events("\u{7F}\u{08}") == [.key(.backspace), .key(.backspace)])
        #expect(events("\0\u{1C}\u{1F}") == [.key(" ", .control), .key("\\", .control), .key("_", .control)])
    }

    @Test func aCharacterOfSeveralBytesIsOneKey() {
        #expect(events("ä你🎈") == [.key("ä"), .key("你"), .key("🎈")])
    }

    @Test func altIsEscBeforeTheKey() {
        #expect(events("\u{1B}x\u{1B}ä\u{1B}\r") == [.key("x", .alt), .key("ä", .alt), .key(.enter, .alt)])
        #expect(events("\u{1B}\u{04}\u{1B}\u{7F}") == [.key("d", [.alt, .control]), .key(.backspace, .alt)])
    }

    @Test(arguments: ["\u{1B}[", "\u{1B}O"]) func arrowsWorkInBothModes(introducer: String) {
        let sent = ["A", "B", "C", "D", "H", "F"].map { introducer + $0 }.joined()
        #expect(events(sent) == [.key(.up), .key(.down), .key(.right), .key(.left), .key(.home), .key(.end)])
    }

    @Test(
        arguments: [
            ("\u{1B}[1;2A", .up, .shift), ("\u{1B}[1;3B", .down, .alt), ("\u{1B}[1;5C", .right, .control),
            ("\u{1B}[1;8D", .left, [.shift, .alt, .control]), ("\u{1B}[3;5~", .delete, .control),
            ("\u{1B}[5~", .pageUp, []),
            ("\u{1B}[6;2~", .pageDown, .shift), ("\u{1B}[2~", .insert, []), ("\u{1B}[1~", .home, []),
            ("\u{1B}[8~", .end, []),
            ("\u{1B}[Z", .tab, .shift), ("\u{1B}OP", .function(1), []), ("\u{1B}[[E", .function(5), []),
            ("\u{1B}[15~", .function(5), []), ("\u{1B}[1;2S", .function(4), .shift),
            ("\u{1B}[24;5~", .function(12), .control),
            ("\u{1B}[34~", .function(20), []), ("\u{1B}[27;5;13~", .enter, .control),
            ("\u{1B}[97;5u", .character("a"), .control),
            ("\u{1B}[a", .up, .shift), ("\u{1B}[5^", .pageUp, .control), ("\u{1B}Oj", .character("*"), []),
            ("\u{1B}OM", .enter, []),
            // Kitty's form, with events, the keypad, capitals, and locks among the modifiers.
            ("\u{1B}[113;1:1u", .character("q"), []), ("\u{1B}[113;1:2u", .character("q"), []),
            ("\u{1B}[57399u", .character("0"), []), ("\u{1B}[57408;1u", .character("9"), []),
            ("\u{1B}[57414;1:1u", .enter, []), ("\u{1B}[57419;5u", .up, .control), ("\u{1B}[57376u", .function(13), []),
            ("\u{1B}[113;2u", .character("Q"), []), ("\u{1B}[228;2u", .character("Ä"), []),
            ("\u{1B}[49:33;2u", .character("!"), []), ("\u{1B}[97;129u", .character("a"), []),
            ("\u{1B}[1;1:1A", .up, []), ("\u{1B}[97;6u", .character("A"), .control), ("\u{1B}[13;2u", .enter, .shift),
        ] as [(String, Key, Modifiers)]) func sequencesAreKeys(sequence: String, key: Key, modifiers: Modifiers)
    {
        #expect(events(sequence) == [.key(key, modifiers)])
    }

    /// Releases of keys in kitty's form, and keys that are neither text nor known.
    @Test(arguments: ["[113;1:3u", "[57399;1:3u", "[1;1:3A", "[3;1:3~", "[57441u", "[57358;65u", "[63743u"])
    func whatIsNoKeyIsDropped(sequence: String) {
        #expect(events("\u{1B}\(sequence)x") == [.key("x")])
    }

    @Test func aTerminalsOwnSequencesComeFromTerminfo() {
        var parser = InputParser(keys: [Array("\u{1B}[224z".utf8): .function(1), Array("\u{1B}T".utf8): .up])
        #expect(
            parser.feed("\u{1B}[224z\u{1B}T\u{1B}t".utf8, at: 0) == [.key(.function(1)), .key(.up), .key("t", .alt)])
    }

    @Test func theMouseReportsInDecimal() {
        #expect(
            events("\u{1B}[<0;10;5M\u{1B}[<32;300;6M\u{1B}[<0;300;6m") == [
                .mouse(MouseEvent(.press(button: 1), x: 9, y: 4)), .mouse(MouseEvent(.drag(button: 1), x: 299, y: 5)),
                .mouse(MouseEvent(.release, x: 299, y: 5)),
            ])
        #expect(
            events("\u{1B}[<64;1;1M\u{1B}[<81;2;1M\u{1B}[<35;1;1M\u{1B}[<2;1;1M") == [
                .mouse(MouseEvent(.wheel(lines: -3), x: 0, y: 0)),
                .mouse(MouseEvent(.wheel(lines: 3), x: 1, y: 0, modifiers: .control)),
                .mouse(MouseEvent(.move, x: 0, y: 0)), .mouse(MouseEvent(.press(button: 3), x: 0, y: 0)),
            ])
    }

    @Test func theMouseReportsInThreeBytes() {
        #expect(
            events("\u{1B}[M !!\u{1B}[M#!!\u{1B}[M`\"!") == [
                .mouse(MouseEvent(.press(button: 1), x: 0, y: 0)), .mouse(MouseEvent(.release, x: 0, y: 0)),
                .mouse(MouseEvent(.wheel(lines: -3), x: 1, y: 0)),
            ])
    }

    @Test func impossibleMouseReportsAreDropped() {
        #expect(
            events("\u{1B}[<0;0;0M\u{1B}[<66;1;1M\u{1B}[<128;1;1M\u{1B}[<;;M\u{1B}[M\u{1}\u{1}\u{1}x") == [.key("x")])
    }

    @Test func focusComesAndGoes() {
        #expect(events("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
    }

    @Test func answersOfTheTerminalAreNoKeys() {
        var parser = InputParser()
        let sent =
            "\u{1B}[?2026;2$y\u{1B}[?64;1;2c\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}]52;c;eA==\u{07}\u{1B}P1$r0m\u{1B}\\x"
        #expect(parser.feed(sent.utf8, at: 0) == [.key("x")])
        #expect(parser.modeReports == [2026: 2])
    }

    @Test func unknownSequencesAreDroppedAndTheRestIsNot() {
        #expect(events("\u{1B}[99~\u{1B}[1;5Ex") == [.key("x")])
        #expect(events("\u{1B}[12\u{1B}[Ax") == [.key(.up), .key("x")])
        #expect(events("\u{1B}[1;\rx") == [.key(.enter), .key("x")])
        #expect(events("\u{1B}[" + String(repeating: "1", count: 5000) + "Ax").last == .key("x"))
        #expect(events("\u{1B}]never ending\rx") == [.key(.enter), .key("x")])
    }

    @Test func bytesThatAreNoTextBecomeReplacementCharacters() {
        #expect(bytes([0xFF, 0x41]) == [.key("\u{FFFD}"), .key("A")])
        #expect(bytes([0xC3, 0x41]) == [.key("\u{FFFD}"), .key("A")])
        #expect(bytes([0xE4, 0xBD, 0xC3, 0xA4]) == [.key("\u{FFFD}"), .key("ä")])
        // Five overlong forms of a slash, a surrogate, a C1 control character.
        #expect(bytes([0xC0, 0xAF]) == [.key("\u{FFFD}"), .key("\u{FFFD}")])
        #expect(bytes([0xED, 0xA0, 0x80]) == [.key("\u{FFFD}"), .key("\u{FFFD}"), .key("\u{FFFD}")])
        #expect(bytes([0xC2, 0x9B, 0x41]) == [.key("A")])
    }

    private func events(_ text: String) -> [InputEvent] { bytes(Array(text.utf8)) }

    private func bytes(_ bytes: [UInt8]) -> [InputEvent] {
        var parser = InputParser()
        return parser.feed(bytes, at: 0)
    }
}

extension InputEvent {
    static func key(_ character: Character, _ modifiers: Modifiers = []) -> InputEvent {
        .key(.character(character), modifiers)
    }
}
