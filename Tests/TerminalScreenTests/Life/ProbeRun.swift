import Foundation
import TerminalTesting

/// The probe on a pseudo-terminal: its events, its output, its end.
final class ProbeRun {
    let terminal: PseudoTerminal
    /// The terminal's settings before the probe could change them.
    let settingsBefore: TerminalSettings
    private let log: URL

    /// Starts the probe and waits until it is ready.
    /// - Parameters:
    ///   - preparation: a command of the shell that starts the probe.
    ///   - readyLine: the event to wait for.
    init(
        _ arguments: String..., preparation: String = ":", environment: [String: String] = [:], width: Int = 80,
        height: Int = 24, readyLine: String = "ready"
    ) async throws {
        log = try Self.newLog()
        // The shell lets the test read the settings before the probe starts.
        terminal = try PseudoTerminal(
            ["/bin/sh", "-c", "\(preparation); read go; exec \"$0\" \"$@\"", builtProduct("terminal-probe"), log.path]
                + arguments,
            environment: environment, width: width, height: height)
        settingsBefore = terminal.settings
        terminal.send("\n")
        try await wait(for: readyLine)
    }

    deinit { try? FileManager.default.removeItem(at: log) }

    /// The probe's events, line by line.
    var events: [String] { Self.lines(of: log) }

    /// The probe's process.
    var process: pid_t { Self.process(in: log) ?? 0 }

    static func lines(of log: URL) -> [String] {
        let bytes = FileManager.default.contents(atPath: log.path) ?? Data()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    static func process(in log: URL) -> pid_t? {
        lines(of: log).first?.split(separator: " ").last.flatMap { pid_t($0) }
    }

    /// Sends keys and waits for the probe's event.
    func send(_ bytes: String, expect event: String) async throws {
        terminal.send(bytes)
        try await wait(for: event)
    }

    func wait(for event: String) async throws {
        try await terminal.wait(for: "'\(event)' in \(events)") { events.contains { $0.hasPrefix(event) } }
    }

    static func newLog() throws -> URL {
        let file = FileManager.default.temporaryDirectory.appending(path: "yap-probe-\(UUID().uuidString).log")
        try Data().write(to: file)
        return file
    }
}
