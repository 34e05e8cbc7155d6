import Foundation
import TerminalTesting
import Testing

/// `yap browse` on a real terminal emulator, used as a person would.
@Suite(.serialized) struct BrowseInTmuxTests {
    @Test func aFileIsLookedThroughSearchedResizedAndLeftAsItIs() async throws {
        try await withCopy(of: "json") { file in
            let shell = try BrowseShell(file)
            let before = try FileTrace(file)
            try await shell.start()
            try await shell.wait(for: "120 rows")
            try await shell.wait(for: "hello number 0\"")

            try shell.keys("j", "j", "Space")
            try await shell.wait(for: "even ")
            try shell.keys("k", "k", "Enter", "/", "number 77", "Enter")
            try await shell.wait(for: "▌k077")
            try shell.keys("&", "number 11", "Enter")
            try await shell.wait(for: "&number 11 · 11 rows")
            try shell.keys("Escape")
            try await shell.wait(for: "120 rows")
            try shell.keys("r", "c")
            try await shell.wait(for: "Columns")
            try shell.keys("Escape")
            try await shell.wait(untilGone: "Columns")
            try shell.keys("?")
            try await shell.wait(for: "Everywhere")
            try shell.keys("Escape")
            try await shell.wait(untilGone: "Everywhere")
            try shell.keys("x", "Enter")
            try await shell.wait(for: "0000000")

            try shell.tmux.resize(width: 60, height: 12)
            try await shell.tmux.wait(for: "The browser at 60x12") { $0.count >= 12 && $0[11].contains("quit") }
            try shell.tmux.resize(width: 120, height: 40)
            try await shell.tmux.wait(for: "The browser at 120x40") { $0.count >= 40 && $0[39].contains("quit") }
            try shell.keys("q")
            try await shell.expectEnd(exitCode: 0)
            #expect(try FileTrace(file) == before)
        }
    }

    @Test func signalsAndCtrlCLeaveTheTerminalAsItWas() async throws {
        try await withCopy(of: "json") { file in
            let shell = try BrowseShell(file)
            try await shell.start()
            try await shell.wait(for: "120 rows")
            try shell.keys("C-c")
            try await shell.expectEnd(exitCode: 0)
            try shell.tmux.sendKeys("clear", "Enter")
            try await shell.start()
            try await shell.wait(for: "120 rows")
            kill(try shell.process(), SIGTERM)
            try await shell.expectEnd(exitCode: 143)
        }
    }

    @Test func ctrlZGivesTheTerminalBackAndFgTakesItAgain() async throws {
        try await withCopy(of: "json") { file in
            let shell = try BrowseShell(file)
            try await shell.start()
            try await shell.wait(for: "120 rows")
            try shell.keys("C-z")
            try await shell.tmux.wait(for: "The shell's prompt") { lines in
                lines.contains { $0.contains("Stopped") } && lines.last { !$0.isEmpty } == "$"
            }
            try shell.tmux.sendKeys("fg", "Enter")
            try await shell.wait(for: "120 rows")
            try shell.keys("q")
            try await shell.tmux.wait(for: "The shell's prompt at the end") { $0.last { !$0.isEmpty } == "$" }
            try await shell.expectCleanTerminal()
        }
    }

    @Test func whatCannotBeShownIsSaidBeforeTheScreenOpens() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "letters.sqlite")
            let shell = try BrowseShell(file)
            try await shell.start()
            try await shell.wait(for: "ended: 1 2")
            try Data(String(repeating: "no database ", count: 1_000).utf8).write(to: file)
            try shell.tmux.sendKeys("clear", "Enter")
            try await shell.start()
            try await shell.wait(for: "ended: 1 2")
            #expect(try shell.tmux.lines().contains { $0.contains("yap:") && $0.contains("letters.sqlite") })
        }
    }

    @Test func aTerminalThatCanOnlyPrintIsPrintedTo() async throws {
        try await withCopy(of: "json") { file in
            let shell = try BrowseShell(file)
            try await shell.start(environment: "TERM=dumb")
            try await shell.wait(for: "ended: 0 2")
            #expect(try shell.tmux.lines().contains { $0.contains("collection") })
        }
    }
}
