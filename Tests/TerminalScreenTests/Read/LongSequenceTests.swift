import TerminalCells
import Testing

@testable import TerminalScreen

/// Answers of a terminal of any length, and what is typed between them.
@Suite struct LongSequenceTests {
    @Test func keysBetweenAnswersOfAnyLengthComeOutAndNothingElse() {
        for seed in 0..<400 {
            var random = SplitMix64(seed: UInt64(seed))
            var (bytes, expected) = ([UInt8](), [InputEvent]())
            for _ in 0..<4 {
                let sequence = Self.sequence(&random)
                let key = Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(random.below(26))))
                bytes += sequence.bytes + Array(String(key).utf8)
                expected += sequence.events + [.key(key)]
            }
            var (parser, events, longest) = (InputParser(), [InputEvent](), 0)
            var rest = bytes[...]
            while !rest.isEmpty {
                let portion = rest.prefix(1 + random.below(random.below(2) == 0 ? 3 : 2_000))
                events += parser.feed(portion, at: 0)
                longest = max(longest, parser.pending.count)
                rest = rest.dropFirst(portion.count)
            }
            guard events == expected, parser.deadline == nil, longest <= InputParser.sequenceLimit + 4 else {
                Issue.record("Seed \(seed): \(events.prefix(20)) and \(longest) bytes, not \(expected)")
                return
            }
        }
    }

    /// An answer that is too long says nothing.
    @Test func theBeginningOfALongAnswerIsNoAnswer() {
        var parser = InputParser()
        let spaces = String(repeating: " ", count: 2_000)
        #expect(parser.feed("\u{1B}]11;rgb:ff/ff/ff\(spaces)\u{7}\u{1B}P>|xterm\(spaces)\u{1B}\\".utf8, at: 0) == [])
        #expect(parser.feed("\u{1B}[?4;\(String(repeating: "1;", count: 1_000))c".utf8, at: 0) == [])
        #expect(parser.background == nil && parser.version == nil && parser.abilities.isEmpty)
    }

    /// After the time of a sequence, a person is heard again.
    @Test(arguments: ["\u{1B}]11;", "\u{1B}P", "\u{1B}_", "\u{1B}["]) func aLongSequenceThatEndsNeverIsGivenUp(
        start: String
    ) {
        var parser = InputParser()
        #expect(parser.feed((start + String(repeating: "1", count: 3_000)).utf8, at: 0) == [])
        #expect(parser.expire(at: InputParser.sequenceDelay) == [])
        #expect(parser.feed("q".utf8, at: 1) == [.key("q")])
        #expect(parser.feed((start + String(repeating: "1", count: 3_000) + "\u{1B}").utf8, at: 2) == [])
        #expect(parser.expire(at: 3) == [.key(.escape)])
        #expect(parser.feed("q".utf8, at: 4) == [.key("q")])
    }

    /// Returns a sequence of a random kind, length and end, and the events of its end.
    private static func sequence(_ random: inout SplitMix64) -> (bytes: [UInt8], events: [InputEvent]) {
        let length = random.below(3) == 0 ? random.below(20) : random.below(5_001)
        let kind = ["]", "]11;rgb:", "P", "P>|", "_G", "_", "^", "X", "["][random.below(9)]
        if kind == "[" {
            // Parameters and intermediate characters of no key.
            let parameters = (0..<length).map { _ in UInt8(0x20 + random.below(0x20)) }
            return (Array("\u{1B}[>".utf8) + parameters + Array(["p", "q", "x", "t"][random.below(4)].utf8), [])
        }
        // Without a character that would end it, also as a byte of another one.
        let payload = (0..<length).map { _ in
            UInt8([0x20 + random.below(0x5F), 0x80 + random.below(0x80)][random.below(2)])
        }
        let ends: [(String, [InputEvent])] = [
            ("\u{7}", []), ("\u{1B}\\", []), ("\u{18}", []), ("\u{1A}", []), ("\r", [.key(.enter)]),
            ("\u{3}", [.key("c", .control)]), ("\u{7F}", [.key(.backspace)]), ("\u{1B}[A", [.key(.up)]),
            ("\u{1B}OB", [.key(.down)]),
            ("\u{1B}[200~text\u{1B}[201~", [.paste("text")]),
        ]
        let end = ends[random.below(ends.count)]
        return (Array("\u{1B}\(kind)".utf8) + payload + Array(end.0.utf8), end.1)
    }
}
