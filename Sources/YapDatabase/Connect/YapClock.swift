import Dispatch
import Foundation
import Synchronization

/// What tells a database the time: ``YapDatabaseOptions/clock``.
///
/// The dates of actions (``YapDatabaseActionManager``) and of holds and retries (``YapDatabaseCloudCore``) are compared with it. Nothing that
/// is stored depends on it, and neither do waits for locks and disks, which are always in the system's time.
public protocol YapClock: Sendable {
    /// The present time of the clock.
    var now: Date { get }
    /// Calls the block once, at the date or later, on any thread.
    /// - Parameters:
    ///   - date: when to call the block.
    ///   - block: called once, on any thread.
    func wake(at date: Date, _ block: @escaping @Sendable () -> Void)
    /// Calls the block once, at the date or later, and early if the clock is set back before: what waits only for some seconds then looks at the
    /// time again. By default as ``wake(at:_:)``.
    /// - Parameters:
    ///   - date: when to call the block.
    ///   - block: called once, on any thread.
    func wakeEarly(ifSetBackBefore date: Date, _ block: @escaping @Sendable () -> Void)
}

extension YapClock {
    public func wakeEarly(ifSetBackBefore date: Date, _ block: @escaping @Sendable () -> Void) { wake(at: date, block) }
}

/// The clock of the system.
public struct YapSystemClock: YapClock {
    /// Creates the clock of the system.
    public init() {}

    /// The present time.
    public var now: Date { Date() }

    public func wake(at date: Date, _ block: @escaping @Sendable () -> Void) {
        wake(at: date, block, looksEvery: 86_400)
    }

    /// Calls the block once, at the date or later, and early if the clock is set back before, on any thread. Notices that it was set back when as many
    /// seconds have passed as the date was away, or after a day.
    /// - Parameters:
    ///   - date: when to call the block.
    ///   - block: called once, on any thread.
    public func wakeEarly(ifSetBackBefore date: Date, _ block: @escaping @Sendable () -> Void) {
        let rest = min(max(0, date.timeIntervalSince(now)), 86_400)
        let planned = now + rest
        let isCalled = Atomic(false)
        let look: @Sendable () -> Void = {
            guard !isCalled.exchange(true, ordering: .relaxed) else { return }
            let now = now
            // A timer may be early by a moment.
            let isSetBack = now < planned - 0.01
            if now < date, !isSetBack { wakeEarly(ifSetBackBefore: date, block) } else { block() }
        }
        // The first one does not count while the system sleeps, and the second one waits for the date of a clock that is set back.
        DispatchQueue.global().asyncAfter(deadline: .now() + rest, execute: look)
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + rest, execute: look)
    }

    /// - Parameter longest: the most seconds to wait at once, because a date may be too far for a timer.
    func wake(at date: Date, _ block: @escaping @Sendable () -> Void, looksEvery longest: Double) {
        let rest = max(0, date.timeIntervalSince(now))
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + min(rest, longest)) {
            // Also if the system's clock was set back meanwhile.
            if now < date { wake(at: date, block, looksEvery: longest) } else { block() }
        }
    }
}

extension YapClock where Self == YapSystemClock {
    /// The clock of the system.
    public static var system: YapSystemClock { YapSystemClock() }
}

/// A clock that a test moves by hand.
///
/// ```swift
/// let clock = YapManualClock()
/// var options = YapDatabaseOptions()
/// options.clock = clock
/// let database = try YapDatabase.inMemory(options: options)
/// clock.advance(by: 3_600)   // what was due in this hour is called
/// try await database.waitUntilIdle()
/// ```
public final class YapManualClock: YapClock {
    private struct Wake {
        let date: Date
        let isCalledIfSetBack: Bool
        let block: @Sendable () -> Void
    }

    private let state: Locked<(now: Date, wakes: [Wake])>

    /// Creates a clock that stands.
    /// - Parameter now: its time; 1 January 2001 unless given, so that each run of a test has the same dates.
    public init(_ now: Date = Date(timeIntervalSinceReferenceDate: 0)) { state = Locked((now, [])) }

    /// The time at which the clock stands. May be read from any thread.
    public var now: Date { state.withLock { $0.now } }

    /// Calls the block when the clock has been moved to the date, on the thread that moves it; at once if it stands there or later.
    /// - Parameters:
    ///   - date: when to call the block.
    ///   - block: called once.
    public func wake(at date: Date, _ block: @escaping @Sendable () -> Void) { add(date, false, block) }

    public func wakeEarly(ifSetBackBefore date: Date, _ block: @escaping @Sendable () -> Void) {
        add(date, true, block)
    }

    private func add(_ date: Date, _ isCalledIfSetBack: Bool, _ block: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            if state.now < date {
                state.wakes.append(Wake(date: date, isCalledIfSetBack: isCalledIfSetBack, block: block))
            }
            return state.now >= date
        }
        if isDue { block() }
    }

    /// Moves the clock on. See ``set(to:)``.
    /// - Parameter seconds: by how much; not negative.
    public func advance(by seconds: TimeInterval) { set(to: now + max(0, seconds)) }

    /// Moves the clock to a date, also an earlier one, and calls what is due by then, in the order of the dates, on the calling thread. What
    /// these blocks begin on queues is not waited for: ``YapDatabase/waitUntilIdle()`` does that.
    public func set(to date: Date) {
        let due = state.withLock { state in
            let isSetBack = date < state.now
            state.now = date
            func isDue(_ wake: Wake) -> Bool { wake.date <= date || isSetBack && wake.isCalledIfSetBack }
            let due = state.wakes.filter(isDue)
            state.wakes.removeAll(where: isDue)
            return due
        }
        for wake in due.sorted(by: { $0.date < $1.date }) { wake.block() }
    }
}
