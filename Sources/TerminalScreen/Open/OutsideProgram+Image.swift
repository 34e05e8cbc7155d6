import Foundation

extension OutsideProgram {
    /// What runs: the program with its arguments, then a wait for a key, so that the image can be seen. The file's name is an argument of
    /// it, and no part.
    private static let script = """
        clear; "$@"; echo; stty -icanon -echo 2>/dev/null; dd bs=1 count=1 >/dev/null 2>&1
        """

    /// Creates the program that draws an image in the terminal until a key is pressed.
    ///
    /// - Parameters:
    ///   - features: what the terminal is known to show.
    ///   - size: columns and lines of the terminal.
    ///   - environment: names the folders of programs.
    /// - Throws: ``EditorError`` with code `notStarted` if the terminal shows no images, or no program is installed that makes them.
    init(
        image features: TerminalFeatures, size: (width: Int, height: Int),
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(EditorError) {
        guard features.hasKittyImages || features.hasSixel else {
            throw EditorError(.notStarted, "this terminal shows no images. v opens it in another program.")
        }
        let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        func path(_ name: String) -> String? {
            folders.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
        }
        let command: [String]
        if let chafa = path("chafa") {
            let format = features.hasKittyImages ? "kitty" : "sixel"
            command = [chafa, "--format", format, "--size", "\(size.width)x\(max(1, size.height - 2))", "--"]
        } else if features.hasSixel, let sixel = path("img2sixel") {
            command = [sixel]
        } else {
            throw EditorError(.notStarted, "install chafa to see it here. v opens it in another program.")
        }
        self.init(words: ["/bin/sh", "-c", Self.script, "sh"] + command, takesTerminal: true)
    }
}
