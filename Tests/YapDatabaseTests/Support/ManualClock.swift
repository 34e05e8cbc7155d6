import Foundation

@testable import YapDatabase

/// A clock that a test sets.
final class ManualClock: YapActionClock {
    private let state = Locked(
        (now: Date(timeIntervalSinceReferenceDate: 1_000), wakes: [(Date, @Sendable () -> Void)]()))

    var now: Date { state.withLock { $0.now } }

    /// A date that has passed meanwhile is due at once, as no other advance may come.
    func wake(at date: Date, _ block: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            if state.now < date { state.wakes.append((date, block)) }
            return state.now >= date
        }
        if isDue { block() }
    }

    func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    func advance(to seconds: Double) {
        let due = state.withLock { state in
            state.now = Date(timeIntervalSinceReferenceDate: seconds)
            let due = state.wakes.filter { $0.0 <= state.now }
            state.wakes.removeAll { $0.0 <= state.now }
            return due
        }
        for (_, block) in due { block() }
    }
}
