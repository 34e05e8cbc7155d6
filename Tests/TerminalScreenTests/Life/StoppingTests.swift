import Foundation
import TerminalTesting
import Testing

/// Ctrl-Z and back.
@Suite struct StoppingTests {
    @Test func ctrlZGivesTheTerminalToTheShellAndFgTakesItBack() async throws {
        try await stopAndContinue { _, terminal in terminal.send("\u{1A}") }
    }

    @Test func aStopSignalDoesTheSame() async throws {
        try await stopAndContinue { process, _ in kill(process, SIGTSTP) }
    }

    @Test func ctrlZWithoutAShellDoesNotStop() async throws {
        let probe = try await ProbeRun()
        try await probe.send("\u{1A}a", expect: "key a")
        try await probe.terminal.wait(for: "The terminal taken back") {
            ModeTrace(probe.terminal.output).privateModes.contains(1049)
        }
        #expect(probe.terminal.settings != probe.settingsBefore)
    }

    @Test func aProgramThatWasStoppedHardPaintsAgain() async throws {
        let probe = try await ProbeRun("rows")
        try await probe.send("n", expect: "key n")
        let lastLine = "23 row"
        try await probe.terminal.wait(for: "The first frame") { self.count(of: lastLine, on: probe.terminal) == 1 }
        probe.terminal.signal(SIGSTOP)
        probe.terminal.signal(SIGCONT)
        try await probe.terminal.wait(for: "Another frame") { self.count(of: lastLine, on: probe.terminal) == 2 }
    }

    /// The shell knows only the program, so it has to stop with the editor.
    @Test func anEditorThatStopsStopsTheProgram() async throws {
        let log = try ProbeRun.newLog()
        defer { try? FileManager.default.removeItem(at: log) }
        let editor = "sh -c 'kill -TSTP 0; echo back; sed -i s/a/the/ \"$0\"'"
        let shell = try PseudoTerminal(
            ["/bin/sh", "-i"], environment: ["PS1": "shell> ", "ENV": "", "VISUAL": editor])
        try await shell.wait(for: "A prompt") { self.count(of: "shell> ", on: shell) == 1 }
        shell.send("\(try builtProduct("terminal-probe")) \(log.path)\n")
        try await shell.wait(for: "The probe") { !ProbeRun.lines(of: log).isEmpty }
        shell.send("v")
        try await shell.wait(for: "A second prompt") { self.count(of: "shell> ", on: shell) == 2 }
        shell.send("fg\n")
        try await shell.wait(for: "The edited text") {
            ProbeRun.lines(of: log).contains("edited success(\"the text\")")
        }
        shell.send("q")
        try await shell.wait(for: "A third prompt") { self.count(of: "shell> ", on: shell) == 3 }
        #expect(ModeTrace(shell.output).isFresh)
    }

    private func stopAndContinue(_ stop: (pid_t, PseudoTerminal) -> Void) async throws {
        let log = try ProbeRun.newLog()
        defer { try? FileManager.default.removeItem(at: log) }
        let shell = try PseudoTerminal(["/bin/sh", "-i"], environment: ["PS1": "shell> ", "ENV": ""])
        try await shell.wait(for: "A prompt") { self.count(of: "shell> ", on: shell) == 1 }
        let before = shell.settings
        func wait(for event: String) async throws {
            try await shell.wait(for: event) { ProbeRun.lines(of: log).contains { $0.hasPrefix(event) } }
        }

        shell.send("\(try builtProduct("terminal-probe")) \(log.path)\n")
        try await wait(for: "ready 80x24")
        try await shell.wait(for: "The first frame") { ModeTrace(shell.output).privateModes.contains(1049) }
        stop(try #require(ProbeRun.process(in: log)), shell)
        try await shell.wait(for: "A second prompt") { self.count(of: "shell> ", on: shell) == 2 }
        #expect(shell.settings == before)
        #expect(ModeTrace(shell.output).isFresh)

        shell.resize(width: 100, height: 30)
        shell.send("fg\n")
        try await wait(for: "resize 100x30")
        shell.send("a")
        try await wait(for: "key a")
        // What the program wrote to its log may be here before what it wrote to the terminal.
        try await shell.wait(for: "The modes of the screen") {
            ModeTrace(shell.output).privateModes.isSuperset(of: [1000, 1002, 1004, 1006, 1049, 2004])
        }

        shell.send("q")
        try await shell.wait(for: "A third prompt") { self.count(of: "shell> ", on: shell) == 3 }
        #expect(shell.settings == before)
        #expect(ModeTrace(shell.output).isFresh)
    }

    private func count(of text: String, on terminal: PseudoTerminal) -> Int {
        String(decoding: terminal.output, as: UTF8.self).ranges(of: text).count
    }
}
