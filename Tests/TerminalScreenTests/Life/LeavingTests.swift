import Foundation
import TerminalTesting
import TestTraits
import Testing

/// Every exit restores the terminal.
@Suite struct LeavingTests {
    enum WayOut: String, CaseIterable {
        case quit, exit, error, term, hangUpSignal, interrupt, quitSignal, trap, fault, badAddress, abort, stackOverflow

        /// The thread sanitizer has a stack of its own, which may overflow first.
        static let possible = allCases.filter { $0 != .stackOverflow || !Sanitizer.isOfThreads }
    }

    @Test(arguments: WayOut.possible) func theTerminalIsRestored(after wayOut: WayOut) async throws {
        let probe = try await ProbeRun()
        try await probe.terminal.wait(for: "The terminal's modes") {
            ModeTrace(probe.terminal.output).privateModes.isSuperset(of: [1000, 1002, 1004, 1006, 1049, 2004])
        }
        #expect(probe.terminal.settings != probe.settingsBefore)

        leave(probe.terminal, by: wayOut)
        let end = try await probe.terminal.waitForEnd()

        #expect(end == expectedEnd(of: wayOut))
        #expect(probe.terminal.settings == probe.settingsBefore)
        let trace = ModeTrace(probe.terminal.output)
        #expect(trace.isFresh, "\(trace)")
    }

    @Test func aSignalThatIsIgnoredWhereTheProgramCameFromStaysIgnored() async throws {
        let probe = try await ProbeRun(preparation: "trap '' QUIT")
        probe.terminal.send("\u{1C}")
        try await probe.send("a", expect: "key a")
        probe.terminal.send("q")
        #expect(try await probe.terminal.waitForEnd() == .exited(0))
    }

    /// What the terminal answers late is not typed into the shell. The probe waits for long, so that a busy machine is no matter.
    @Test func leavingWaitsForTheAnswersOfTheTerminal() async throws {
        let log = try ProbeRun.newLog()
        defer { try? FileManager.default.removeItem(at: log) }
        let probe = try builtProduct("terminal-probe")
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", "'\(probe)' '\(log.path)' patient; stty raw -echo; echo left; head -c 3 | od -An -c"])
        try await terminal.wait(for: "The first frame") { ProbeRun.lines(of: log).contains { $0.hasPrefix("ready") } }
        terminal.send("q")
        try await terminal.wait(for: "The key") { ProbeRun.lines(of: log).contains { $0.hasPrefix("key q") } }
        terminal.send("\u{1B}[?2026;2$y")
        terminal.send("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\")
        terminal.send("\u{1B}[?62;22c")
        try await terminal.wait(for: "The shell") { String(decoding: terminal.output, as: UTF8.self).contains("left") }
        terminal.send("abc")
        _ = try await terminal.waitForEnd()
        let written = String(decoding: terminal.output, as: UTF8.self)
        #expect(written.contains("a   b   c"), "\(written.suffix(200).debugDescription)")
    }

    /// The form of keys is the plain one, and the one before when the terminal is left.
    @Test func theFormOfKeysIsOursAndThenTheOneBefore() async throws {
        let probe = try await ProbeRun()
        probe.terminal.send("q")
        _ = try await probe.terminal.waitForEnd()
        let written = String(decoding: probe.terminal.output, as: UTF8.self)
        let (chosen, restored) = (
            try #require(written.range(of: "\u{1B}[>0u")), try #require(written.range(of: "\u{1B}[<u"))
        )
        let left = try #require(written.range(of: "\u{1B}[?1049l"))
        #expect(chosen.upperBound <= restored.lowerBound && restored.upperBound <= left.lowerBound)
    }

    /// tmux 3.3 keeps lines of a program's screen if the window grew meanwhile.
    @Test func nothingOfTheScreenIsLeftAfterTheWindowGrew() async throws {
        let log = try ProbeRun.newLog()
        defer { try? FileManager.default.removeItem(at: log) }
        let tmux = try TmuxSession(
            "echo before; \(builtProduct("terminal-probe")) \(log.path) rows; echo gone; sleep 1000", width: 80,
            height: 24)
        try await tmux.wait(for: "The first frame") { $0.contains { $0.contains("row") } }
        try tmux.resize(width: 80, height: 40)
        try await tmux.wait(for: "The new size") { _ in
            ProbeRun.lines(of: log).contains { $0.hasPrefix("resize 80x40") }
        }
        try tmux.sendKeys("q")
        try await tmux.wait(for: "The shell's next command") { $0.contains("gone") }
        #expect(try tmux.lines().filter { !$0.isEmpty } == ["before", "gone"])
    }

    /// Reads the state from tmux, not from our own interpretation of the bytes.
    @Test(arguments: ["q", "T", "S"]) func aTerminalEmulatorAgrees(key: String) async throws {
        let log = try ProbeRun.newLog()
        defer { try? FileManager.default.removeItem(at: log) }
        let tmux = try TmuxSession("\(builtProduct("terminal-probe")) \(log.path); echo gone; sleep 1000")
        let modes =
            "#{alternate_on} #{mouse_any_flag} #{mouse_sgr_flag} #{keypad_flag} #{keypad_cursor_flag} #{cursor_flag}"
        try await tmux.wait(for: "The first frame") { $0[0].hasPrefix("ready") }
        #expect(try tmux.format(modes) == "1 1 1 1 1 0")
        try tmux.sendKeys(key)
        try await tmux.wait(for: "The shell's next command") { $0.contains("gone") }
        #expect(try tmux.format(modes) == "0 0 0 0 0 1")
    }

    @Test func theWordsOfACrashStandOnTheRestoredScreen() async throws {
        let probe = try await ProbeRun()
        probe.terminal.send("T")
        _ = try await probe.terminal.waitForEnd()
        let written = String(decoding: probe.terminal.output, as: UTF8.self)
        let left = try #require(written.range(of: "\u{1B}[?1049l"))
        #expect(written[left.upperBound...].contains("Index out of range"))
        #expect(!written[..<left.lowerBound].contains("Index out of range"))
    }

    @Test func messagesToStandardErrorWaitForTheEnd() async throws {
        let probe = try await ProbeRun()
        try await probe.send("r", expect: "key r")
        try await probe.send("s", expect: "key s")
        probe.terminal.send("q")
        _ = try await probe.terminal.waitForEnd()
        let written = String(decoding: probe.terminal.output, as: UTF8.self)
        let left = try #require(written.range(of: "\u{1B}[?1049l"))
        #expect(written[left.upperBound...].contains("a message in between"))
        #expect(!written[..<left.lowerBound].contains("a message in between"))
    }

    @Test func aTerminalThatGoesAwayEndsTheLoop() async throws {
        let probe = try await ProbeRun()
        probe.terminal.hangUp()
        // The shell's process is the session's leader, so SIGHUP and the end of input arrive together.
        #expect(try await probe.terminal.waitForEnd() == .exited(129))
    }

    #if arch(x86_64)
    private static let trapSignal = SIGILL
    #else
    private static let trapSignal = SIGTRAP
    #endif

    /// The way out of a program that hangs, in a terminal that hangs too.
    @Test(arguments: [SIGTERM, SIGQUIT]) func aTerminalThatReadsNothingDoesNotBlockTheEnd(signal: Int32) async throws {
        let probe = try await ProbeRun("rows", width: 500, height: 200)
        try await probe.send("a", expect: "key a")
        probe.terminal.stall()
        // Each new size is a frame of 100 kB; no terminal accepts many of them unread.
        for height in 150..<180 { probe.terminal.resize(width: 500, height: height) }
        try await probe.wait(for: "resize 500x179")
        probe.terminal.signal(signal)
        let end = try await probe.terminal.waitForEnd()
        #expect(end == (signal == SIGTERM ? .exited(143) : .killed(signal)))
        #expect(probe.terminal.settings == probe.settingsBefore)
    }

    @Test func aTerminalThatStalledShowsTheLastFrameWhenItGoesOn() async throws {
        let probe = try await ProbeRun("rows", width: 500, height: 200)
        try await probe.send("a", expect: "key a")
        probe.terminal.stall()
        for height in 150..<180 { probe.terminal.resize(width: 500, height: height) }
        try await probe.wait(for: "resize 500x179")
        probe.terminal.goOn()
        try await probe.send("n", expect: "key n")
        try await probe.terminal.wait(for: "The last frame") {
            String(decoding: probe.terminal.output.suffix(200_000), as: UTF8.self).contains("178 row")
        }
    }

    private func leave(_ terminal: PseudoTerminal, by wayOut: WayOut) {
        switch wayOut {
        case .quit: terminal.send("q")
        case .exit: terminal.send("e")
        case .error: terminal.send("E")
        case .term: terminal.signal(SIGTERM)
        case .hangUpSignal: terminal.signal(SIGHUP)
        case .interrupt: terminal.signal(SIGINT)
        case .quitSignal: terminal.send("\u{1C}")
        case .trap: terminal.send("T")
        case .fault: terminal.send("S")
        case .badAddress: terminal.send("N")
        case .abort: terminal.send("A")
        case .stackOverflow: terminal.send("O")
        }
    }

    private func expectedEnd(of wayOut: WayOut) -> ProgramEnd {
        switch wayOut {
        case .quit: .exited(0)
        case .exit: .exited(3)
        case .term: .exited(143)
        case .hangUpSignal: .exited(129)
        case .interrupt: .exited(130)
        case .quitSignal: .killed(SIGQUIT)
        case .trap, .error: .killed(Self.trapSignal)
        case .fault, .badAddress, .stackOverflow: .killed(SIGSEGV)
        case .abort: .killed(SIGABRT)
        }
    }
}
