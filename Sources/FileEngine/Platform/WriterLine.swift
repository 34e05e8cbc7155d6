import Dispatch
import SQLiteBridge

/// The line in which the processes that write to a file wait for each other ([writers-in-line](../../../docs/decisions/writers-in-line.md)).
///
/// A process that has the turn writes for ``turn`` at most while others wait; then they come first, in the order in which they came. While
/// it writes nothing, another one may begin at once: a turn is no lock, and SQLite's lock alone decides who writes. So no process is waited
/// for that was stopped in line. Who waits and does not get further for ``patience`` tries out of turn.
///
/// Cost: a look at the clock for each transaction, and a system call for each turn. While processes wait, the first in line tries every
/// 0.3 ms, and the others look every millisecond.
package final class WriterLine: WriterTurns {
    /// In nanoseconds, as all times here. Short against what people notice, long against a commit and the change to another process.
    static let turn: UInt64 = 5_000_000
    /// More than a turn and a wait for a processor. Shorter for a while after it was needed: a process that was stopped stays so.
    static let patience: UInt64 = 20_000_000
    static let patienceAfterStop: UInt64 = 2_000_000
    static let memoryOfStop: UInt64 = 1_000_000_000
    /// After so long the first in line tries less often: the lock is held by a long transaction.
    private static let longWait: UInt64 = 50_000_000

    /// Not the owner: the presence ends when the file is closed, even while a handle has this.
    private let presence: Weak<Presence>
    private let now: @Sendable () -> UInt64
    private let state = Locked(State())

    private struct State {
        /// Whether a handle of this process begins to write.
        var isUsed = false
        var turnEnds: UInt64 = 0
        var chair: Int?
        var isWaiting = false
        var waitsSince: UInt64 = 0
        var movedAt: UInt64 = 0
        var stoppedUntil: UInt64 = 0
        var isImpatient = false
    }

    /// - Parameter now: the time in nanoseconds.
    init(_ presence: Presence, now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }) {
        self.presence = Weak(presence)
        self.now = now
    }

    /// Where this process sits, counted from the front; nil if it does not wait, or found no chair.
    var chair: Int? { state.withLock { $0.chair } }

    package func begin() -> Bool? {
        let now = now()
        return state.withLock { state in
            if state.isUsed { return nil }
            state.isUsed = true
            if now < state.turnEnds { return true }
            if presence.object?.hasWaiting == true { return false }
            state.turnEnds = now + Self.turn
            return true
        }
    }

    package func wait() {
        let now = now()
        state.withLock { state in
            state.chair = presence.object?.sitDown()
            (state.isWaiting, state.waitsSince, state.movedAt, state.isImpatient) = (true, now, now, false)
        }
    }

    package var pause: Int {
        let now = now()
        return state.withLock { state in
            let isFirst = state.chair == 0 && now < state.waitsSince + Self.longWait
            return isFirst ? 300 : 1_000
        }
    }

    package func moveUp() -> Bool {
        let now = now()
        return state.withLock { state in
            guard var chair = state.chair, let presence = presence.object else { return true }
            while chair > 0, presence.moveUp(from: chair) {
                chair -= 1
                (state.chair, state.movedAt, state.isImpatient) = (chair, now, false)
            }
            if chair == 0 { return true }
            let patience = now < state.stoppedUntil ? Self.patienceAfterStop : Self.patience
            guard now >= state.movedAt + patience else { return false }
            state.isImpatient = true
            return true
        }
    }

    package func end(hasBegun: Bool) {
        state.withLock { state in
            state.isUsed = false
            guard state.isWaiting else { return }
            let now = now()
            if let chair = state.chair { presence.object?.standUp(from: chair) }
            if hasBegun {
                state.turnEnds = now + Self.turn
                if state.isImpatient { state.stoppedUntil = now + Self.memoryOfStop }
            }
            (state.chair, state.isWaiting) = (nil, false)
        }
    }
}
