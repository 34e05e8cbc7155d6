import Foundation
import TerminalTesting
import Testing

/// The mouse in the chat: reports as xterm sends them.
@Suite(.serialized) struct ChatMouseTests {
    @Test func aClickSelectsTheBarIsDraggedAndTheWheelScrolls() async throws {
        try await withTemporaryFolder { folder in
            try YapShell.fillChat(in: folder, messages: 400)
            let shell = try await YapShell.chat(in: folder, with: "Carol")
            try await shell.wait(for: "Carol, selected") { $0.contains { $0.hasPrefix("▌○ Carol") } }
            let row = try #require(shell.tmux.lines().firstIndex { $0.hasPrefix(" ○ Bob") })
            try send(shell, "<0;5;\(row + 1)M", "<0;5;\(row + 1)m")
            try await shell.wait(for: "Bob, selected") { $0.contains { $0.hasPrefix("▌○ Bob") } }

            // The bar is at the end. At the top of the shown range older messages are added above, so it stops below
            // the top.
            try await shell.wait(for: "The bar at the end") { $0[19].hasSuffix("▐") }
            try send(shell, "<0;80;20M", "<32;80;3M", "<0;80;3m")
            try await shell.wait(for: "The bar further up") { lines in
                !lines[17...19].contains { $0.hasSuffix("▐") } && lines[2...14].contains { $0.hasSuffix("▐") }
            }

            let before = try shell.tmux.lines()
            try send(shell, "<65;50;10M")
            try await shell.wait(for: "Three lines further down") { Array($0[2..<12]) != Array(before[2..<12]) }
            let after = try shell.tmux.lines()
            #expect(text(after[4..<14]) == text(before[7..<17]))
        }
    }

    @Test func theMouseIsSwitchedOffAndOnWhileTheChatRuns() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await YapShell.chat(in: folder)
            #expect(try shell.tmux.format("#{mouse_any_flag}") == "1")
            try await shell.press("M-m")
            try await shell.wait(for: "No mouse") { _ in try shell.tmux.format("#{mouse_any_flag}") == "0" }
            try await shell.press("M-m")
            try await shell.wait(for: "The mouse again") { _ in try shell.tmux.format("#{mouse_any_flag}") == "1" }
        }
    }

    /// Columns and lines from 1, as in the bytes of a terminal.
    private func send(_ shell: YapShell, _ reports: String...) throws {
        for report in reports { try shell.tmux.sendKeys("-l", "\u{1B}[\(report)") }
    }

    /// The conversation's text in lines of the screen, without its bar.
    private func text(_ lines: ArraySlice<String>) -> [String] {
        lines.map { line in
            let text = line.split(separator: "│", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
            return text.replacing("▐", with: "").trimmingCharacters(in: .whitespaces)
        }
    }
}
