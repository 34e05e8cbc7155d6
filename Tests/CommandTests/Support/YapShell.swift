import Foundation
import TerminalTesting
import Testing

/// `yap` started as a user does, in a shell in tmux.
struct YapShell {
    let tmux: TmuxSession
    private let command: String
    private let settings: TerminalSettings

    /// - Parameter command: what follows `yap`.
    init(_ command: String, width: Int = 100, height: Int = 24) async throws {
        self.command = command
        tmux = try TmuxSession("env PS1='$ ' ENV= sh -i", width: width, height: height)
        // The settings are made for the shell before it starts.
        try await tmux.wait(for: "The prompt") { $0.first == "$" }
        settings = try tmux.settings()
    }

    /// - Parameter environment: variables set before the command, as in `TERM=dumb`.
    func start(environment: String = "") throws {
        try tmux.sendKeys("\(environment) \(try builtProduct("yap")) \(command); echo ended: $? $((1+1))", "Enter")
    }

    /// Presses keys, by tmux's names, one after the other.
    ///
    /// An Esc followed at once by a key would be that key with Alt: wait for the effect of the Esc.
    func press(_ keys: String...) throws { for key in keys { try tmux.sendKeys(key) } }

    func wait(for what: String, until condition: ([String]) throws -> Bool) async throws {
        try await tmux.wait(for: what, until: condition)
    }

    /// Waits until the screen shows all of some texts.
    func shows(_ texts: String..., missing: String? = nil) async throws {
        try await wait(for: "\(texts)\(missing.map { " without \($0)" } ?? "")") { lines in
            let screen = lines.joined(separator: "\n")
            return texts.allSatisfy(screen.contains) && !(missing.map(screen.contains) ?? false)
        }
    }

    /// Returns the process of the program, a child of the shell.
    func process() throws -> pid_t {
        let shell = try tmux.format("#{pane_pid}")
        let children = try String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        return try #require(children.split(separator: " ").compactMap { pid_t($0) }.first)
    }

    /// Waits for the end, which must restore the terminal.
    func expectEnd(exitCode: Int32) async throws {
        try await shows("ended: \(exitCode) 2")
        try expectCleanTerminal()
    }

    func expectCleanTerminal() throws {
        #expect(try tmux.format("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "0 1 0")
        #expect(try tmux.settings() == settings)
    }
}
