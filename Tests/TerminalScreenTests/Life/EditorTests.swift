import Foundation
import TerminalTesting
import Testing

@testable import TerminalScreen

/// The user's editor, which gets the terminal for a while.
@Suite struct EditorTests {
    @Test func theEditorIsTheOneThatTheEnvironmentNames() {
        #expect(TextEditor(environment: ["VISUAL": "code --wait", "EDITOR": "nano"]).command == "code --wait")
        #expect(TextEditor(environment: ["VISUAL": " ", "EDITOR": "nano"]).command == "nano")
        #expect(TextEditor(environment: [:]).command == "vi")
    }

    @Test func theEditedTextComesBackAndTheScreenToo() async throws {
        // The editor shows the settings of the terminal that it got, and who may read its file.
        let probe = try await ProbeRun(
            environment: [
                "VISUAL": "sh -c 'stat -c mode-%a \"$0\"; stty -a | grep -o \" icanon\"; sed -i s/a/the/ \"$0\"'"
            ])
        try await probe.send("v", expect: "edited success(\"the text\")")
        try await probe.send("a", expect: "key a")
        try await probe.terminal.wait(for: "The next frame") { self.written(probe).contains("key a") }
        let parts = written(probe).components(separatedBy: "\u{1B}[?1049l")
        #expect(parts.count == 2)
        #expect(parts[1].contains("mode-600") && parts[1].contains(" icanon"))
        let back = parts[1].components(separatedBy: "\u{1B}[?1049h")
        #expect(back.count == 2 && back[1].contains("edited"), "the frame is drawn again")
        #expect(ModeTrace(probe.terminal.output).privateModes.isSuperset(of: [1000, 1004, 1049, 2004]))
        probe.terminal.send("q")
        #expect(try await probe.terminal.waitForEnd() == .exited(0))
        #expect(probe.terminal.settings == probe.settingsBefore)
    }

    @Test(arguments: [
        ("no-such-editor", "There is no editor"), ("sh -c 'exit 3'", "ended with 3"),
        ("sh -c 'kill -9 $$'", "signal 9"),
        ("sh -c 'rm \"$0\"'", "cannot be read"), ("sh -c 'truncate -s 2M \"$0\"'", "more than 1048576 bytes"),
    ])
    func aFailureIsASentence(editor: String, sentence: String) async throws {
        let probe = try await ProbeRun(environment: ["EDITOR": editor, "VISUAL": ""])
        try await probe.send("v", expect: "edited failure")
        #expect(probe.events.last?.contains(sentence) == true, "\(probe.events)")
        for path in probe.events.last?.matches(of: /\/[^ ]*yap-[-0-9A-F]+\.txt/) ?? [] { unlink(String(path.output)) }
        try await probe.send("a", expect: "key a")
    }

    /// Ctrl-C, Ctrl-\ and the work of the main queue while the editor has the terminal.
    @Test func theProgramGoesOnBehindTheEditor() async throws {
        let probe = try await ProbeRun(environment: [
            "VISUAL": "sh -c 'trap : INT QUIT; echo open; read line; read line; read line'"
        ])
        probe.terminal.send("v")
        try await probe.terminal.wait(for: "The editor") { self.written(probe).contains("open") }
        probe.terminal.signal(SIGINT)
        probe.terminal.send("\u{03}\u{1C}")
        probe.terminal.resize(width: 50, height: 10)
        probe.terminal.send("\n\n\n")
        try await probe.wait(for: "edited success(\"a text\")")
        try await probe.wait(for: "resize 50x10")
        try await probe.send("a", expect: "key a")
    }

    @Test func theEndOfTheProgramEndsTheEditor() async throws {
        let probe = try await ProbeRun(environment: ["VISUAL": "tail -f"])
        probe.terminal.send("v")
        try await probe.terminal.wait(for: "The editor") { self.written(probe).hasSuffix("a text") }
        let editor = try #require(Self.child(of: probe.process))
        probe.terminal.signal(SIGTERM)
        #expect(try await probe.terminal.waitForEnd() == .exited(143))
        #expect(probe.terminal.settings == probe.settingsBefore)
        // It may be left unread by the process that inherits it.
        try await probe.terminal.wait(for: "The end of the editor") {
            kill(editor, 0) != 0 || Self.state(of: editor) == "Z"
        }
    }

    private static func child(of process: pid_t) -> pid_t? {
        let file = "/proc/\(process)/task/\(process)/children"
        let children = try? String(contentsOfFile: file, encoding: .utf8)
        return children?.split(separator: " ").first.flatMap { pid_t($0) }
    }

    private static func state(of process: pid_t) -> Substring? {
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return status?.split(separator: ")").last?.split(separator: " ").first
    }

    private func written(_ probe: ProbeRun) -> String { String(decoding: probe.terminal.output, as: UTF8.self) }
}
