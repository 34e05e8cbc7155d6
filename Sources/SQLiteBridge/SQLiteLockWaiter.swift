import CSQLite
import Dispatch
import Synchronization

/// How a handle waits for locks of other connections: in steps that become longer, up to a time, or until another thread ends it.
public final class SQLiteLockWaiter: Sendable {
    /// In milliseconds, as SQLite's own.
    private static let steps = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

    /// In milliseconds.
    private let patience: Int
    private let state = Mutex(State.idle)
    private let ending = DispatchSemaphore(value: 0)
    /// Unsafe: only the thread that uses the handle accesses it, SQLite's call of the handler included.
    @exclusivity(unchecked) private nonisolated(unsafe) var line = Line()

    /// A wait for the lock of writers, in which other processes have their turns.
    private struct Line {
        var turns: (any WriterTurns)?
        /// Whether this handle has asked for a turn.
        var isWaiting = false
        /// In microseconds.
        var waited = 0
    }

    private enum State {
        /// No other thread may end the waiting.
        case idle
        case mayEnd
        case ended
        /// The transaction has begun. Another attempt may wait again.
        case begun
        /// The transaction has begun, and no other attempt is wanted.
        case begunForTheLastTime
    }

    init(patience: Int) { self.patience = patience }

    /// From now on, ``end()`` ends the waiting.
    public func allowEnd() { state.withLock { $0 = .mayEnd } }

    /// Lets ``end()`` stop the wait of another attempt after ``disallowEnd()``. An ``end()`` that came meanwhile takes effect.
    public func allowEndAgain() {
        state.withLock { state in
            switch state {
            case .begun: state = .mayEnd
            case .begunForTheLastTime: state = .ended
            case .idle, .mayEnd, .ended: break
            }
        }
    }

    /// From now on, ``end()`` does nothing before ``allowEndAgain()``.
    public func disallowEnd() { state.withLock { if case .mayEnd = $0 { $0 = .begun } } }

    /// Forgets that it was ended, for the next who waits.
    public func reset() { state.withLock { $0 = .idle } }

    /// Makes a statement that waits for a lock fail at once, and one that begins to wait. From any thread.
    public func end() {
        let isWaiting = state.withLock { state in
            if case .begun = state { state = .begunForTheLastTime }
            guard case .mayEnd = state else { return false }
            state = .ended
            return true
        }
        if isWaiting { ending.signal() }
    }

    /// Whether ``end()`` took effect since it was allowed.
    public var wasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

    /// - Parameter attempt: how often the lock was waited for already.
    /// - Returns: whether to try again.
    public func wait(_ attempt: Int) -> Bool {
        if wasEnded { return false }
        if let turns = line.turns { return wait(for: turns) }
        let step = Self.steps[min(attempt, Self.steps.count - 1)]
        let waited =
            Self.steps.prefix(attempt).reduce(0, +) + max(0, attempt - Self.steps.count)
            * Self.steps[Self.steps.count - 1]
        let time = min(step, patience - waited)
        guard time > 0 else { return false }
        return sleep(.milliseconds(time))
    }

    /// - Returns: false if it was ended.
    private func sleep(_ time: DispatchTimeInterval) -> Bool {
        // An end that came when there was nothing to wait for has left its signal.
        while ending.wait(timeout: .now() + time) == .success { if wasEnded { return false } }
        return true
    }

    func wait(for handle: OpaquePointer) {
        sqlite3_busy_handler(
            handle,
            { context, attempt in
                Unmanaged<SQLiteLockWaiter>.fromOpaque(context!).takeUnretainedValue().wait(Int(attempt)) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}

// MARK: Turns of writers

extension SQLiteLockWaiter {
    /// Until ``endTurn(hasBegun:)`` the handle waits in line with the writers of other processes. Waits for the turn, if others
    /// come first.
    public func beginTurn(_ turns: any WriterTurns) {
        // One that does not wait has no need of a turn.
        guard patience > 0, let mayTry = turns.begin() else { return }
        line = Line(turns: turns)
        // After a wait that ended early, the attempt to take the lock says so.
        if !mayTry { _ = wait(for: turns) }
    }

    public func endTurn(hasBegun: Bool) {
        guard let turns = line.turns else { return }
        line = Line()
        turns.end(hasBegun: hasBegun)
    }

    /// Waits in line until it is time to try.
    private func wait(for turns: any WriterTurns) -> Bool {
        if !line.isWaiting { turns.wait() }
        line.isWaiting = true
        repeat {
            let pause = turns.pause
            line.waited += pause
            guard line.waited <= 1_000 * patience, !wasEnded, sleep(.microseconds(pause)) else { return false }
        } while !turns.moveUp()
        return true
    }
}
