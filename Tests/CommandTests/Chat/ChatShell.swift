import Foundation
import TerminalTesting
import Testing

/// An interactive shell in tmux, which knows its terminal settings before and after.
struct ChatShell {
    let tmux: TmuxSession
    private let folder: URL

    init(_ folder: URL) throws {
        self.folder = folder
        tmux = try TmuxSession("env PS1='$ ' ENV= sh -i")
    }

    /// - Parameter environment: What the shell is told before the command, as in `NO_COLOR=1`.
    func startChat(in folder: URL, script: String = "demo", environment: String = "") async throws {
        let yap = try builtProduct("yap")
        try type("stty -a > \(folder.path)/before")
        try type(
            "\(environment) \(yap) chat --db \(folder.path)/chat.sqlite --seed 7 --script \(script); echo ended: $? $((1+1))"
        )
        try await tmux.wait(for: "The chat") { lines in
            lines.contains { $0.contains("yap chat") } && lines.contains { $0.contains("AVAILABLE") }
        }
    }

    func chatProcess(in folder: URL) throws -> pid_t {
        for entry in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
            guard let process = pid_t(entry),
                let command = FileManager.default.contents(atPath: "/proc/\(entry)/cmdline"),
                String(decoding: command, as: UTF8.self).hasPrefix(try builtProduct("yap")),
                String(decoding: command, as: UTF8.self).contains(folder.path)
            else { continue }
            return process
        }
        throw PseudoTerminal.Failure("There is no yap chat running in \(folder.path).")
    }

    func expectEnd(exitCode: Int32) async throws {
        try await tmux.wait(for: "The end of the chat") { lines in
            lines.contains { $0.hasSuffix("ended: \(exitCode) 2") }
        }
        try await expectCleanTerminal()
    }

    func expectCleanTerminal() async throws {
        #expect(try tmux.format("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "0 1 0")
        try type("stty -a > \(folder.path)/after; echo compared $((2+2))")
        try await tmux.wait(for: "stty") { lines in lines.contains { $0.hasSuffix("compared 4") } }
        let before = try String(contentsOf: folder.appending(path: "before"), encoding: .utf8)
        let after = try String(contentsOf: folder.appending(path: "after"), encoding: .utf8)
        // The rows and columns may have changed with the window.
        #expect(settings(before) == settings(after))
    }

    private func settings(_ text: String) -> String { text.split(separator: "\n").dropFirst().joined(separator: "\n") }

    private func type(_ line: String) throws { try tmux.sendKeys(line, "Enter") }
}
