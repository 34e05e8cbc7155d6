import FileReading
import ScreenPrograms

/// Options of `yap diff` on the screen.
package struct DiffOptions: Sendable {
    /// What the files are called: operands of the command, as they were given.
    package var names: (first: String, second: String)
    package var withViews: Bool
    package var motion: MotionLevel
    package var unicode: UnicodeLevel
    /// The user's own keys.
    package var keys: KeyConfig

    package init(
        names: (first: String, second: String), withViews: Bool = true, motion: MotionLevel, unicode: UnicodeLevel,
        keys: KeyConfig = .none
    ) {
        (self.names, self.withViews, self.motion, self.unicode, self.keys) = (names, withViews, motion, unicode, keys)
    }
}

/// Shows in what two files differ until the user quits.
///
/// - Returns: whether a difference was found, and how the screen ended.
/// - Throws: before anything is shown, if a key is bound to an action that there is not, or if there is no terminal.
@MainActor package func showDifferences(
    of first: BrowsedFile, _ second: BrowsedFile, _ options: DiffOptions
) throws -> (hasDifferences: Bool, end: LoopEnd) {
    let keys = try DiffKeys(options.keys)
    let screen = try Screen()
    defer { screen.close() }
    let loop = try EventLoop(screen: screen)
    let diff = DiffScreen(
        options, ChangeReader(first.snapshot, second.snapshot), keys: keys,
        theme: Theme(depth: screen.colors, unicode: options.unicode, background: screen.background), size: screen.size,
        background: QueueBackground(), now: loop.now)
    diff.start()
    let end = loop.run(diff)
    diff.stop()
    screen.close()
    // From now on Ctrl-C ends the program, whatever it still waits for.
    Terminal.unblockSignals()
    return (diff.hasDifferences, end)
}
