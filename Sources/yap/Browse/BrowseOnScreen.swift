import Browser
import TableModel
import TerminalScreen

/// `yap browse FILE` on the screen.
enum BrowseOnScreen {
    /// Options that change how the screen looks, not what is printed.
    static let options = [Option.motion, .unicode]

    /// Whether to open the screen: no output was requested, and standard output is a terminal.
    static func isWanted(_ parsed: ParsedOptions) -> Bool {
        guard
            Set(parsed.values.keys).isSubset(
                of: (options + EncryptedOperand.options).map(\.name) + ["space"])
        else { return false }
        return Terminal.isInteractive
    }

    /// Rejects an invalid value of an option even if the option has no effect.
    static func check(_ parsed: ParsedOptions) throws {
        _ = try (parsed.motion(), parsed.choice("unicode", UnicodeLevel.self))
    }

    @MainActor static func run(_ parsed: ParsedOptions, path: String) throws -> Int32 {
        let keys = try KeyFile.read()
        try EncryptedOperand.unlock(path, parsed)
        // The screen reads signals from a descriptor, so they must be blocked before the first thread starts.
        Terminal.blockSignals()
        // Signals are blocked until the screen is closed.
        try removeOnInterrupt()
        return try browse(
            BrowserOptions(
                path: path, motion: try parsed.motion(), unicode: try parsed.choice("unicode") ?? Terminal.unicode,
                keys: keys))
    }
}
