import Foundation
import TerminalTesting
import Testing

@testable import TerminalScreen

@Suite struct ClipboardSequenceTests {
    @Test func theTextTravelsInBase64() {
        #expect(ClipboardSequence("häuser", inside: .none).bytes == "\u{1B}]52;c;aMOkdXNlcg==\u{07}")
    }

    @Test func tmuxGetsItPlainlyAndWrapped() {
        let plain = "\u{1B}]52;c;eA==\u{07}"
        #expect(ClipboardSequence("x", inside: .tmux).bytes == plain + "\u{1B}Ptmux;\u{1B}\(plain)\u{1B}\\")
    }

    @Test func screenGetsItInParts() {
        let bytes = ClipboardSequence(String(repeating: "x", count: 1000), inside: .screen).bytes
        let parts = bytes.components(separatedBy: "\u{1B}\\").dropLast()
        #expect(parts.count > 4)
        #expect(parts.allSatisfy { $0.hasPrefix("\u{1B}P") && $0.utf8.count <= 256 })
        let joined = parts.map { $0.dropFirst(2) }.joined()
        #expect(joined == ClipboardSequence(String(repeating: "x", count: 1000), inside: .none).bytes)
    }

    @Test func theScreenWritesItAtOnce() async throws {
        let probe = try await ProbeRun()
        try await probe.send("y", expect: "key y")
        try await probe.terminal.wait(for: "The sequence") {
            String(decoding: probe.terminal.output, as: UTF8.self).contains("\u{1B}]52;c;aMOkdXNlcg==\u{07}")
        }
    }

    @Test func aTextBeyondTheLimitIsRefused() async throws {
        let probe = try await ProbeRun()
        try await probe.send("Y", expect: "Not copied: 74995 bytes are more than the 74994 that a terminal takes.")
    }
}
