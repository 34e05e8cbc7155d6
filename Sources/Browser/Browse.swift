import FileReading
import ScreenPrograms

/// Shows a file until the user quits, and returns the exit code.
///
/// - Throws: before anything is shown, if nothing of the file can be shown, if a key is bound to an action that the
///   browser does not have, or if there is no terminal.
@MainActor package func browse(_ options: BrowserOptions) throws -> Int32 {
    let keys = try BrowserKeys(options.keys)
    let file = try BrowsedFile(path: options.path)
    let screen = try Screen()
    defer { screen.close() }
    let loop = try EventLoop(screen: screen)
    let browser = BrowserScreen(
        file: file, options: options, keys: keys,
        theme: Theme(depth: screen.colors, unicode: options.unicode, background: screen.background), size: screen.size,
        background: QueueBackground(), now: loop.now)
    browser.start()
    let end = loop.run(browser)
    browser.stop()
    screen.close()
    // From now on Ctrl-C ends the program, whatever it still waits for.
    Terminal.unblockSignals()
    return end.exitCode
}
