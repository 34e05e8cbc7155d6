import Foundation
import TerminalTesting
import Testing

/// The search in all conversations, at a terminal.
@Suite(.serialized) struct ChatSearchTests {
    @Test func aSearchLeadsToAMessageFarAbove() async throws {
        try await YapShell.withChat(messages: 400) { shell in
            // Far above the fifty messages that are shown initially.
            try await shell.press("C-r", "NUMBER 17 ")
            try await shell.hints("1 found")
            try await shell.shows("▌  number 17 of 400")
            try await shell.press("Enter")
            try await shell.wait(for: "The message, selected") { selected($0).contains("number 17 of 400") }
            try await shell.hints("reply")
            // Back to the end.
            try await shell.press("G")
            try await shell.wait(for: "The last message") { selected($0).contains("number 399 of 400") }
            try await shell.press("Escape")
            try await shell.hints("Enter send")
            try await shell.press("still here")
            try await shell.composer("› still here")
        }
    }

    @Test func matchesAreCountedNewestFirstAndFollowWhatComes() async throws {
        try await YapShell.withChat(messages: 30) { shell in
            try await shell.press("C-r", "number")
            try await shell.hints("30 found")
            try await shell.wait(for: "The newest one, selected") { selected($0).contains("number 29 of 30") }
            try await shell.press("C-r")
            try await shell.wait(for: "The next one") { selected($0).contains("number 28 of 30") }
            try await shell.press(" nowhere")
            try await shell.hints("0 found")
            try await shell.shows("Nothing is found")
            try await shell.press("Escape")
            try await shell.hints("Enter send")
        }
    }

    @Test func theSelectedMatchStaysWhileOthersWrite() async throws {
        try await withTemporaryFolder { folder in
            try YapShell.fillChat(in: folder, messages: 30)
            let shell = try await YapShell.chat(in: folder)
            try await shell.press("C-r", "number")
            try await shell.hints("30 found")
            try await shell.wait(for: "The newest one, selected") { selected($0).contains("number 29 of 30") }
            try await shell.press("C-r", "C-r")
            try await shell.wait(for: "The third") { selected($0).contains("number 27 of 30") }
            let writer = try YapRun([
                "chat", "--db", "\(folder.path)/chat.sqlite", "--as", "Bob", "--with", "Carol", "--headless",
                "--seconds",
                "2", "--rate", "5",
            ])
            #expect(writer.code == 0)
            try await shell.wait(for: "The third, still selected") { selected($0).contains("number 27 of 30") }
            try await shell.press("Enter")
            try await shell.hints("reply")
            try await shell.wait(for: "The message") { selected($0).contains("number 27 of 30") }
        }
    }

    @Test func historyHasNoWall() async throws {
        try await YapShell.withChat(messages: 400) { shell in
            try await shell.shows("number 399 of 400")
            for _ in 0..<40 { try await shell.press("PageUp") }
            try await shell.shows("The beginning of Bob", "number 0 of 400")
        }
    }

    @Test func aDayIsJumpedTo() async throws {
        try await YapShell.withChat(messages: 60) { shell in
            try await shell.press("/date 2020-01-01", "Enter")
            try await shell.wait(for: "The first message") { selected($0).contains("number 0 of 60") }
            try await shell.press("/date soon", "Enter")
            try await shell.shows("is no date")
        }
    }

    /// Returns the text beside the selection's bar in the conversation.
    private func selected(_ lines: [String]) -> String {
        lines.filter { $0.contains("│▌") }.joined(separator: "\n")
    }
}
