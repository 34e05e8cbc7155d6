import Foundation
import TerminalTesting
import Testing

/// `yap` started as a user does, in a shell in tmux.
final class YapShell: Sendable {
    let tmux: TmuxSession
    private let command: String
    private let settings: TerminalSettings
    private let sign = LoopSign()

    /// - Parameter command: what follows `yap`.
    init(_ command: String, width: Int = 100, height: Int = 24) async throws {
        self.command = command
        tmux = try TmuxSession("env PS1='$ ' ENV= YAP_LOOP_SIGN=\(sign.path) sh -i", width: width, height: height)
        // The settings are made for the shell before it starts.
        try await tmux.wait(for: "The prompt") { $0.first == "$" }
        settings = try tmux.settings()
    }

    deinit { sign.remove() }

    /// - Parameter environment: variables set before the command, as in `TERM=dumb`.
    func start(environment: String = "") throws {
        sign.remove()
        try tmux.sendKeys("\(environment) \(try builtProduct("yap")) \(command); echo ended: $? $((1+1))", "Enter")
    }

    /// Presses keys, by tmux's names, one after the other, each when the program has read the one before: an Esc followed
    /// at once by a key would be that key with Alt.
    func press(_ keys: String...) async throws {
        for key in keys {
            let before = sign.reading.bytesRead
            try tmux.sendKeys(key)
            let bytes = before + (Self.isName(key) ? 1 : key.utf8.count)
            try await wait(for: "Reading \(key)") { [sign] lines in
                sign.hasRead(bytes) || lines.contains { $0.hasPrefix("ended: ") }
            }
        }
    }

    /// Whether tmux takes a text for the name of a key, which sends one byte or more.
    private static func isName(_ key: String) -> Bool {
        let names = ["Enter", "Escape", "Tab", "BTab", "Space", "BSpace", "Up", "Down", "Left", "Right", "Home", "End"]
        return names.contains(key) || ["C-", "M-", "S-", "Page"].contains { key.hasPrefix($0) }
    }

    /// Types a line that the shell reads, because the program has stopped or ended.
    func tellShell(_ line: String) throws { try tmux.sendKeys(line, "Enter") }

    /// Waits until nothing moves any more: what is drawn, by a clock for example, is the same again and again.
    func rests() async throws {
        var (last, looks) = ([String](), 0)
        try await wait(for: "Rest") { lines in
            looks = lines == last ? looks + 1 : 0
            last = lines
            return looks == 6
        }
    }

    func wait(for what: String, until condition: ([String]) throws -> Bool) async throws {
        try await tmux.wait(for: what, state: { "The program: \(sign.reading)." }, until: condition)
    }

    /// Waits until the screen shows all of some texts.
    func shows(_ texts: String..., missing: String? = nil) async throws {
        try await wait(for: "\(texts)\(missing.map { " without \($0)" } ?? "")") { lines in
            let screen = lines.joined(separator: "\n")
            return texts.allSatisfy(screen.contains) && !(missing.map(screen.contains) ?? false)
        }
    }

    /// Returns the process of the program, a child of the shell.
    func process() throws -> pid_t { try #require(try startedProcess()) }

    /// Returns the process of the program, nil while the shell has not started it.
    func startedProcess() throws -> pid_t? {
        let shell = try tmux.format("#{pane_pid}")
        let children = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        return children.split(separator: " ").compactMap { pid_t($0) }.first
    }

    /// Waits for the end, which must restore the terminal.
    func expectEnd(exitCode: Int32) async throws {
        try await shows("ended: \(exitCode) 2")
        try expectCleanTerminal()
    }

    /// Kills the program and waits for the shell's word of it, which stands where the cursor was and may be broken over two lines.
    func kill() async throws {
        Glibc.kill(try process(), SIGKILL)
        try await wait(for: "The end by a signal") { lines in
            lines.joined().replacing(" ", with: "").contains("ended:1372")
        }
    }

    func expectCleanTerminal() throws {
        #expect(try tmux.format("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "0 1 0")
        #expect(try tmux.settings() == settings)
    }
}
