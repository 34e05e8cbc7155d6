import Dispatch
import Foundation
import Testing

@testable import YapDatabase

/// Calls that would wait for themselves stop the program with a message.
@Suite struct NestedCallTests {
    @Test func aSyncReadInsideATransactionOfTheSameConnection() async {
        let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryDatabase { database throws in
                let connection = try database.newConnection()
                try connection.read { _ in try connection.read { _ in } }
            }
        }
        #expect(stopped.said("would wait for itself forever"))
    }

    @Test func aWriteInsideAWriteOfTheSameDatabase() async {
        let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryDatabase { database throws in
                let (first, second) = (try database.newConnection(), try database.newConnection())
                try first.readWrite { _ in try second.readWrite { _ in } }
            }
        }
        #expect(stopped.said("inside another one of the same database"))
    }

    @Test func anotherConnectionMayBeReadInsideATransaction() throws {
        try withTemporaryDatabase { database throws in
            let (first, second) = (try database.newConnection(), try database.newConnection())
            try first.readWrite { transaction throws in
                try transaction.setObject(1, forKey: "k")
                #expect(try second.read { try $0.object(forKey: "k") } == nil)
            }
        }
    }

    /// Runs calls on a second connection inside a write of the first one.
    private static func duringAWrite(
        _ body: @escaping (_ second: YapDatabaseConnection) throws -> Void
    ) throws {
        try withTemporaryDatabase { database throws in
            let (first, second) = (try database.newConnection(), try database.newConnection())
            try first.readWrite { _ in try body(second) }
        }
    }

    @Test func aSyncCallBehindAWriteThatWaitsForTheWriterWhoCalls() async {
        let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            alarm(20)
            try Self.duringAWrite { second in
                second.asyncReadWrite { try $0.setObject(1, forKey: "k") }
                // The write begins to wait, of which there is no sign; without that the test is the one below.
                usleep(100_000)
                try second.read { _ in }
            }
        }
        #expect(stopped.said("waits for this one to end"))
    }

    /// The write reaches the gate after the call began to wait.
    @Test func aSyncCallBehindAWriteThatIsStillInTheQueue() async {
        let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            alarm(20)
            try Self.duringAWrite { second in
                // Time is the subject: the write is behind this.
                second.asyncRead { _ in usleep(200_000) }
                second.asyncReadWrite { try $0.setObject(1, forKey: "k") }
                _ = second.ext("none")
            }
        }
        #expect(stopped.said("waits for this one to end"))
    }

    /// Reads in a circle, each on the connection that the next thread is inside.
    @Test(arguments: [2, 3]) func readsThatWaitForEachOther(count: Int) async {
        let stopped =
            count == 2
            ? await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                alarm(20)
                try Self.readInACircle(of: 2)
            }
            : await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                alarm(20)
                try Self.readInACircle(of: 3)
            }
        #expect(stopped.said("wait for each other in a cycle"))
    }

    private static func readInACircle(of count: Int) throws {
        try withTemporaryDatabase { database throws in
            let connections = try (0..<count).map { _ in try database.newConnection() }
            let isInside = (0..<count).map { _ in DispatchSemaphore(value: 0) }
            for number in 0..<count {
                Thread.detachNewThread {
                    try! connections[number].read { _ in
                        isInside[number].signal()
                        // Not before the next one is inside.
                        isInside[(number + 1) % count].wait()
                        try connections[(number + 1) % count].read { _ in }
                    }
                }
            }
            // The process ends before.
            sleep(30)
        }
    }

    @Test func callsThatEndAreLeftAlone() throws {
        let orders = Locked<[String]>([])
        @Sendable func note(_ what: String) { orders.withLock { $0.append(what) } }
        try withTemporaryDatabase { database throws in
            let (first, second) = (try database.newConnection(), try database.newConnection())
            try first.readWrite { _ in
                second.asyncRead { _ in
                    // Time is the subject: the others would overtake it.
                    usleep(50_000)
                    note("async read")
                }
                try second.read { _ in note("read") }
                second.asyncReadWrite { _ in note("async write") }
                second.asyncRead { _ in note("late read") }
            }
            try second.read { _ in note("last read") }
        }
        #expect(
            orders.withLock { $0 } == ["async read", "read", "async write", "late read", "last read"])
    }

    /// Writers and readers of many connections at once, each with reads of other connections inside its writes.
    @Test func readsInsideWritesNeverStopTheProgramByMistake() throws {
        try withTemporaryDatabase { database throws in
            let writers = try (0..<3).map { _ in try database.newConnection() }
            let readers = try (0..<2).map { _ in try database.newConnection() }
            DispatchQueue.concurrentPerform(iterations: 3) { number in
                for turn in 0..<60 {
                    try! writers[number].readWrite { transaction in
                        try transaction.setObject(turn, forKey: "k")
                        for reader in readers { _ = try reader.read { try $0.object(forKey: "k") } }
                    }
                    readers[turn % 2].asyncRead { _ in }
                }
            }
            #expect(try readers[0].read { try $0.object(forKey: "k") } as? Int == 59)
        }
    }
}
