import Foundation
import LiveTable

/// Runs the chat until the user quits, and returns the exit code.
///
/// - Throws: if there is no terminal, if a name or a script is wrong, if the file cannot be opened, and if a message could
///   not be stored before the end.
@MainActor public func runChat(_ options: ChatOptions) throws -> Int32 {
    let keys = try ChatKeys(options.keys)
    try options.checkScript()
    let screen = try Screen()
    defer { screen.close() }
    let loop = try EventLoop(screen: screen)
    var theme = Theme(depth: screen.colors, unicode: options.unicode, background: screen.background)
    let progress = Progress(totalUnitCount: -1)
    let opened = try loop.wait(
        for: { try openChat(options, progress) },
        draw: { time in
            let fraction = progress.totalUnitCount > 0 ? progress.fractionCompleted : nil
            guard let fraction else { return .opening(options.url.lastPathComponent, size: screen.size, theme: theme) }
            return filling(fraction, size: screen.size, theme: theme, at: time)
        })
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
    if !chatScreen.state.composer.outbox.isEmpty { Terminal.unblockSignals() }
    while chatScreen.state.composer.outbox.isSending {
        loop.drainMainQueue()
        // The pace at which the end of a commit is looked for.
        usleep(2_000)
    }
    chatScreen.leave()
    let pending = (try? chat.pendingSendings()) ?? []
    let closing = Result { try chat.close() }
    loop.drainMainQueue()
    if let unsent = UnsentMessages(chatScreen.state.composer, pending, of: chat.me) { throw unsent }
    try closing.get()
    return end.exitCode
}

/// Opens the file, with the people of the demo and the conversation that is asked for.
/// - Parameter isConfirmed: whether the server confirms each message before it is stored.
func openChat(
    _ options: ChatOptions, _ progress: Progress? = nil, isConfirmed: Bool = false
) throws -> ChatDatabase {
    let chat = try ChatDatabase(
        url: options.url, as: options.name, progress: progress, group: options.group, isConfirmed: isConfirmed,
        open: options.open,
        serverDelay: options.serverDelay, serverTime: options.serverTime)
    let me = chat.me
    // What is there already needs no write, which a server out of reach would refuse.
    let isThere = try chat.writer.read { transaction in
        guard let other = options.other else { return true }
        return try transaction.seat(of: me, in: transaction.conversation(named: other, by: me).id) != nil
    }
    if options.traffic == .demo {
        try chat.writer.readWrite { try $0.bringDemo(seed: options.seed, with: me, now: chat.now) }
    }
    guard let other = options.other, !isThere else { return chat }
    let wanted = try chat.writer.read { try $0.conversation(toOpen: other, by: me) }
    if case .room = wanted { try chat.carryOutNow(.join(wanted)) } else { try chat.carryOutNow(.open(wanted)) }
    return chat
}

/// The screen while the views of a file are filled for the first time.
private func filling(_ fraction: Double, size: (width: Int, height: Int), theme: Theme, at time: Double) -> Grid {
    var grid = Grid(width: size.width, height: size.height)
    var table = Table(options: TableOptions(theme: theme))
    table.progress = Table.Progress("Sorting the messages of this file, once", fraction: fraction)
    table.draw(into: &grid, in: grid.bounds, at: time)
    return grid
}
