import Foundation
import TerminalTesting
import Testing

/// `yap chat` on a real terminal emulator, used like a user does.
@Suite(.serialized) struct ChatInTmuxTests {
    @Test func aChatIsShownUsedResizedAndQuit() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await YapShell.chat(in: folder)
            try await shell.shows("yap chat · Bob ○ offline", "OFFLINE", "Notes", "▌○ Bob")
            try await shell.press("Is that you?", "Enter")
            try await shell.shows("▎ Is that you? ✓")
            try shell.tmux.resize(width: 120, height: 40)
            try await shell.wait(for: "The chat at 120x40") { lines in
                lines.count >= 40 && lines[39].contains("Enter") && lines.contains { $0.contains("Is that you?") }
            }
            try await shell.shows("never here")
            try shell.tmux.resize(width: 80, height: 24)
            try await shell.wait(for: "The chat at 80x24") { $0.count >= 24 && $0[23].contains("Enter") }

            try await shell.press("Tab")
            try await shell.press("q")
            try await shell.expectEnd(exitCode: 0)
        }
    }

    @Test func theDemoSaysThatItsPeopleAreSimulated() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await YapShell.chat(in: folder, "--demo")
            try await shell.shows("simulated people", "AVAILABLE")
            try await shell.press("hello", "Enter")
            try await shell.shows("hello ✓", missing: "simulated")
            try await shell.press("C-c")
            try await shell.expectEnd(exitCode: 0)
        }
    }

    @Test func aTerminationSignalLeavesTheTerminalAsItWas() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await YapShell.chat(in: folder, "--demo")
            kill(try shell.process(), SIGTERM)
            try await shell.expectEnd(exitCode: 143)
        }
    }

    @Test func ctrlZGivesTheTerminalBackAndFgTakesItAgain() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await YapShell.chat(in: folder, "--demo")
            try shell.tmux.sendKeys("C-z")
            try await shell.wait(for: "The shell's prompt") { lines in
                lines.contains { $0.contains("Stopped") } && lines.last { !$0.isEmpty } == "$"
            }
            #expect(try shell.tmux.format("#{alternate_on}") == "0")
            try shell.tellShell("fg")
            try await shell.shows("yap chat · Bob", "AVAILABLE")
            try await shell.press("C-c")
            // The shell continued with the rest of the line when the chat stopped, so its end is not announced again.
            try await shell.wait(for: "The shell's prompt after the chat") { $0.last { !$0.isEmpty } == "$" }
            try shell.expectCleanTerminal()
        }
    }

    @Test func aClickAndThenWordsWriteTheWords() async throws {
        try await YapShell.withChat(messages: 3) { shell in
            try await shell.shows("number 1 of 3")
            try shell.tmux.sendKeys("-l", "\u{1B}[<0;40;8M")
            try shell.tmux.sendKeys("-l", "\u{1B}[<0;40;8m")
            try await shell.press("quit deed")
            try await shell.composer("› quit deed")
            try await shell.press("C-c")
            try await shell.composer("Write a message")
            try await shell.press("C-c")
            try await shell.expectEnd(exitCode: 0)
        }
    }

    @Test func whatWasDeletedIsBroughtBack() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await YapShell.chat(in: folder)
            try await shell.press("keep me", "Enter")
            try await shell.shows("keep me ✓")
            try await shell.press("Tab", "Tab", "d")
            try await shell.shows("▎ deleted", "u brings it back", missing: "keep me")
            try await shell.press("u")
            try await shell.shows("keep me ✓", missing: "▎ deleted")
        }
    }
}
