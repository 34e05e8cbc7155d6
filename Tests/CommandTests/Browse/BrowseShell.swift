import Foundation
import TerminalTesting
import Testing

/// `yap browse` in a shell in tmux, which knows its terminal settings before and after.
struct BrowseShell {
    let tmux: TmuxSession
    private let file: URL
    private let folder: URL

    /// - Parameter file: in a folder of the test's own; a folder for notes is made beside it.
    init(_ file: URL, width: Int = 100, height: Int = 24) throws {
        self.file = file
        folder = file.deletingLastPathComponent().appending(path: "notes")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        tmux = try TmuxSession("env PS1='$ ' ENV= sh -i", width: width, height: height)
    }

    /// - Parameter environment: What the shell is told before the command, as in `TERM=dumb`.
    func start(environment: String = "", options: String = "") async throws {
        try type("stty -a > \(folder.path)/before")
        try type(
            "\(environment) \(try builtProduct("yap")) browse \(options) \(file.path); echo ended: $? $((1+1))")
    }

    func wait(for text: String) async throws {
        try await tmux.wait(for: "\"\(text)\" on the screen") { $0.contains { $0.contains(text) } }
    }

    /// An Esc that is followed by a key at once would be that key with Alt.
    func wait(untilGone text: String) async throws {
        try await tmux.wait(for: "No \"\(text)\" on the screen") { !$0.contains { $0.contains(text) } }
    }

    func keys(_ keys: String...) throws { for key in keys { try tmux.sendKeys(key) } }

    /// The process itself, not the shell that started it.
    func process() throws -> pid_t {
        for entry in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
            guard let process = pid_t(entry),
                let command = FileManager.default.contents(atPath: "/proc/\(entry)/cmdline"),
                String(decoding: command, as: UTF8.self).hasPrefix(try builtProduct("yap")),
                String(decoding: command, as: UTF8.self).contains(file.path)
            else { continue }
            return process
        }
        throw PseudoTerminal.Failure("There is no yap browse running on \(file.path).")
    }

    func expectEnd(exitCode: Int32) async throws {
        try await wait(for: "ended: \(exitCode) 2")
        try await expectCleanTerminal()
    }

    func expectCleanTerminal() async throws {
        #expect(try tmux.format("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "0 1 0")
        try type("stty -a > \(folder.path)/after; echo compared $((2+2))")
        try await wait(for: "compared 4")
        #expect(try settings("before") == settings("after"))
    }

    /// The rows and columns, in the first line, may have changed with the window.
    private func settings(_ name: String) throws -> String {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return text.split(separator: "\n").dropFirst().joined(separator: "\n")
    }

    private func type(_ line: String) throws { try tmux.sendKeys(line, "Enter") }
}
