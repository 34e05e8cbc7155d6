import TerminalCells
import Testing

@testable import TerminalScreen

/// Pastes of a terminal without bracketed paste.
@Suite struct PasteBurstsTests {
    @Test func linesThatArriveAtOnceArePasted() {
        #expect(read("one line\rtwo\tlines\rthree\r") == [.paste("one line\ntwo\tlines\nthree\n")])
        #expect(read("Grüße\r\nan 你") == [.paste("Grüße\nan 你")])
    }

    /// A person's line that a slow line held back has nothing behind its Enter; a key, and short words, are typed too.
    @Test(arguments: [
        "a whole line typed\r", "\rthe next line", "jj\rjj", "no line break\tat all", "a\r", "\r\r\r\r\r\r\r\r\r",
    ])
    func whatAHandTypesIsTyped(text: String) {
        var parser = InputParser()
        #expect(read(text) == parser.feed(text.utf8, at: 0))
    }

    /// What a person types while the program does something else arrives at once, too.
    @Test func whatWasTypedWhileNothingWasReadIsTyped() {
        var (parser, bursts) = (InputParser(), PasteBursts())
        let bytes = Array("hello\rhow are you\r".utf8)
        #expect(bursts.feed(bytes, to: &parser, at: 5, away: 2).count == bytes.count)
        #expect(bursts.feed(bytes, to: &parser, at: 9, away: 0.1) == [.paste("hello\nhow are you\n")])
    }

    @Test func sequencesAndControlCharactersAreKeys() {
        #expect(!read("some text\r\u{1B}[Amore text").contains { if case .paste = $0 { true } else { false } })
        #expect(!read("some text\r\u{04}more text").contains { if case .paste = $0 { true } else { false } })
    }

    /// A paste that arrives in pieces stays one: its last piece is not a line that Enter ends.
    @Test func whatFollowsAtOnceIsTheRest() {
        var (parser, bursts) = (InputParser(), PasteBursts())
        func feed(_ text: String, at time: Double) -> [InputEvent] {
            bursts.feed(Array(text.utf8), to: &parser, at: time)
        }
        #expect(feed("first line\rsecond", at: 0) == [.paste("first line\nsecond")])
        #expect(feed(" half\r", at: 0.05) == [.paste(" half\n")])
        #expect(feed("x\r", at: 0.1) == [.paste("x\n")])
        #expect(feed("y\r", at: 1) == [.key("y"), .key(.enter)])
        #expect(feed("z\r", at: 1.01) == [.key("z"), .key(.enter)])
    }

    @Test func aCharacterThatIsCutIsWhole() {
        for count in 1..<4 {
            var (parser, bursts) = (InputParser(), PasteBursts())
            let bytes = Array("a line\rand 🎈".utf8)
            let events = bursts.feed(Array(bytes.dropLast(count)), to: &parser, at: 0)
            #expect(events == [.paste("a line\nand ")])
            #expect(bursts.feed(Array(bytes.suffix(count)), to: &parser, at: 0.01) == [.key("🎈")])
        }
    }

    /// What is inside brackets is the parser's.
    @Test func aBracketedPasteIsOne() {
        var (parser, bursts) = (InputParser(), PasteBursts())
        let parts = ["\u{1B}[200~one line\rtwo", "three lines\rfour\rfive", "\u{1B}[201~"]
        let events = parts.flatMap { bursts.feed(Array($0.utf8), to: &parser, at: 0) }
        #expect(events == [.paste("one line\ntwothree lines\nfour\nfive")])
    }

    private func read(_ text: String) -> [InputEvent] {
        var (parser, bursts) = (InputParser(), PasteBursts())
        return bursts.feed(Array(text.utf8), to: &parser, at: 0)
    }
}
