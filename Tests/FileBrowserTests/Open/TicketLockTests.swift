import Dispatch
import Testing

@testable import FileBrowser

@Suite struct TicketLockTests {
    /// Who works in many short portions lets those in between who came meanwhile, each in turn.
    @Test func whoWaitsIsServedInTheOrderOfComing() {
        let lock = TicketLock<[Int]>([])
        let others = DispatchGroup()
        lock.withLock { order in
            order.append(0)
            for number in 1...5 {
                DispatchQueue(label: "TicketLockTests \(number)").async(group: others) {
                    lock.withLock { $0.append(number) }
                }
                while lock.waiting < number {}
            }
        }
        lock.withLock { $0.append(6) }
        others.wait()
        #expect(lock.withLock { $0 } == [0, 1, 2, 3, 4, 5, 6])
    }
}
