import Foundation
import LiveTable
import TerminalTesting
import Testing

/// `yap chat` on a real terminal emulator, used like a user does.
@Suite(.serialized) struct ChatInTmuxTests {
    @Test func aChatIsShownUsedResizedAndQuit() async throws {
        try await withTemporaryFolder { folder in
            // No simulated buddy acts here, so the test may take its time.
            let shell = try await YapShell.chat(in: folder)
            let screen = try shell.tmux.lines()
            #expect(screen.contains { $0.contains("AWAY") } && screen.contains { $0.contains("OFFLINE") })
            #expect(screen.contains { $0.contains("Bob") && $0.contains("▌") })

            try shell.press("Is that you?", "Enter")
            try await shell.wait(for: "The sent message") { lines in
                lines.contains { $0.contains("Is that you?") && !$0.contains("›") }
            }
            try shell.tmux.resize(width: 120, height: 40)
            try await shell.wait(for: "The chat at 120x40") { lines in
                lines.count >= 40 && lines[39].contains("Enter") && lines.contains { $0.contains("Is that you?") }
            }
            try shell.tmux.resize(width: 80, height: 24)
            try await shell.wait(for: "The chat at 80x24") { $0.count >= 24 && $0[23].contains("Enter") }

            try shell.press("Tab")
            try shell.press("q")
            try await shell.expectEnd(exitCode: 0)
        }
    }

    @Test func ctrlCLeavesTheTerminalAsItWas() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await YapShell.chat(in: folder, script: "demo")
            try shell.press("C-c")
            try await shell.expectEnd(exitCode: 0)
        }
    }

    @Test func aTerminationSignalLeavesTheTerminalAsItWas() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await YapShell.chat(in: folder, script: "demo")
            kill(try shell.process(), SIGTERM)
            try await shell.expectEnd(exitCode: 143)
        }
    }

    @Test func ctrlZGivesTheTerminalBackAndFgTakesItAgain() async throws {
        try await withTemporaryFolder { folder in
            let shell = try await YapShell.chat(in: folder, script: "demo")
            try shell.press("C-z")
            try await shell.wait(for: "The shell's prompt") { lines in
                lines.contains { $0.contains("Stopped") } && lines.last { !$0.isEmpty } == "$"
            }
            #expect(try shell.tmux.format("#{alternate_on}") == "0")
            try shell.press("fg", "Enter")
            try await shell.shows("AWAY")
            try shell.press("C-c")
            // The shell continued with the rest of the line when the chat stopped, so its end is not announced again.
            try await shell.wait(for: "The shell's prompt after the chat") { $0.last { !$0.isEmpty } == "$" }
            try shell.expectCleanTerminal()
        }
    }

    @Test func twoProcessesOnOneFileSeeEachOthersMessages() async throws {
        try await withTemporaryFolder { folder in
            let first = try await YapShell.chat(in: folder)
            let second = try await YapShell.chat(in: folder)
            try first.press("from the first", "Enter")
            try await second.shows("from the first")
            try second.press("from the second", "Enter")
            try await first.shows("from the second")
        }
    }
}
