import Foundation
import TerminalTesting
import TestTraits
import Testing

/// Signals that another process sends. Sanitizers handle those of crashes themselves, or stop in the handler of Swift's backtracer.
@Suite(.disabled(if: Sanitizer.isPresent)) struct SentSignalTests {
    /// Those that Swift's backtracer handles, besides the one to quit.
    private static let crashes = [SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGTRAP, SIGFPE]
    private static let others = [SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR, 40]

    @Test(arguments: crashes) func aCrashSignalEndsTheProcessBehindTheBacktrace(number: Int32) async throws {
        let backtrace = "enable=yes,interactive=no,color=no,threads=crashed,sanitize=no,timeout=60s"
        try await expectEnd(by: number, environment: ["SWIFT_BACKTRACE": backtrace]) { written in
            #expect(written.contains("Crash") || written.contains("crash") || written.contains("💣"), "\(written)")
        }
    }

    /// Ctrl-\ ends the program with a trace, and without the backtracer's question.
    @Test(arguments: ["enable=yes,interactive=yes,color=no,timeout=60s", "enable=no"])
    func theSignalToQuitAsksNothing(backtrace: String) async throws {
        try await expectEnd(by: SIGQUIT, environment: ["SWIFT_BACKTRACE": backtrace]) { written in
            #expect(written.contains("Quit. This thread was at:") && written.contains("terminal-probe("), "\(written)")
            #expect(!written.contains("Press space"))
        }
    }

    @Test(arguments: crashes + others) func aSentSignalEndsTheProcessAndRestoresTheTerminal(number: Int32) async throws
    {
        try await expectEnd(by: number)
    }

    private func expectEnd(
        by number: Int32, environment: [String: String] = [:], saying: (String) -> Void = { _ in }
    ) async throws {
        let probe = try await ProbeRun("list", environment: environment)
        // The signal arrives while frames are being written.
        try await probe.send("n", expect: "key n")
        probe.terminal.signal(number)
        #expect(try await probe.terminal.waitForEnd() == .killed(number))
        #expect(probe.terminal.settings == probe.settingsBefore)
        let trace = ModeTrace(probe.terminal.output)
        #expect(trace.isFresh, "\(trace)")
        let written = String(decoding: probe.terminal.output, as: UTF8.self)
        let left = try #require(written.range(of: "\u{1B}[?1049l", options: .backwards))
        let after = String(written[left.upperBound...])
        // Restoring the title is not drawing.
        #expect(!after.replacing("\u{1B}[23;0;0t", with: "").contains("\u{1B}"), "\(after.debugDescription)")
        saying(after)
    }
}
