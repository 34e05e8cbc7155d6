import Foundation
import TerminalTesting
import TestSupport
import Testing

/// Task 25 of a person with a database file: 80 columns and 24 lines over a slow line. What counts is how many bytes a key costs.
@Suite struct SlowLineTests {
    @Test func task25AKeyIsAFewHundredBytesAndAPageWithoutMotionAThousand() async throws {
        let start = try await bytes(after: "")
        #expect(start < 12_000)
        let keys = 20
        #expect(try await bytes(after: String(repeating: "j", count: keys)) - start <= keys * 300)
        // Space is a page down.
        #expect(try await bytes(after: String(repeating: " ", count: 8)) - start <= 8 * 1_200)
    }

    /// All that the terminal is sent until the program ends, each key pressed when the one before is shown.
    private func bytes(after keys: String) async throws -> Int {
        let sign = LoopSign()
        defer { sign.remove() }
        let terminal = try PseudoTerminal(
            [builtProduct("yap"), "browse", "--motion", "none", originalFile("books").path],
            environment: ["YAP_LOOP_SIGN": sign.path], width: 80, height: 24)
        try await terminal.wait(for: "The list") {
            String(decoding: terminal.output, as: UTF8.self).contains("book-005") && sign.reading.activity == "asleep"
        }
        for key in ["\r"] + keys.map(String.init) {
            let before = sign.reading.bytesRead
            terminal.send(key)
            try await terminal.wait(for: "The key is shown") {
                sign.hasRead(before + 1) && sign.reading.activity == "asleep"
            }
        }
        terminal.send("q")
        #expect(try await terminal.waitForEnd() == .exited(0))
        return terminal.output.count
    }
}
