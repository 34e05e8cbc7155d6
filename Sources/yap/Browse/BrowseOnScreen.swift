import Browser
import TerminalScreen

/// `yap browse FILE` as a person uses it.
enum BrowseOnScreen {
    /// Options that change how the screen looks, not what is printed.
    static let options = [Option.motion, .unicode]

    /// Whether the screen is meant: nothing to be printed was asked for, and there is somebody to look.
    static func isWanted(_ parsed: ParsedOptions) -> Bool {
        guard Set(parsed.values.keys).isSubset(of: options.map(\.name)) else { return false }
        return Terminal.isInteractive
    }

    @MainActor static func run(_ parsed: ParsedOptions, path: String) throws -> Int32 {
        // The screen reads signals from a descriptor, so they must be blocked before the first thread starts.
        Terminal.blockSignals()
        return try browse(
            BrowserOptions(
                path: path, motion: try parsed.motion(), unicode: try parsed.choice("unicode") ?? .safe,
                keys: try KeyFile.read()))
    }
}
