import FileBrowser
import LiveTable

/// Shows a file until the browser is quit, and returns the exit code.
///
/// - Throws: before anything is shown, when nothing of the file can be, when a key is bound to what the browser cannot
///   do, or when there is no terminal.
@MainActor package func browse(_ options: BrowserOptions) throws -> Int32 {
    let keys = try BrowserKeys(options.keys)
    let file = try BrowsedFile(path: options.path)
    let screen = try Screen()
    defer { screen.close() }
    let loop = try EventLoop(screen: screen)
    var mustDraw = false
    let browser = BrowserScreen(
        file: file, options: options, keys: keys,
        theme: Theme(depth: screen.colors, unicode: options.unicode, background: screen.background), size: screen.size,
        background: QueueBackground(), now: loop.now)
    browser.quit = { loop.stop() }
    browser.copy = { try screen.copy($0) }
    browser.toggleMouse = {
        screen.isMouseEnabled.toggle()
        return screen.isMouseEnabled
    }
    browser.changed = { mustDraw = true }
    browser.start()
    let end = loop.run(
        EventLoop.Handlers(
            onEvent: {
                browser.handle($0)
                mustDraw = true
            },
            onBackground: {
                browser.show(on: $0)
                mustDraw = true
            },
            nextFrame: { mustDraw ? 0 : browser.nextTime() },
            draw: { now in
                mustDraw = false
                return browser.draw(now)
            }))
    browser.stop()
    return end.exitCode
}
