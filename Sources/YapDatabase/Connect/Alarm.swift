import Dispatch
import Foundation

/// Runs a block on a queue of its own when a clock reaches the next of some dates or is set back, and again some time after a failure.
///
/// A clock takes no wake back. So a date that is set later, but comes sooner, sets the clock again, and the block finds nothing to do when the
/// other date comes.
final class Alarm: Sendable {
    private struct State {
        /// The next date at which the clock calls; nil if it has called.
        var date: Date?
        var isRetrying = false
        /// The time until the next attempt after a failure, in seconds.
        var pause = Alarm.firstPause
    }

    private static let firstPause = 1
    private static let maxPause = 64

    /// Where blocks run.
    let queue: DispatchQueue
    private let state = Locked(State())

    init(_ label: String) { queue = DispatchQueue(label: label) }

    /// Runs the block at a date, unless one runs by then anyway.
    func set(_ date: Date, _ clock: any YapClock, _ block: @escaping @Sendable () -> Void) {
        let now = clock.now
        let isSooner = state.withLock { state in
            if let set = state.date, set > now, set <= date { return false }
            state.date = date
            return true
        }
        guard isSooner else { return }
        clock.wakeEarly(ifSetBackBefore: date) { [weak self] in
            guard let self else { return }
            // If the clock calls early, the block sets the same date again.
            state.withLock { if $0.date == date { $0.date = nil } }
            queue.async(execute: block)
        }
    }

    /// Runs the block again after a failure: after a second of the system's time, and after twice that for each further failure, up to a minute.
    /// - Returns: when it runs, in words for a message.
    func retry(_ block: @escaping @Sendable () -> Void) -> String {
        let pause = state.withLock { state in
            guard !state.isRetrying else { return nil as Int? }
            state.isRetrying = true
            defer { state.pause = min(2 * state.pause, Self.maxPause) }
            return state.pause
        }
        guard let pause else { return "soon" }
        queue.asyncAfter(deadline: .now() + .seconds(pause)) { [weak self] in
            self?.state.withLock { $0.isRetrying = false }
            block()
        }
        return "in \(pause) s"
    }

    /// The next failure is the first again.
    func succeed() { state.withLock { $0.pause = Self.firstPause } }
}
