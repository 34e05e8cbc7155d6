import Foundation
import Testing

@testable import YapDatabase

@Suite struct AsyncTransactionTests {
    @Test func theCompletionBlockGetsWhatTheClosureReturnedOrTheError() async throws {
        struct Refused: Error {}
        try await withTemporaryDatabase { database in
            let connection = try database.newConnection()
            let written = await withCheckedContinuation { done in
                connection.asyncReadWrite({ transaction in
                    try transaction.setObject("x", forKey: "k")
                    return 7
                }) { (result: Result<Int, any Error>) in done.resume(returning: (try? result.get(), isOnMainQueue())) }
            }
            #expect(written == (7, true))
            let read = await withCheckedContinuation { done in
                connection.asyncRead({ try $0.object(forKey: "k") as? String }) {
                    (result: Result<String?, any Error>) in
                    done.resume(returning: try? result.get())
                }
            }
            #expect(read == "x")
            let isRefused = await withCheckedContinuation { done in
                connection.asyncRead({ _ in throw Refused() }) { (result: Result<Void, any Error>) in
                    if case .failure(is Refused) = result {
                        done.resume(returning: true)
                    } else {
                        done.resume(returning: false)
                    }
                }
            }
            #expect(isRefused)
        }
    }

    @Test func aBlockThatAsksForNothingIsCalledAndTheErrorGoesToTheHandler() async throws {
        struct Refused: Error {}
        let (errors, told) = AsyncStream<String>.makeStream()
        var options = YapDatabaseOptions.forTests
        options.asyncErrorHandler = { told.yield("\(type(of: $0))") }
        try await withTemporaryDatabase(options: options) { database in
            let connection = try database.newConnection()
            let queue = DispatchQueue(label: "completions")
            await withCheckedContinuation { done in
                connection.asyncReadWrite(
                    { try $0.setObject(1, forKey: "k") }, completionQueue: queue,
                    completionBlock: {
                        dispatchPrecondition(condition: .onQueue(queue))
                        done.resume()
                    })
            }
            await withCheckedContinuation { done in
                connection.asyncRead({ _ in throw Refused() }, completionBlock: { done.resume() })
            }
            connection.asyncReadWrite { _ in throw Refused() }
            var count = 0
            for await error in errors {
                #expect(error == "Refused")
                count += 1
                if count == 2 { break }
            }
        }
    }

    @Test func transactionsRunInTheOrderOfTheCallsAndFlushComesAfterThem() async throws {
        try await withTemporaryDatabase { database in
            let connection = try database.newConnection()
            let seen = Locked<[Int]>([])
            let hold = DispatchSemaphore(value: 0)
            connection.asyncRead { _ in hold.wait() }
            for number in 0..<5 { connection.asyncReadWrite { _ in seen.withLock { $0.append(number) } } }
            #expect(connection.pendingTransactionCount == 6)
            hold.signal()
            await withCheckedContinuation { done in
                connection.flushTransactions { done.resume() }
            }
            #expect(seen.withLock { $0 } == [0, 1, 2, 3, 4])
            #expect(try await connection.read { _ in 1 } == 1)
        }
    }

    @Test func vacuumLaterAnswersToo() async throws {
        try await withTemporaryDatabase { database in
            let connection = try database.newConnection()
            let error = await withCheckedContinuation { done in connection.asyncVacuum { done.resume(returning: $0) } }
            #expect(error == nil)
        }
    }

    @Test func aTaskThatWaitsForAnExtensionGoesOnWhenItIsThere() async throws {
        try await withTemporaryDatabase { database in
            async let found = database.waitForExtension("late")
            try await database.register(RecordingExtension(), withName: "late", config: YapDatabaseConnectionConfig())
            let late = try await found
            #expect(late === database.registeredExtension("late"))
            #expect(try await database.waitForExtension("late") === late)
            await withCheckedContinuation { done in
                database.asyncUnregisterExtension(withName: "late") { done.resume() }
            }
            #expect(database.registeredExtension("late") == nil)
            let never = Task { try await database.waitForExtension("never") }
            try database.close()
            await #expect(throws: YapDatabaseError.self) { try await never.value }
        }
    }

    @Test func aFrozenConnectionThatMustNotWriteStopsTheProgramWhenItDoes() async {
        let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryDatabase { database in
                let connection = try database.newConnection()
                connection.name = "interface"
                connection.enableExceptionsForImplicitlyEndingLongLivedReadTransaction()
                try connection.beginLongLivedReadTransaction()
                try connection.readWrite { _ in }
            }
        }
        #expect(stopped.said("long-lived read transaction of the connection \"interface\""))
    }

    @Test func aFrozenConnectionMayWriteWhereThatIsAllowedAgain() throws {
        try withTemporaryDatabase { database in
            let connection = try database.newConnection()
            #expect(connection.name == nil)
            connection.enableExceptionsForImplicitlyEndingLongLivedReadTransaction()
            connection.disableExceptionsForImplicitlyEndingLongLivedReadTransaction()
            try connection.beginLongLivedReadTransaction()
            try connection.readWrite { try $0.setObject(1, forKey: "k") }
            #expect(!connection.isInLongLivedReadTransaction())
        }
    }

    /// It need not wait until the other process is done.
    @Test func aCancelledWriteDoesNotWaitForAnotherProcess() async throws {
        try await withTemporaryDatabase { database in
            let connection = try database.newConnection()
            let other = try foreignProgram(database.databaseURL)
            try other.execute("BEGIN IMMEDIATE")
            let writing = Task { try await connection.readWrite { try $0.setObject(1, forKey: "a") } }
            try waitUntil("The write waits") { database.writeGate.queue.isEntered }
            let start = ContinuousClock.now
            writing.cancel()
            await #expect(throws: CancellationError.self) { try await writing.value }
            // Less than it would have waited; no claim about speed.
            #expect(ContinuousClock.now - start < .milliseconds(database.options.busyTimeout))
            try other.execute("COMMIT")
            try await connection.readWrite { try $0.setObject(2, forKey: "a") }
            #expect(try await connection.read { try $0.object(forKey: "a") as? Int } == 2)
        }
    }
}
