import Foundation

/// Keeps ncurses from handling signals, which the event loop handles.
enum SignalHandlers {
    private static let wantedByCurses = [SIGINT, SIGTERM, SIGTSTP, SIGWINCH]

    /// Runs `body` while all signals seem to have handlers. ncurses takes over every signal without one. In particular
    /// it would ignore SIGTSTP during each frame, and ignoring a signal discards a pending one.
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
