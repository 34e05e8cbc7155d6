import Foundation
import LiveTable
import TerminalTesting
import Testing

/// `yap chat` on a real terminal emulator, used as a person would.
@Suite(.serialized) struct ChatInTmuxTests {
    @Test func aChatIsShownUsedResizedAndQuit() async throws {
        try await inShell { shell, folder in
            // Nobody comes or goes by himself here, so that the test may take its time.
            try await shell.startChat(in: folder, script: "none")
            let screen = try shell.tmux.lines()
            #expect(screen.contains { $0.contains("AWAY") } && screen.contains { $0.contains("OFFLINE") })
            #expect(screen.contains { $0.contains("Bob") && $0.contains("▌") })

            try shell.tmux.sendKeys("Is that you?", "Enter")
            try await shell.tmux.wait(for: "The sent message") { lines in
                lines.contains { $0.contains("Is that you?") && !$0.contains("›") }
            }
            try shell.tmux.resize(width: 120, height: 40)
            try await shell.tmux.wait(for: "The chat at 120x40") { lines in
                lines.count >= 40 && lines[39].contains("Enter") && lines.contains { $0.contains("Is that you?") }
            }
            try shell.tmux.resize(width: 80, height: 24)
            try await shell.tmux.wait(for: "The chat at 80x24") { $0.count >= 24 && $0[23].contains("Enter") }

            try shell.tmux.sendKeys("Tab")
            try shell.tmux.sendKeys("q")
            try await shell.expectEnd(exitCode: 0)
        }
    }

    @Test func ctrlCLeavesTheTerminalAsItWas() async throws {
        try await inShell { shell, folder in
            try await shell.startChat(in: folder)
            try shell.tmux.sendKeys("C-c")
            try await shell.expectEnd(exitCode: 0)
        }
    }

    @Test func aTerminationSignalLeavesTheTerminalAsItWas() async throws {
        try await inShell { shell, folder in
            try await shell.startChat(in: folder)
            kill(try shell.chatProcess(in: folder), SIGTERM)
            try await shell.expectEnd(exitCode: 143)
        }
    }

    @Test func ctrlZGivesTheTerminalBackAndFgTakesItAgain() async throws {
        try await inShell { shell, folder in
            try await shell.startChat(in: folder)
            try shell.tmux.sendKeys("C-z")
            try await shell.tmux.wait(for: "The shell's prompt") { lines in
                lines.contains { $0.contains("Stopped") } && lines.last { !$0.isEmpty } == "$"
            }
            #expect(try shell.tmux.format("#{alternate_on}") == "0")
            try shell.tmux.sendKeys("fg", "Enter")
            try await shell.tmux.wait(for: "The chat after fg") { $0.contains { $0.contains("AWAY") } }
            try shell.tmux.sendKeys("C-c")
            // The shell went on with the rest of the line when the chat stopped, so its end is not announced again.
            try await shell.tmux.wait(for: "The shell's prompt after the chat") { $0.last { !$0.isEmpty } == "$" }
            try await shell.expectCleanTerminal()
        }
    }

    @Test func twoProcessesOnOneFileSeeEachOthersMessages() async throws {
        try await withTemporaryFolder { folder in
            let first = try ChatShell(folder)
            let second = try ChatShell(folder)
            for shell in [first, second] { try await shell.startChat(in: folder, script: "none") }
            try first.tmux.sendKeys("from the first", "Enter")
            try await second.tmux.wait(for: "The message of the other process") {
                $0.contains { $0.contains("from the first") }
            }
            try second.tmux.sendKeys("from the second", "Enter")
            try await first.tmux.wait(for: "The answer of the other process") {
                $0.contains { $0.contains("from the second") }
            }
        }
    }

    private func inShell(_ body: (ChatShell, URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in try await body(try ChatShell(folder), folder) }
    }
}
