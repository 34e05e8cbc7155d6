import Foundation
import Testing

@testable import YapDatabase

/// Async writers that wait for another writer.
@Suite struct WaitingWriterTests {
    private static let writers = 100

    /// Runs the body while a transaction of another connection holds the turn of the writers.
    private func whileAnotherWrites(
        _ database: YapDatabase, _ body: @Sendable ([YapDatabaseConnection]) async throws -> Void
    ) async throws {
        let connections = try (0..<Self.writers).map { _ in try database.newConnection() }
        let holder = try database.newConnection()
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let thread = Thread {
            try? holder.readWrite { _ in
                begun.signal()
                end.wait()
            }
        }
        thread.start()
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                begun.wait()
                done.resume()
            }
        }
        defer { end.signal() }
        try await body(connections)
    }

    @Test(.timeLimit(.minutes(2))) func cancelledCallsLeaveTheQueueAtOnce() async throws {
        try await withTemporaryDatabase { database in
            try await whileAnotherWrites(database) { connections in
                let tasks = connections.map { connection in
                    Task { try await connection.readWrite { try $0.setObject("x", forKey: "k") } }
                }
                for task in tasks { task.cancel() }
                // The other writer still has its turn.
                for task in tasks {
                    let result = await task.result
                    #expect(throws: CancellationError.self) { try result.get() }
                }
            }
            let connection = try database.newConnection()
            try await connection.readWrite { try $0.setObject("y", forKey: "last") }
            let keys = try await connection.read { try $0.allKeys(inCollection: nil) }
            #expect(keys == ["last"])
        }
    }

    @Test(.timeLimit(.minutes(2))) func oneThatWasCancelledBeforeDoesNotBegin() async throws {
        try await withTemporaryDatabase { database in
            let connection = try database.newConnection()
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await connection.readWrite { try $0.setObject("x", forKey: "k") }
            }
            let result = await task.result
            #expect(throws: CancellationError.self) { try result.get() }
            let count = try await connection.read { try $0.numberOfKeysInAllCollections() }
            #expect(count == 0)
        }
    }

    /// In a process of its own, whose threads are counted.
    @Test func writersThatWaitHoldNoThread() async {
        await #expect(processExitsWith: .success) {
            alarm(100)
            try await WaitingWriterTests().countThreads()
        }
    }

    private func countThreads() async throws {
        try await withTemporaryDatabase { database in
            let done = Locked(0)
            try await whileAnotherWrites(database) { connections in
                let before = try threads()
                for connection in connections {
                    connection.asyncReadWrite({ try $0.setObject("x", forKey: "k") }, completionQueue: .global()) {
                        done.withLock { $0 += 1 }
                    }
                }
                // Threads that have nothing to do any more go away after five seconds.
                var (most, patience) = (Int.max, Patience())
                while most > before + 1, patience.next() {
                    try await Task.sleep(for: .milliseconds(Patience.milliseconds))
                    most = try threads()
                }
                precondition(most <= before + 1, "\(connections.count) waiting writers hold \(most - before) threads")
                precondition(done.withLock { $0 } == 0, "a writer did not wait")
            }
            try waitUntil("All have written") { done.withLock { $0 } == Self.writers }
        }
    }

    private func threads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }
}
