import Foundation
import LiveTable
import TerminalTesting
import Testing

@testable import ChatRoster

@Suite struct ChatMessageTests {
    private let date = Date(timeIntervalSince1970: 1_000_000)

    @Test func anOwnMessageHasOneTickAndTwoOnceItWasRead() {
        var message = message("a", isMine: true)
        #expect(lines(message) == ["", "I", "Hello ✓"])
        message.isSeen = true
        message.isEdited = true
        #expect(lines(message) == ["", "I", "Hello (edited) ✓✓"])
        #expect(lines(self.message("b", isMine: false)) == ["", "Bob", "Hello"])
    }

    @Test func theLineNewStandsAboveTheFirstUnreadOne() {
        let cell = MessageCell(theme: Theme(), ownName: "I", firstUnread: "b")
        let row = cell.cell(
            message("b", isMine: false), after: message("a", isMine: false), buddy: "Bob", width: 21)
        #expect(row.lines.map(\.text) == [" ─────── new ───────", "Bob", "  Hello"])
        #expect(row.decorations == 1)
    }

    @Test func whatCameInMeanwhileStandsBelowTheLine() async throws {
        try await withTemporaryFolder { folder in
            let chat = try ChatDatabase(url: folder.appending(path: "chat.sqlite"))
            try chat.populate(Cast.buddies(now: Date()), Cast.history(seed: 7, now: Date()))
            for text in ["first news", "second news"] {
                let news = Message(id: text, conversation: "carol", isMine: false, text: text, date: Date())
                await withCheckedContinuation { done in chat.add(news) { _ in done.resume() } }
            }
            try chat.close()
            let shell = try await YapShell.chat(in: folder)
            #expect(try shell.tmux.lines().contains { $0.contains("Carol") && $0.contains(" 2 ") })
            try shell.press("M-Down")
            try await shell.wait(for: "The news, and that they were read") { lines in
                guard let line = lines.firstIndex(where: { $0.contains("── new ──") }),
                    let news = lines.firstIndex(where: { $0.contains("first news") })
                else { return false }
                return line < news && !lines.contains { $0.contains("Carol") && $0.contains(" 2 ") }
            }
        }
    }

    private func message(_ id: String, isMine: Bool) -> Message {
        Message(id: id, conversation: "bob", isMine: isMine, text: "Hello", date: date)
    }

    /// Without the blanks at both ends, and with no time.
    private func lines(_ message: Message) -> [String] {
        let row = MessageCell(theme: Theme(), ownName: "I").cell(message, after: nil, buddy: "Bob", width: 40)
        return row.lines.enumerated().map { index, line in
            index < row.decorations ? "" : line.text.trimmingCharacters(in: .whitespaces)
        }
    }
}
