import Foundation
import TestSupport

/// A program in tmux: a real terminal emulator whose screen can be read.
public final class TmuxSession: Sendable {
    private let socket: String
    private let control: TmuxControl

    /// Starts a shell command on a new server without any user's configuration.
    public init(_ command: String, width: Int = 80, height: Int = 24) throws {
        socket = "yap-\(UUID().uuidString)"
        var environment = ProcessInfo.processInfo.environment
        environment["TMUX"] = nil
        environment["LC_ALL"] = "C.UTF-8"
        // A crash must end the program without an interactive backtrace.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        let start = ["tmux", "-L", socket, "-f", "/dev/null", "-u", "new-session", "-d"]
        let size = ["-x", "\(width)", "-y", "\(height)"]
        let status = Status(
            of: try spawn(start + size + [command], environment: environment, input: "/dev/null", output: "/dev/null"))
        guard status.wait() == .exited(0) else { throw PseudoTerminal.Failure("tmux does not start.") }
        control = try TmuxControl(socket: socket, environment: environment)
    }

    deinit { _ = try? control.run(["kill-server"]) }

    /// Sends keys by tmux's names: `Enter`, `C-c`, `Up`, `M-x`, or text.
    public func sendKeys(_ keys: String...) throws { _ = try control.run(["send-keys"] + keys) }

    public func resize(width: Int, height: Int) throws {
        _ = try control.run(["resize-window", "-x", "\(width)", "-y", "\(height)"])
    }

    /// Returns the lines on the screen without trailing blanks.
    public func lines() throws -> [String] {
        try control.run(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
    }

    /// Returns the value of a tmux format, for example `#{alternate_on}`.
    public func format(_ format: String) throws -> String { try control.run(["display-message", "-p", format]) }

    /// Returns the terminal's settings for the programs in it.
    public func settings() throws -> TerminalSettings {
        let device = open(try format("#{pane_tty}"), O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard device >= 0 else { throw PseudoTerminal.Failure("The terminal of tmux cannot be opened.") }
        defer { close(device) }
        return TerminalSettings(of: device)
    }

    /// Waits until the screen satisfies a condition, which is asked when the program has written something, and now and
    /// then for what is not on the screen. Throws, with the screen and `state`, if it never does.
    public func wait(
        for what: String, state: () -> String = { "" }, until condition: ([String]) throws -> Bool
    ) async throws {
        var patience = Patience()
        var (seen, looks) = (-1, 0)
        while true {
            looks += 1
            let outputs = control.outputs
            if outputs != seen || looks % 50 == 0, try condition(lines()) { return }
            seen = outputs
            guard patience.next() else {
                throw PseudoTerminal.Failure(
                    "\(what) did not happen. \(state())\nThe screen:\n\(try lines().joined(separator: "\n"))")
            }
            try await Task.sleep(for: .milliseconds(Patience.milliseconds))
        }
    }
}
