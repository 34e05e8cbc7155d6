import Foundation
import TerminalTesting
import Testing

/// `yap browse` on a real terminal emulator, used like a user does.
@Suite(.serialized) struct BrowseInTmuxTests {
    @Test func aFileIsLookedThroughSearchedResizedAndLeftAsItIs() async throws {
        try await withCopy(of: "json") { file in
            let shell = try await YapShell("browse \(file.path)")
            let before = try FileTrace(file)
            try shell.start()
            try await shell.shows("120 rows")
            try await shell.shows("hello number 0\"")

            try await shell.press("j", "j", "Space")
            try await shell.shows("even ")
            try await shell.press("k", "k", "Enter", "/", "number 77", "Enter")
            try await shell.shows("▌k077")
            try await shell.press("&", "number 11", "Enter")
            try await shell.shows("&number 11 · row 1 · 11 rows")
            try await shell.press("Escape")
            try await shell.shows("120 rows")
            try await shell.press("r", "c")
            try await shell.shows("Columns")
            try await shell.press("Escape")
            try await shell.shows(missing: "Columns")
            try await shell.press("?")
            try await shell.shows("Everywhere")
            try await shell.press("Escape")
            try await shell.shows(missing: "Everywhere")
            try await shell.press("x", "Enter")
            try await shell.shows("0000000")

            try shell.tmux.resize(width: 60, height: 12)
            try await shell.wait(for: "The browser at 60x12") { $0.count >= 12 && $0[11].contains("quit") }
            try shell.tmux.resize(width: 120, height: 40)
            try await shell.wait(for: "The browser at 120x40") { $0.count >= 40 && $0[39].contains("quit") }
            try await shell.press("q")
            try await shell.expectEnd(exitCode: 0)
            #expect(try FileTrace(file) == before)
        }
    }

    @Test func signalsAndCtrlCLeaveTheTerminalAsItWas() async throws {
        try await withCopy(of: "json") { file in
            let shell = try await YapShell("browse \(file.path)")
            try shell.start()
            try await shell.shows("120 rows")
            try await shell.press("C-c")
            try await shell.expectEnd(exitCode: 0)
            try shell.tellShell("clear")
            try shell.start()
            try await shell.shows("120 rows")
            kill(try shell.process(), SIGTERM)
            try await shell.expectEnd(exitCode: 143)
        }
    }

    @Test func ctrlZGivesTheTerminalBackAndFgTakesItAgain() async throws {
        try await withCopy(of: "json") { file in
            let shell = try await YapShell("browse \(file.path)")
            try shell.start()
            try await shell.shows("120 rows")
            try shell.tmux.sendKeys("C-z")
            try await shell.wait(for: "The shell's prompt") { lines in
                lines.contains { $0.contains("Stopped") } && lines.last { !$0.isEmpty } == "$"
            }
            try shell.tellShell("fg")
            try await shell.shows("120 rows")
            try await shell.press("q")
            try await shell.wait(for: "The shell's prompt at the end") { $0.last { !$0.isEmpty } == "$" }
            try shell.expectCleanTerminal()
        }
    }

    @Test func whatCannotBeShownIsSaidBeforeTheScreenOpens() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "letters.sqlite")
            let shell = try await YapShell("browse \(file.path)")
            try shell.start()
            try await shell.shows("ended: 1 2")
            try Data(String(repeating: "no database ", count: 1_000).utf8).write(to: file)
            try shell.tellShell("clear")
            try await shell.shows(missing: "ended: 1 2")
            try shell.start()
            try await shell.shows("ended: 1 2")
            #expect(try shell.tmux.lines().contains { $0.contains("yap:") && $0.contains("letters.sqlite") })
        }
    }

    @Test func aTerminalThatCanOnlyPrintIsPrintedTo() async throws {
        try await withCopy(of: "json") { file in
            let shell = try await YapShell("browse \(file.path)")
            try shell.start(environment: "TERM=dumb")
            try await shell.shows("ended: 0 2")
            #expect(try shell.tmux.lines().contains { $0.contains("collection") })
        }
    }
}
