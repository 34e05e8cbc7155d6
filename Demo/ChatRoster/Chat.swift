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
    let observer = CommitObserver(chat.database) { _ in chatScreen.followCommits() }
    let end = loop.run(chatScreen)
    observer.stop()
    screen.close()
    // Pending writes are waited for; a signal may end the wait.
    if !chatScreen.state.composer.sending.isEmpty { Terminal.unblockSignals() }
    let closing = Result { try chat.close() }
    loop.drainMainQueue()
    let unsent = chatScreen.state.composer.unsent
    guard unsent.isEmpty else {
        throw UnsentMessages(lines: unsent, reason: chatScreen.state.screen.lastMessage?.text)
    }
    try closing.get()
    return end.exitCode
}
