import Browser
import FileReading
import TableModel
import TerminalScreen

/// `yap diff A B` on the screen.
enum DiffOnScreen {
    /// Options that do not ask for lines.
    private static let options =
        (BrowseOnScreen.options + EncryptedOperand.options).map(\.name) + ["space", "rows-only"]

    /// Whether to open the screen: no output was requested, and standard output is a terminal.
    static func isWanted(_ parsed: ParsedOptions) -> Bool {
        Set(parsed.values.keys).isSubset(of: options) && Terminal.isInteractive
    }

    /// - Returns: the exit code of a comparison, or that of the signal which ended the screen.
    @MainActor static func run(_ files: [BrowsedFile], _ parsed: ParsedOptions) throws -> Int32 {
        // Signals are blocked until the screen is closed.
        try removeOnInterrupt()
        let shown = try showDifferences(
            of: files[0], files[1],
            DiffOptions(
                names: (parsed.operands[0], parsed.operands[1]), withViews: parsed["rows-only"] == nil,
                motion: try parsed.motion(), unicode: try parsed.choice("unicode") ?? Terminal.unicode,
                keys: try KeyFile.read()))
        if case .signal = shown.end { return shown.end.exitCode }
        return shown.hasDifferences ? ExitCode.failed : ExitCode.good
    }
}
