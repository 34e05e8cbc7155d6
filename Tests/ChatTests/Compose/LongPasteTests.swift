import Foundation
import LiveTable
import Testing

@testable import ChatRoster

/// A paste that is too long for one message.
@MainActor @Suite struct LongPasteTests {
    @Test func itIsDividedBehindLinesAndWordsAndNothingIsLost() {
        let lines = (0..<300).map { "line \($0) of a long text" }
        let paste = LongPaste(lines.joined(separator: "\n"), limit: 100)
        #expect(paste.parts.allSatisfy { $0.count <= 100 })
        let found: [Substring] = paste.parts.flatMap { $0.split(separator: "\n") }
        #expect(found.map(String.init) == lines)
        let words = LongPaste("aaaa bbbb cccc", limit: 6)
        #expect(words.parts == ["aaaa", "bbbb", "cccc"])
        let one = LongPaste(String(repeating: "x", count: 25), limit: 10)
        #expect(one.parts.map(\.count) == [10, 10, 5])
        #expect(LongPaste(" \n ", limit: 2).parts.isEmpty)
    }

    @Test func itIsAskedAboutUntilItIsSentOrDropped() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat, with: "bob")
            let text = (0..<2_500).map { "word\($0)" }.joined(separator: " ")
            screen.type("Look: ")
            screen.press(.paste(text))
            #expect(
                screen.lines().contains { $0.contains("characters: Enter sends 3 messages, f makes a file, Esc drops") }
            )
            screen.press(.key(.character("x")))
            #expect(
                screen.lines().contains { $0.contains("characters: Enter sends 3 messages, f makes a file, Esc drops") }
            )
            screen.press(.key(.escape))
            #expect(screen.program.state.composer.field.text == "Look: ")
            screen.press(.paste(text), .key(.enter))
            let pair = Conversation("alice", "bob")
            try await screen.until("All parts are there") { try chat.texts(pair).count == 3 }
            #expect(try chat.texts(pair).joined(separator: " ") == "Look: " + text)
            #expect(screen.program.state.composer.field.isEmpty)
        }
    }

    /// It is asked about even if what is left of it is one message.
    @Test(arguments: [1, 2_500]) func whatItLacksIsSaid(words: Int) async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat, with: "bob")
            let text = (0..<words).map { "word\($0)" }.joined(separator: " ") + "…"
            screen.press(.paste(text, missing: 123_456))
            #expect(
                screen.lines().joined(separator: " ").contains("\(text.count) characters without the last 123456 bytes")
            )
            #expect(screen.program.state.composer.field.isEmpty)
        }
    }

    @Test func onRequestItIsAFileThatThoseOfTheChatCanRead() async throws {
        try await withScreenChat { chat in
            let url = chat.database.databaseURL
            chmod(url.path, 0o660)
            let screen = try TestScreen(chat, with: "bob")
            let text = (0..<2_500).map { "word\($0)" }.joined(separator: "\n")
            // Two in a second have names of their own.
            for _ in 1...2 {
                screen.type("Look: ")
                screen.press(.paste(text), .key(.character("f")))
                let line = screen.program.state.composer.field.text
                #expect(line.hasPrefix("Look: \(url.deletingPathExtension().path)-paste-") && line.hasSuffix(".txt"))
                #expect(screen.lines().contains { $0.contains("Stored on this machine") })
                screen.press(.key(.character("c"), .control))
            }
            let folder = url.deletingLastPathComponent()
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                $0.contains("-paste-")
            }
            #expect(files.count == 2)
            for file in files {
                let path = folder.appending(path: file).path
                #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
                #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o660)
            }
        }
    }

    @Test func aFileThatCannotBeWrittenLosesNoPaste() async throws {
        try await withScreenChat { chat in
            let screen = try TestScreen(chat, with: "bob")
            let text = String(repeating: "x", count: 12_000)
            screen.press(.paste(text))
            // A folder that is gone takes no file.
            let folder = chat.database.databaseURL.deletingLastPathComponent()
            let moved = folder.appendingPathExtension("moved")
            try FileManager.default.moveItem(at: folder, to: moved)
            screen.press(.key(.character("f")))
            try FileManager.default.moveItem(at: moved, to: folder)
            let lines = screen.lines().joined(separator: " ")
            #expect(lines.contains("cannot be written") && lines.contains("Enter sends 2 messages"), "\(lines)")
            screen.press(.key(.character("f")))
            #expect(screen.program.state.composer.field.text.hasSuffix(".txt"))
        }
    }
}
