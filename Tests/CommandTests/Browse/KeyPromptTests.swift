import Foundation
import TerminalTesting
import Testing

/// The question for the key of an encrypted file, on a terminal.
@Suite(.serialized) struct KeyPromptTests {
    @Test func theKeyIsAskedForAndNotShown() async throws {
        try await withPrompt { terminal, before async throws in
            terminal.send("wrong\n")
            try await terminal.wait(for: "A second question") { terminal.text.count(of: "Key of") == 2 }
            #expect(terminal.text.contains("The key does not fit"))
            terminal.send("correct horse\n")
            #expect(try await terminal.waitForEnd() == .exited(0))
            #expect(terminal.text.contains("book-364") && !terminal.text.contains("correct horse"))
            #expect(!terminal.text.contains("wrong\r"))
            #expect(terminal.settings == before)
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT]) func aSignalLeavesTheTerminalAsItWas(signal: Int32)
        async throws
    {
        try await withPrompt { terminal, before async throws in
            terminal.send("half a k")
            if signal == SIGINT { terminal.send("\u{3}") } else { terminal.signal(signal) }
            let end = try await terminal.waitForEnd()
            #expect(end == (signal == SIGINT ? .exited(130) : .killed(signal)))
            #expect(terminal.settings == before)
        }
    }

    @Test func itIsAskedAgainAfterAStop() async throws {
        try await withEncryptedFile { file in
            let shell = try await YapShell("browse --json --collection books \(file.path) | tail -n 1 | cut -c 1-40")
            try shell.start()
            try await shell.shows("Key of")
            try shell.tmux.sendKeys("C-z")
            try await shell.shows("Stopped")
            try shell.tellShell("clear; stty -a | grep -o ' echo '")
            try await shell.shows("echo")
            try shell.tellShell("clear; echo go''ing; fg")
            try await shell.shows("going", "Key of")
            try shell.tellShell("correct horse")
            try await shell.shows("\"key\":", missing: "correct horse")
        }
    }

    @Test func anEmptyAnswerIsNoKey() async throws {
        try await withPrompt { terminal, before async throws in
            terminal.send("\n")
            #expect(try await terminal.waitForEnd() == .exited(1))
            #expect(terminal.text.contains("or it is encrypted"))
            #expect(terminal.settings == before)
        }
    }

    private func withPrompt(_ body: (PseudoTerminal, TerminalSettings) async throws -> Void) async throws {
        // The settings of a new terminal, before a program changes them.
        let before = try PseudoTerminal(["/bin/cat"]).settings
        try await withEncryptedFile { file in
            let terminal = try PseudoTerminal(
                [try builtProduct("yap"), "browse", "--json", "--collection", "books", "--last", "200", file.path])
            try await terminal.wait(for: "The question") {
                terminal.text.contains("Key of") && terminal.settings != before
            }
            try await body(terminal, before)
        }
    }

    private func withEncryptedFile(_ body: (URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "books.sqlite")
            try EncryptedBooks.named("books-v4").withCopy { try FileManager.default.copyItem(at: $0, to: file) }
            try await body(file)
        }
    }
}

extension PseudoTerminal {
    fileprivate var text: String { String(decoding: output, as: UTF8.self) }
}

extension String {
    fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
