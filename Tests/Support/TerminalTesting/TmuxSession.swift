import Foundation

/// A program in tmux: a real terminal emulator whose screen can be read.
public final class TmuxSession: Sendable {
    private let socket: String

    /// Starts a shell command on a new server without any user's configuration.
    public init(_ command: String, width: Int = 80, height: Int = 24) throws {
        socket = "yap-\(UUID().uuidString)"
        try run("new-session", "-d", "-x", "\(width)", "-y", "\(height)", command)
    }

    deinit { _ = try? tmux("kill-server") }

    /// Sends keys by tmux's names: `Enter`, `C-c`, `Up`, `M-x`, or text.
    public func sendKeys(_ keys: String...) throws {
        try run(["send-keys"] + keys)
    }

    public func resize(width: Int, height: Int) throws {
        try run("resize-window", "-x", "\(width)", "-y", "\(height)")
    }

    /// Returns the lines on the screen without trailing blanks.
    public func lines() throws -> [String] {
        try tmux("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the value of a tmux format, for example `#{alternate_on}`.
    public func format(_ format: String) throws -> String {
        try tmux("display-message", "-p", format).trimmingCharacters(in: .newlines)
    }

    /// Returns the terminal's settings for the programs in it.
    public func settings() throws -> TerminalSettings {
        let device = open(try format("#{pane_tty}"), O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard device >= 0 else { throw PseudoTerminal.Failure("The terminal of tmux cannot be opened.") }
        defer { close(device) }
        return TerminalSettings(of: device)
    }

    /// Waits until the screen satisfies a condition; throws, with the screen, if it does not.
    public func wait(
        for what: String, seconds: Double = 90, until condition: ([String]) throws -> Bool
    ) async throws {
        let patience = ContinuousClock.now + .seconds(seconds)
        while try !condition(lines()) {
            guard ContinuousClock.now < patience else {
                throw PseudoTerminal.Failure(
                    "\(what) did not happen. The screen:\n\(try lines().joined(separator: "\n"))")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func run(_ arguments: String...) throws { try run(arguments) }

    private func run(_ arguments: [String]) throws { _ = try tmux(arguments) }

    private func tmux(_ arguments: String...) throws -> String { try tmux(arguments) }

    private func tmux(_ arguments: [String]) throws -> String {
        var environment = ProcessInfo.processInfo.environment
        environment["TMUX"] = nil
        environment["LC_ALL"] = "C.UTF-8"
        // A crash must end the program without an interactive backtrace.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        // A file, because the server that the first command starts might keep a pipe open.
        let output = FileManager.default.temporaryDirectory.appending(path: "\(socket)-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        let command = ["tmux", "-L", socket, "-f", "/dev/null", "-u"] + arguments
        let status = Status(of: try spawn(command, environment: environment, input: "/dev/null", output: output.path))
        let end = status.wait()
        let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        guard end == .exited(0) else { throw PseudoTerminal.Failure("tmux \(arguments): \(text)") }
        return text
    }
}
