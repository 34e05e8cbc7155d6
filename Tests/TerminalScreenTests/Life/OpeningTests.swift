import Foundation
import TerminalTesting
import Testing

/// The terminals on which a screen opens, and the errors on others.
@Suite struct OpeningTests {
    @Test(arguments: [
        "xterm", "xterm-256color", "screen", "screen-256color", "tmux-256color", "linux", "vt100", "rxvt",
    ])
    func aTerminalOfThisTypeIsEnteredAndLeft(type: String) async throws {
        let probe = try await ProbeRun(environment: ["TERM": type])
        try await probe.send("\u{1B}[A", expect: "key up")
        probe.terminal.send("q")
        #expect(try await probe.terminal.waitForEnd() == .exited(0))
        #expect(probe.terminal.settings == probe.settingsBefore)
        let trace = ModeTrace(probe.terminal.output)
        #expect(trace.privateModes.subtracting([7, 25]).isEmpty)
        #expect(!trace.isKeypadApplication)
    }

    @Test(arguments: [
        ("dumb", "TERM is dumb"), ("", "TERM is not set"), ("no-such-terminal", "'no-such-terminal' is not known"),
    ]) func otherTypesAreRefusedWithASentence(type: String, sentence: String) async throws {
        let terminal = try PseudoTerminal([builtProduct("terminal-probe"), "/dev/null"], environment: ["TERM": type])
        let before = terminal.settings
        #expect(try await terminal.waitForEnd() == .exited(1))
        let said = String(decoding: terminal.output, as: UTF8.self)
        #expect(said.contains(sentence))
        #expect(!said.contains("\u{1B}"))
        #expect(terminal.settings == before)
    }

    @Test func withoutATerminalThereIsASentence() async throws {
        let command = "\(try builtProduct("terminal-probe")) /dev/null"
        for (redirection, stream) in [("</dev/null", "input"), ("| cat", "output")] {
            let terminal = try PseudoTerminal(["/bin/sh", "-c", "\(command) \(redirection)"])
            _ = try await terminal.waitForEnd()
            #expect(String(decoding: terminal.output, as: UTF8.self).contains("standard \(stream) is none"))
        }
    }

    @Test func noColorMeansNone() async throws {
        let probe = try await ProbeRun("rows", environment: ["NO_COLOR": "1"])
        #expect(probe.events[0].hasPrefix("ready 80x24 monochrome"))
        try await probe.terminal.wait(for: "A frame") {
            String(decoding: probe.terminal.output, as: UTF8.self).contains("23 row")
        }
        #expect(!String(decoding: probe.terminal.output, as: UTF8.self).contains(/\u{1B}\[[0-9;]*[34]8;5/))
    }

    @Test func framesAreMarkedOnlyWhereTheTerminalKnowsTheMarks() async throws {
        let probe = try await ProbeRun()
        try await probe.send("a", expect: "key a")
        #expect(!String(decoding: probe.terminal.output, as: UTF8.self).contains("\u{1B}[?2026h"))
        probe.terminal.send("\u{1B}[?2026;2$y")
        try await probe.send("b", expect: "key b")
        try await probe.terminal.wait(for: "A marked frame") {
            String(decoding: probe.terminal.output, as: UTF8.self).contains(
                /\u{1B}\[\?2026h[^h]+key b[^h]*\u{1B}\[\?2026l/)
        }
    }

    @Test func aProgramInATerminalGetsNothingElseOfThisProcess() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let terminal = try PseudoTerminal(["/bin/sh", "-c", "read line"])
        close(ends[1])
        // The end of the pipe arrives while the program is still running.
        var reader = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        try await terminal.wait(for: "The end of the pipe") { poll(&reader, 1, 0) == 1 }
        #expect(terminal.end == nil)
        terminal.send("\r")
        #expect(try await terminal.waitForEnd() == .exited(0))
    }
}
