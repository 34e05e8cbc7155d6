import Foundation
import TerminalScreen

/// Runs the body with the event loop's signals blocked, and unblocks them afterwards.
@MainActor func withBlockedSignals<Value>(_ body: () throws -> Value) rethrows -> Value {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    Terminal.blockSignals()
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
}
