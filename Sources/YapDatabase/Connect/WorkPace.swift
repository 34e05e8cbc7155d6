import Dispatch
import FileEngine

/// Keeps work that is done again and again below a tenth of the time: after work that took t, the next begins 9 t later at the earliest.
///
/// For work that holds the turn of the writers for a time that grows with the file: what comes meanwhile is done together. Of any thread. The work is
/// not begun twice at a time by itself; it is meant for one serial queue.
final class WorkPace: Sendable {
    private static let rest = 9
    /// However long the work took.
    private static let longestWait = Duration.seconds(5)

    private let next = Locked<ContinuousClock.Instant?>(nil)
    private let ending = DispatchSemaphore(value: 0)

    /// Waits until the work may begin, or until ``end()``. Work that has nothing to do need not be measured, and delays nothing.
    func wait() {
        guard let next = next.withLock({ $0 }) else { return }
        let left = ContinuousClock.now.duration(to: next)
        guard left > .zero else { return }
        let (seconds, attoseconds) = min(left, Self.longestWait).components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        if ending.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success { ending.signal() }
    }

    /// Does the work at once and notes how long it took.
    @discardableResult
    func measure<T>(_ work: () throws -> T) rethrows -> T {
        let start = ContinuousClock.now
        defer {
            let end = ContinuousClock.now
            next.withLock { $0 = end + start.duration(to: end) * Self.rest }
        }
        return try work()
    }

    /// Waits no more, now and later.
    func end() { ending.signal() }
}
