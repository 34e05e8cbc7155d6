import Foundation

/// Runs a closure before signals end the process.
struct EndSignals {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]
    private let sources: [any DispatchSourceSignal]

    /// From now on a signal calls `cleanUp`, on another thread, and then ends the process by its default action.
    /// Unblocks the signals that were blocked for a screen.
    ///
    /// Writing to a closed pipe becomes an error instead of a signal: see ``end(by:)``.
    package init(cleanUp: @escaping @Sendable () -> Void) {
        Self.setMask(SIG_SETMASK, Self.numbers)
        signal(SIGPIPE, SIG_IGN)
        sources = Self.numbers.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                cleanUp()
                Self.end(by: number)
            }
            source.activate()
            return source
        }
    }

    /// Removes the closure.
    package func cancel() {
        for source in sources { source.cancel() }
        Self.setMask(SIG_UNBLOCK, Self.numbers)
    }

    /// Ends the process by a signal, so that a shell sees the cause.
    package static func end(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        setMask(SIG_UNBLOCK, [number])
        kill(getpid(), number)
        // Another thread may get the signal; the process ends in any case.
        while true { pause() }
    }

    private static func setMask(_ how: Int32, _ numbers: [Int32]) {
        var mask = sigset_t()
        sigemptyset(&mask)
        for number in numbers { sigaddset(&mask, number) }
        pthread_sigmask(how, &mask, nil)
    }
}
