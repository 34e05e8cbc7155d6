import Foundation
import TerminalTesting

/// `yap lab` in tmux, started by a shell that tells how it ended.
struct LabTerminal {
    let tmux: TmuxSession

    /// - Parameter arguments: what follows `yap lab`.
    init(_ arguments: String = "", width: Int = 100, height: Int = 30, environment: String = "") async throws {
        let yap = try builtProduct("yap")
        tmux = try TmuxSession("env PS1='$ ' ENV= sh -i", width: width, height: height)
        try tmux.sendKeys("\(environment) \(yap) lab --seed 7 \(arguments); echo ended: $?", "Enter")
        try await wait(for: "The lab") { $0.contains { $0.contains(" yap lab ") } }
    }

    /// Presses keys, by tmux's names.
    func press(_ keys: String...) throws {
        for key in keys { try tmux.sendKeys(key) }
    }

    /// Waits until the screen shows all of some texts.
    func shows(_ texts: String..., missing: String? = nil) async throws {
        try await wait(for: "\(texts)\(missing.map { " without \($0)" } ?? "")") { lines in
            let screen = lines.joined(separator: "\n")
            return texts.allSatisfy(screen.contains) && !(missing.map(screen.contains) ?? false)
        }
    }

    func wait(for what: String, until condition: ([String]) -> Bool) async throws {
        try await tmux.wait(for: what, until: condition)
    }

    /// Quits, and waits for the shell.
    func quit() async throws {
        try press("q")
        try await shows("ended: 0")
    }
}
