import TerminalCells
import Testing

@testable import TerminalScreen

@Suite struct PasteTests {
    @Test func pastedTextIsOneEvent() {
        #expect(pasted("Grüße\tan 你") == [.paste("Grüße\tan 你")])
        #expect(pasted("") == [.paste("")])
    }

    @Test func lineEndsAreNewlines() {
        #expect(pasted("a\rb\nc\r\nd") == [.paste("a\nb\nc\nd")])
    }

    @Test func controlCharactersBecomePictures() {
        #expect(pasted("\u{1B}[31m\u{07}\u{7F}\0\u{9B}") == [.paste("␛[31m␇␡␀\u{FFFD}")])
        #expect(pasted("\u{1B}[200~\u{1B}[201") == [.paste("␛[200~␛[201")])
    }

    @Test func invalidBytesAreReplaced() {
        var parser = InputParser()
        let sent = Array("\u{1B}[200~a".utf8) + [0xFF, 0xC3] + Array("\u{1B}[201~b".utf8)
        #expect(parser.feed(sent, at: 0) == [.paste("a\u{FFFD}\u{FFFD}"), .key("b")])
    }

    @Test func aPasteBeyondTheLimitIsCutVisibly() {
        let limit = InputParser.pasteLimit
        #expect(pasted(String(repeating: "x", count: limit)) == [.paste(String(repeating: "x", count: limit))])
        for excess in [1, 5, 6, 7, 12, 13, 14, 1000] {
            let events = pasted(String(repeating: "x", count: limit + excess - 1) + "y")
            // Not in the macro, which would print both megabytes and what differs in them.
            let isCut = events == [.paste(String(repeating: "x", count: limit - 1) + "…", missing: excess + 1)]
            #expect(isCut, "\(excess) bytes too many")
        }
    }

    /// Whole characters before the cut, and every byte behind it counted, wherever the limit falls inside of a character.
    @Test(arguments: ["é", "漢", "🇩🇪", "👨‍👩‍👧", "e\u{301}\u{323}", "a\u{1F3FD}b👍🏽"])
    func aPasteIsCutBetweenCharacters(pattern: String) {
        let limit = InputParser.pasteLimit
        for shift in 0..<3 {
            let text =
                String(repeating: "x", count: shift)
                + String(repeating: pattern, count: limit / pattern.utf8.count + 3)
            guard case .paste(let shown, let missing)? = pasted(text).first else {
                Issue.record("It is no paste.")
                return
            }
            let kept = String(shown.dropLast())
            let isWhole = shown.hasSuffix("…") && Array(text.prefix(kept.count).utf8) == Array(kept.utf8)
            #expect(isWhole, "\(kept.suffix(3))")
            #expect(missing == text.utf8.count - kept.utf8.count)
            #expect(kept.utf8.count <= limit && kept.utf8.count > limit - 60)
        }
    }

    @Test func whatFollowsAPasteIsTyped() {
        var parser = InputParser()
        #expect(parser.feed("\u{1B}[200~a\u{1B}[201~\u{1B}[A".utf8, at: 0) == [.paste("a"), .key(.up)])
        #expect(parser.deadline == nil)
    }

    private func pasted(_ text: String) -> [InputEvent] {
        var parser = InputParser()
        return parser.feed("\u{1B}[200~\(text)\u{1B}[201~".utf8, at: 0)
    }
}
