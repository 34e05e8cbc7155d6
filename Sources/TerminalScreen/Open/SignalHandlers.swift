import Foundation

/// Keeps ncurses from handling signals, which the event loop does.
enum SignalHandlers {
    private static let wantedByCurses = [SIGINT, SIGTERM, SIGTSTP, SIGWINCH]

    /// ncurses takes what has no handler. Above all it would ignore SIGTSTP during every frame, and to ignore a signal is
    /// to lose the one that waits to be read. So all have a handler while it looks.
    static func hidden<Result>(while body: () throws(TerminalError) -> Result) throws(TerminalError) -> Result {
        let before = wantedByCurses.map { number in
            var placeholder = sigaction()
            placeholder.__sigaction_handler.sa_handler = { _ in }
            var action = sigaction()
            sigaction(number, &placeholder, &action)
            return (number, action)
        }
        defer {
            for (number, action) in before {
                var action = action
                sigaction(number, &action, nil)
            }
        }
        return try body()
    }
}
