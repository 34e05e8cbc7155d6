import Foundation
import TerminalTesting
import Testing

/// The user's own keys, read from a file when a screen begins.
@Suite(.serialized) struct ChatKeyFileTests {
    @Test func theKeysOfTheFileAreThoseOfTheScreen() async throws {
        try await withTemporaryFolder { folder in
            try write("ctrl-x quit\n[lab]\nctrl-x center\n[chat]\nctrl-g help", in: folder)
            let shell = try await YapShell.chat(in: folder, environment: "XDG_CONFIG_HOME=\(folder.path)")
            try await shell.press("C-g")
            try await shell.wait(for: "The help") { $0.contains { $0.contains("Keys") } }
            #expect(try shell.tmux.lines().contains { $0.contains("Ctrl-X  Ctrl-C") })
            try await shell.press("Escape")
            try await shell.shows("Ctrl-G help", missing: "Keys")
            try await shell.press("C-x")
            try await shell.expectEnd(exitCode: 0)
        }
    }

    @Test func aMistakeIsToldWithItsLineAndNothingIsOpened() async throws {
        try withTemporaryFolder { folder in
            try write("# mine\nctrl-x quti\n", in: folder)
            let database = folder.appending(path: "chat.sqlite")
            let chat = try YapRun(["chat", "--db", database.path], environment: ["XDG_CONFIG_HOME": folder.path])
            #expect(chat.code == 1)
            #expect(
                chat.errors.hasPrefix("yap: \(folder.path)/yap/keys, line 2: chat has no action \"quti\""))
            #expect(!FileManager.default.fileExists(atPath: database.path))
        }
    }

    @Test func aFileThatCannotBeReadIsNamed() async throws {
        try withTemporaryFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "yap/keys"), withIntermediateDirectories: true)
            let chat = try YapRun(["chat"], environment: ["XDG_CONFIG_HOME": folder.path])
            #expect(chat.code == 1)
            #expect(chat.errors.hasPrefix("yap: \(folder.path)/yap/keys cannot be read: "))
        }
    }

    @Test func theHelpNamesWhatKeysCanDo() throws {
        let help = try output(["chat", "--help"])
        #expect(help.contains("~/.config/yap/keys") && help.contains("half-page-down"))
    }

    private func write(_ text: String, in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder.appending(path: "yap"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: "yap/keys"))
    }
}
