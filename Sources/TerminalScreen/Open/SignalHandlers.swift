import Foundation

/// What the process does on the signals that ncurses would like to handle.
struct SignalHandlers {
    private let actions: [(number: Int32, action: sigaction)]

    static var current: SignalHandlers {
        SignalHandlers(
            actions: [SIGINT, SIGTERM, SIGTSTP, SIGWINCH].map { number in
                var action = sigaction()
                sigaction(number, nil, &action)
                return (number, action)
            })
    }

    func restore() {
        for (number, action) in actions {
            var action = action
            sigaction(number, &action, nil)
        }
    }
}
