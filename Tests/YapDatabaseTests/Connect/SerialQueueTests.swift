import Dispatch
import TestSupport
import Testing

@testable import YapDatabase

@Suite struct SerialQueueTests {
    /// A value that the queues under test guard: unguarded uses at the same time lose increments, and the thread sanitizer sees them.
    private final class Guarded: @unchecked Sendable {
        // @unchecked: what is tested.
        var order: [Int] = []
        var count = 0
    }

    @Test func bodiesRunInTheOrderOfTheCalls() {
        let queue = SerialQueue("test", .connection)
        let guarded = Guarded()
        let isHeld = DispatchSemaphore(value: 0)
        queue.async { isHeld.wait() }
        for number in 0..<500 { queue.async { guarded.order.append(number) } }
        isHeld.signal()
        #expect(queue.sync { guarded.order } == Array(0..<500))
        // And after the queue had nothing to do.
        queue.async { guarded.order.append(500) }
        #expect(queue.sync { guarded.order.last } == 500)
    }

    @Test func aBodyThatThrowsEndsItsTurn() {
        struct Failure: Error {}
        let queue = SerialQueue("test", .connection)
        for _ in 0..<3 { #expect(throws: Failure.self) { try queue.sync { throw Failure() } } }
        #expect(queue.sync { queue.isEnteredByCurrentThread } && !queue.isEnteredByCurrentThread)
    }

    @Test func cancelledCallsEndTheirTurns() {
        let (queue, other) = (SerialQueue("test", .connection), SerialQueue("other", .writers))
        let guarded = Guarded()
        for number in 0..<10 {
            queue.async(inside: other, prepare: { number.isMultiple(of: 2) }, inTurn: { guarded.order.append(number) })
        }
        queue.sync {}
        #expect(other.sync { guarded.order } == [0, 2, 4, 6, 8])
    }

    @Test func noTwoBodiesRunAtOnce() async {
        let connections = [SerialQueue("a", .connection), SerialQueue("b", .connection)]
        let writers = SerialQueue("writers", .writers)
        let (owned, shared) = ([Guarded(), Guarded()], Guarded())
        let (threads, calls) = (4, 2_000)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<threads {
                group.addTask {
                    await withCheckedContinuation { done in
                        DispatchQueue(label: "caller").async {
                            var random = SplitMix64(seed: UInt64(thread))
                            for _ in 0..<calls {
                                let number = Int.random(in: 0..<2, using: &random)
                                let (queue, guarded) = (connections[number], owned[number])
                                switch Int.random(in: 0..<4, using: &random) {
                                case 0: queue.sync { guarded.count += 1 }
                                case 1: queue.async { guarded.count += 1 }
                                case 2:
                                    queue.sync {
                                        guarded.count += 1
                                        writers.sync { shared.count += 1 }
                                    }
                                default:
                                    queue.async(inside: writers, prepare: { true }) {
                                        guarded.count += 1
                                        shared.count += 1
                                    }
                                }
                            }
                            done.resume()
                        }
                    }
                }
            }
        }
        let counts = zip(connections, owned).map { queue, guarded in queue.sync { guarded.count } }
        #expect(counts.reduce(0, +) == threads * calls)
        let nested = writers.sync { shared.count }
        #expect(nested > threads * calls / 3 && nested < 2 * threads * calls / 3)
    }
}
