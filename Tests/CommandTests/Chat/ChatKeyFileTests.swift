import Foundation
import TerminalTesting
import Testing

/// The user's own keys, read from a file when a screen begins.
@Suite(.serialized) struct ChatKeyFileTests {
    @Test func theKeysOfTheFileAreThoseOfTheScreen() async throws {
        try await withTemporaryFolder { folder in
            try write("ctrl-x quit\n[lab]\nctrl-x center\n[chat]\nctrl-g help", in: folder)
            let shell = try ChatShell(folder)
            try await shell.startChat(in: folder, script: "none", environment: "XDG_CONFIG_HOME=\(folder.path)")
            try shell.tmux.sendKeys("C-g")
            try await shell.tmux.wait(for: "The help") { $0.contains { $0.contains("Keys") } }
            #expect(try shell.tmux.lines().contains { $0.contains("Ctrl-X  Ctrl-C") })
            try shell.tmux.sendKeys("Escape")
            try await shell.tmux.wait(for: "The screen") { $0.last { !$0.isEmpty }?.contains("Ctrl-G help") == true }
            try shell.tmux.sendKeys("C-x")
            try await shell.expectEnd(exitCode: 0)
        }
    }

    @Test func aMistakeIsToldWithItsLineAndNothingIsOpened() async throws {
        try withTemporaryFolder { folder in
            try write("# mine\nctrl-x quti\n", in: folder)
            let database = folder.appending(path: "chat.sqlite")
            let chat = try YapProcess(
                ["chat", "--db", database.path], environment: ["XDG_CONFIG_HOME": folder.path])
            #expect(chat.exitCode() == 1)
            #expect(
                chat.errorText().hasPrefix("yap: \(folder.path)/yap/keys, line 2: chat has no action \"quti\""))
            #expect(!FileManager.default.fileExists(atPath: database.path))
        }
    }

    @Test func aFileThatCannotBeReadIsNamed() async throws {
        try withTemporaryFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "yap/keys"), withIntermediateDirectories: true)
            let chat = try YapProcess(["chat"], environment: ["XDG_CONFIG_HOME": folder.path])
            #expect(chat.exitCode() == 1)
            #expect(chat.errorText().hasPrefix("yap: \(folder.path)/yap/keys cannot be read: "))
        }
    }

    @Test func theHelpNamesWhatKeysCanDo() throws {
        let chat = try YapProcess(["chat", "--help"])
        var lines: [String] = []
        while let line = try chat.readLine() { lines.append(line) }
        #expect(chat.exitCode() == 0)
        #expect(lines.contains { $0.contains("~/.config/yap/keys") })
        #expect(lines.contains { $0.contains("half-page-down") })
    }

    private func write(_ text: String, in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder.appending(path: "yap"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: "yap/keys"))
    }
}
