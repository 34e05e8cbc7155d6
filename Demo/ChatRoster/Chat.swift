import Foundation
import LiveTable

/// Runs the chat until it is quit, and returns the exit code.
///
/// - Throws: when a key is bound to what the chat cannot do or when there is no terminal, and then no file is touched; or
///   when the database cannot be opened.
@MainActor public func runChat(_ options: ChatOptions) throws -> Int32 {
    let keys = try ChatKeys(options.keys)
    let screen = try Screen()
    defer { screen.close() }
    let chat = try ChatDatabase(url: options.url)
    try chat.populate(Cast.buddies(now: Date()), Cast.history(seed: options.seed, now: Date()))
    let loop = try EventLoop(screen: screen)
    let chatScreen = try ChatScreen(
        chat: chat, options: options, keys: keys,
        theme: Theme(depth: screen.colors, unicode: options.unicode, background: screen.background), size: screen.size,
        now: loop.now)
    chatScreen.quit = { loop.stop() }
    chatScreen.copy = { try screen.copy($0) }
    chatScreen.toggleMouse = {
        screen.isMouseEnabled.toggle()
        return screen.isMouseEnabled
    }

    let observer = CommitObserver(chat.database) {
        chatScreen.followCommits()
        loop.redraw()
    }
    defer { observer.stop() }
    let end = loop.run(
        EventLoop.Handlers(
            onEvent: { chatScreen.handle($0) }, onBackground: { chatScreen.show(on: $0) },
            nextFrame: { chatScreen.nextTime() },
            draw: { now in
                chatScreen.runScript()
                chatScreen.attempt { try chatScreen.continueSearch() }
                return chatScreen.draw(now)
            }))
    screen.close()
    try chat.close()
    return end.exitCode
}
