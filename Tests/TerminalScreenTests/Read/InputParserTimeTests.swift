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

    /// What is typed at which seconds after a paste that has no end, and whether it ends with the key ^C.
    private typealias Typed = (keys: [(time: Double, text: String)], isKey: Bool)
    private static let typed: [Typed] = [
        ([(1.0, "\u{3}")], true),
        ([(1.0, "\u{3}"), (1.03, "\u{3}"), (1.06, "\u{3}")], true),
        ([(0.03, "k"), (0.06, "k"), (0.2, "\u{3}")], true),
        ([(1.0, "\u{3}"), (1.05, "more")], false),
        ([(0.05, "\u{3}")], false),
        ([(1.0, "\u{3}x")], false),
        ([(1.0, "x\u{3}")], false),
        ([(0.0, "\u{3}"), (1.0, "x")], false),
        ([(1.0, "\u{3}"), (1.0, "\u{1B}[201~")], false),
    ]

    /// ^C that stands alone in time is the key, once or held; ^C inside of what comes in one stream is text.
    @Test(arguments: typed.indices) func controlCEndsAPasteWhoseEndIsLost(index: Int) {
        let (typed, isKey) = Self.typed[index]
        var parser = InputParser()
        #expect(parser.feed("\u{1B}[200~text".utf8, at: 0) == [])
        var (events, last) = ([InputEvent](), 0.0)
        for (time, text) in typed {
            if let deadline = parser.deadline, deadline <= time { events += parser.expire(at: deadline) }
            events += parser.feed(text.utf8, at: time)
            last = time
        }
        events += parser.expire(at: last + InputParser.keySilence)
        #expect(events.contains(.key("c", .control)) == isKey, "\(events)")
        if isKey {
            let before = typed.map(\.text).joined().replacing("\u{3}", with: "")
            #expect(events.first == .paste("text" + before) && parser.deadline == nil)
        } else {
            events += parser.expire(at: last + InputParser.pasteDelay)
            #expect(events.contains { if case .paste(let text, _) = $0 { text.contains("␃") } else { false } })
        }
    }
}
