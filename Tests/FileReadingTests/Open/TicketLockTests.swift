import Dispatch
import Testing

@testable import FileReading

@Suite struct TicketLockTests {
    /// A thread that works in many short portions lets waiting threads run in between, each in turn.
    @Test func whoWaitsIsServedInTheOrderOfComing() throws {
        let lock = TicketLock<[Int]>([])
        let others = DispatchGroup()
        try lock.withLock { order in
            order.append(0)
            for number in 1...5 {
                DispatchQueue(label: "TicketLockTests \(number)").async(group: others) {
                    lock.withLock { $0.append(number) }
                }
                try waitUntil("Number \(number) waits") { lock.waiting >= number }
            }
        }
        lock.withLock { $0.append(6) }
        try others.wait(for: "The others have been served")
        #expect(lock.withLock { $0 } == [0, 1, 2, 3, 4, 5, 6])
    }
}
