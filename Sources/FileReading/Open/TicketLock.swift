import Foundation

/// A value that threads touch one after the other, in the order in which they came.
///
/// With `Locked` a thread that works in many short portions takes the lock again before anybody else wakes up.
final class TicketLock<Value>: @unchecked Sendable {
    // @unchecked: `value` is touched only by whoever is served, the rest only while the condition is held.

    private let condition = NSCondition()
    private var value: Value
    private var nextTicket = 0
    private var served = 0

    init(_ value: sending Value) { self.value = value }

    /// How many wait at this moment.
    var waiting: Int {
        condition.lock()
        defer { condition.unlock() }
        return max(0, nextTicket - served - 1)
    }

    /// Not to be called inside `body` again.
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
