import TerminalCells
import Testing

@testable import TerminalScreen

@Suite struct InputParserTimeTests {
    @Test func aBareEscIsAKeyAfter25Milliseconds() {
        var parser = InputParser()
        #expect(parser.feed([0x1B], at: 10) == [])
        #expect(parser.deadline == 10.025)
        #expect(parser.expire(at: 10.024) == [])
        #expect(parser.expire(at: 10.025) == [.key(.escape)])
        #expect(parser.deadline == nil)
    }

    @Test func aSequenceInTimeIsNoEsc() {
        var parser = InputParser()
        #expect(parser.feed([0x1B], at: 0) == [])
        #expect(parser.feed("[A".utf8, at: 0.02) == [.key(.up)])
        #expect(parser.deadline == nil)
    }

    @Test func escTwiceIsTwoKeys() {
        var parser = InputParser()
        #expect(parser.feed([0x1B, 0x1B], at: 0) == [.key(.escape)])
        #expect(parser.expire(at: 0.025) == [.key(.escape)])
    }

    @Test(arguments: ["[", "O", "P", "]"]) func theBeginningOfASequenceMayBeAnAltKey(letter: Character) {
        var parser = InputParser()
        #expect(parser.feed("\u{1B}\(letter)".utf8, at: 0) == [])
        #expect(parser.expire(at: 0.025) == [.key(letter, .alt)])
    }

    @Test func aLongerBeginningWaitsForASlowLine() {
        var parser = InputParser()
        #expect(parser.feed("\u{1B}[1;".utf8, at: 0) == [])
        #expect(parser.expire(at: 0.4) == [])
        #expect(parser.feed("5A".utf8, at: 0.4) == [.key(.up, .control)])
    }

    @Test func whatNeverEndsIsGivenUp() {
        var parser = InputParser()
        #expect(parser.feed("\u{1B}[1;".utf8, at: 0) == [])
        #expect(parser.expire(at: 0.5) == [])
        #expect(parser.feed("x".utf8, at: 1) == [.key("x")])
        #expect(parser.feed([0xE4, 0xBD], at: 2) == [])
        #expect(parser.expire(at: 2.5) == [.key("\u{FFFD}")])
    }

    @Test func aPasteWhoseEndIsLostIsDelivered() {
        var parser = InputParser()
        #expect(parser.feed("\u{1B}[200~text".utf8, at: 0) == [])
        #expect(parser.expire(at: 3) == [.paste("text")])
        #expect(parser.feed("x".utf8, at: 4) == [.key("x")])
    }
}
