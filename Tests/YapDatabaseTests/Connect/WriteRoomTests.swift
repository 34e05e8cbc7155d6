import FileEngine
import Foundation
import Synchronization
import TestTraits
import Testing

@testable import YapDatabase

/// A caller that writes faster than the file takes it.
@Suite(.ends(within: 300)) struct WriteRoomTests {
    @Test func aFullQueueOfWritesLetsTheCallerWaitAndLosesNothing() throws {
        var options = YapDatabaseOptions.forTests
        options.pendingWriteLimit = 20
        try withTemporaryDatabase(options: options) { database throws in
            let (connection, holder) = (try database.newConnection(), try database.newConnection())
            let (isHeld, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            holder.asyncReadWrite { _ in
                isHeld.signal()
                release.wait()
            }
            isHeld.wait()
            let called = Atomic(0)
            Thread.detachNewThread {
                for number in 0..<100 {
                    connection.asyncReadWrite { transaction in
                        try transaction.setObject("v", forKey: "\(number)", inCollection: "c")
                        // A transaction never waits for room in its own queue.
                        if number == 50 {
                            for inner in 0..<40 {
                                connection.asyncReadWrite {
                                    try $0.setObject("v", forKey: "inner \(inner)", inCollection: "c")
                                }
                            }
                        }
                    }
                    called.add(1, ordering: .releasing)
                }
            }
            try waitUntil("the queue is full") { called.load(ordering: .acquiring) == 20 }
            // A while in which nothing happens is the subject.
            for _ in 0..<20 {
                usleep(5_000)
                #expect(called.load(ordering: .acquiring) == 20 && connection.pendingTransactionCount == 20)
            }
            release.signal()
            try waitUntil("all are written") {
                called.load(ordering: .acquiring) == 100 && connection.pendingTransactionCount == 0
            }
            #expect(try connection.read { try $0.numberOfKeys(inCollection: "c") } == 140)
        }
    }
}
