import Foundation

/// A lock around a value that threads acquire in the order in which they requested it.
///
/// With `Locked`, a thread that works in many short portions reacquires the lock before another thread wakes up.
final class TicketLock<Value>: @unchecked Sendable {
    // @unchecked: `value` is accessed only by the thread being served, the rest only while the condition is held.

    private let condition = NSCondition()
    private var value: Value
    private var nextTicket = 0
    private var served = 0

    init(_ value: sending Value) { self.value = value }

    /// The number of threads that wait at this moment.
    var waiting: Int {
        condition.lock()
        defer { condition.unlock() }
        return max(0, nextTicket - served - 1)
    }

    /// Calls `body` with the value. Not reentrant.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        condition.lock()
        let ticket = nextTicket
        nextTicket += 1
        while served != ticket { condition.wait() }
        condition.unlock()
        defer {
            condition.lock()
            served += 1
            condition.broadcast()
            condition.unlock()
        }
        return try body(&value)
    }
}
