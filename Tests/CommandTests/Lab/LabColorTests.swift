import TerminalTesting
import Testing

/// The lab in the colours that a terminal has.
@Suite struct LabColorTests {
    @Test func onALightBackgroundTheSelectionIsLight() async throws {
        let lab = try PseudoTerminal([builtProduct("yap"), "lab"])
        try await lab.wait(for: "The question") { written(lab).contains("\u{1B}]11;?") }
        lab.send("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\j")
        try await lab.wait(for: "The selected row") { written(lab).contains("48;5;254") }
        #expect(!written(lab).contains("48;5;236"))
    }

    @Test func aTerminalThatSaysSoInItsEnvironmentIsBelieved() async throws {
        let lab = try PseudoTerminal([builtProduct("yap"), "lab"], environment: ["COLORFGBG": "0;15"])
        lab.send("j")
        try await lab.wait(for: "The selected row") { written(lab).contains("48;5;254") }
    }

    private func written(_ terminal: PseudoTerminal) -> String { String(decoding: terminal.output, as: UTF8.self) }
}
