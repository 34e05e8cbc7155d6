import Foundation
import LiveTable

/// Runs the chat until the user quits, and returns the exit code.
///
/// - Throws: if there is no terminal, if the file cannot be opened, and if a message could not be stored before the
///   end.
@MainActor public func runChat(_ options: ChatOptions) throws -> Int32 {
    let keys = try ChatKeys(options.keys)
    let screen = try Screen()
    defer { screen.close() }
    let loop = try EventLoop(screen: screen)
    var theme = Theme(depth: screen.colors, unicode: options.unicode, background: screen.background)
    let opened = try loop.wait(
        for: {
            let chat = try ChatDatabase(url: options.url)
            try chat.populate(Cast.buddies(now: Date()), Cast.history(seed: options.seed, now: Date()))
            return chat
        }, draw: { _ in .opening(options.url.lastPathComponent, size: screen.size, theme: theme) })
    guard case .done(let chat) = opened else {
        if case .ended(let end) = opened { return end.exitCode }
        return 1
    }
    theme.background = screen.background
    let chatScreen = try ChatScreen(
        chat: chat, options: options, keys: keys, theme: theme, size: screen.size, now: loop.now)
    let end = run(chatScreen, on: loop)
    screen.close()
    // Pending writes are waited for; a signal may end the wait.
    if !chatScreen.sending.isEmpty { Terminal.unblockSignals() }
    let closing = Result { try chat.close() }
    loop.drainMainQueue()
    let unsent = chatScreen.unsent
    guard unsent.isEmpty else { throw UnsentMessages(lines: unsent, reason: chatScreen.lastFailure) }
    try closing.get()
    return end.exitCode
}

@MainActor private func run(_ chatScreen: ChatScreen, on loop: EventLoop) -> LoopEnd {
    let screen = loop.screen
    chatScreen.quit = { loop.stop() }
    chatScreen.copy = { try screen.copy($0) }
    chatScreen.toggleMouse = {
        screen.isMouseEnabled.toggle()
        return screen.isMouseEnabled
    }
    chatScreen.changed = { loop.redraw() }
    let observer = CommitObserver(chatScreen.chat.database) { _ in
        chatScreen.followCommits()
        loop.redraw()
    }
    defer { observer.stop() }
    return loop.run(
        EventLoop.Handlers(
            onEvent: { chatScreen.handle($0) }, onBackground: { chatScreen.show(on: $0) },
            nextFrame: { chatScreen.nextTime() },
            draw: { now in
                chatScreen.runScript()
                chatScreen.attempt { try chatScreen.continueSearch() }
                return chatScreen.draw(now)
            }))
}
