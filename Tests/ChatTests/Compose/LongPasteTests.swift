import LiveTable
import Testing

@testable import ChatRoster

/// A paste that is too long for one message.
@MainActor @Suite struct LongPasteTests {
    @Test func itIsDividedBehindLinesAndWordsAndNothingIsLost() {
        let lines = (0..<300).map { "line \($0) of a long text" }
        let paste = LongPaste(lines.joined(separator: "\n"), limit: 100)
        #expect(paste.parts.allSatisfy { $0.count <= 100 })
        #expect(paste.parts.flatMap { $0.split(separator: "\n").map(String.init) } == lines)
        let words = LongPaste("aaaa bbbb cccc", limit: 6)
        #expect(words.parts == ["aaaa", "bbbb", "cccc"])
        let one = LongPaste(String(repeating: "x", count: 25), limit: 10)
        #expect(one.parts.map(\.count) == [10, 10, 5])
        #expect(LongPaste(" \n ", limit: 2).parts.isEmpty)
    }

    @Test func itIsAskedAboutUntilItIsSentOrDropped() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat, with: "bob")
            let text = (0..<2_500).map { "word\($0)" }.joined(separator: " ")
            screen.type("Look: ")
            screen.press(.paste(text))
            #expect(screen.lines().contains { $0.contains("characters: Enter sends them as 3 messages") })
            screen.press(.key(.character("x")))
            #expect(screen.lines().contains { $0.contains("characters: Enter sends them as 3 messages") })
            screen.press(.key(.escape))
            #expect(screen.program.state.composer.field.text == "Look: ")
            screen.press(.paste(text), .key(.enter))
            let pair = Conversation("alice", "bob")
            try await screen.until("All parts are there") { try chat.texts(pair).count == 3 }
            #expect(try chat.texts(pair).joined(separator: " ") == "Look: " + text)
            #expect(screen.program.state.composer.field.isEmpty)
        }
    }
}
