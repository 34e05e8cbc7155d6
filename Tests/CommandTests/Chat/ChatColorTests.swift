import Foundation
import TerminalTesting
import Testing

/// The chat in the colours of different terminals.
@Suite struct ChatColorTests {
    /// The background of the selected row on dark and on light.
    private let onDark = "48;5;236"
    private let onLight = "48;5;254"

    @Test func onALightBackgroundTheSelectionIsLight() async throws {
        try await withTemporaryFolder { folder in
            let terminal = try chat(in: folder)
            try await terminal.wait(for: "The question") { written(terminal).contains("\u{1B}]11;?") }
            terminal.send("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\")
            // Moves the focus to the roster, whose selected row is then tinted.
            terminal.send("\t")
            try await terminal.wait(for: "The selected row") { written(terminal).contains(onLight) }
            #expect(!written(terminal).contains(onDark))
        }
    }

    @Test func aTerminalThatSaysSoInItsEnvironmentIsBelieved() async throws {
        try await withTemporaryFolder { folder in
            let terminal = try chat(in: folder, ["COLORFGBG": "0;15"])
            terminal.send("\t")
            try await terminal.wait(for: "The selected row") { written(terminal).contains(onLight) }
        }
    }

    @Test func onADarkBackgroundTheSelectionIsDark() async throws {
        try await withTemporaryFolder { folder in
            let terminal = try chat(in: folder)
            try await terminal.wait(for: "The question") { written(terminal).contains("\u{1B}]11;?") }
            terminal.send("\u{1B}]11;rgb:1c1c/1c1c/1c1c\u{1B}\\\t")
            try await terminal.wait(for: "The selected row") { written(terminal).contains(onDark) }
            #expect(!written(terminal).contains(onLight))
        }
    }

    @Test func withoutAnAnswerNoColourIsFixed() async throws {
        try await withTemporaryFolder { folder in
            let terminal = try chat(in: folder)
            terminal.send("\t")
            try await terminal.wait(for: "The roster's hints") { written(terminal).contains("write") }
            // Only the sixteen colours that the terminal's owner chose.
            #expect(!written(terminal).contains(/\u{1B}\[[0-9;]*[34]8;5/))
        }
    }

    @Test func withNoColorThereIsNone() async throws {
        try await withTemporaryFolder { folder in
            let terminal = try chat(in: folder, ["NO_COLOR": "1"])
            terminal.send("\t")
            try await terminal.wait(for: "The roster's hints") { written(terminal).contains("write") }
            #expect(!written(terminal).contains(/\u{1B}\[[0-9;]*[34]8;5/))
            #expect(!written(terminal).contains("]11;?"))
        }
    }

    private func chat(in folder: URL, _ environment: [String: String] = [:]) throws -> PseudoTerminal {
        let database = folder.appending(path: "chat.sqlite").path
        return try PseudoTerminal(
            [builtProduct("yap"), "chat", "--as", "alice", "--db", database], environment: environment)
    }

    private func written(_ terminal: PseudoTerminal) -> String { String(decoding: terminal.output, as: UTF8.self) }
}
