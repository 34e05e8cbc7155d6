import TerminalTesting
import Testing

/// An invisible effect is confirmed by a notice.
@Suite(.serialized) struct ChatNoticeTests {
    @Test func copyingAndSwitchingTheMouseAreSaid() async throws {
        try await YapShell.withChat(messages: 3) { shell in
            try await shell.press("M-m")
            try await shell.shows("The mouse is off: the terminal selects text.")
            try await shell.press("M-m")
            try await shell.shows("The mouse is on.")
            try await shell.press("Tab", "Tab", "y")
            try await shell.shows("Copied the message, if the terminal lets programs copy.")
            try await shell.press("k")
            try await shell.shows("y copy", missing: "Copied")
            try await shell.press("C-c")
            try await shell.expectEnd(exitCode: 0)
        }
    }
}
