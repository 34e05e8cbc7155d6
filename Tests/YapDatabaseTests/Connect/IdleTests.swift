import Dispatch
import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// What is done when `waitUntilIdle` returns.
@Suite struct IdleTests {
    @Test func writesOfAllConnectionsAreCommitted() async throws {
        try await withTemporaryDatabase { database in
            let connections = try (0..<4).map { _ in try database.newConnection() }
            for number in 0..<40 {
                connections[number % 4].asyncReadWrite { try $0.setObject(number, forKey: "\(number)") }
            }
            try await database.waitUntilIdle()
            #expect(connections.allSatisfy { $0.pendingTransactionCount == 0 })
            #expect(try await connections[0].read { try $0.numberOfKeys(inCollection: "") } == 40)
        }
    }

    @Test func registrationsAreDone() async throws {
        try await withTemporaryDatabase { database in
            let connection = try database.newConnection()
            try await connection.readWrite { for number in 0..<100 { try $0.setObject(number, forKey: "\(number)") } }
            database.asyncRegister(Item.view(), withName: "items") { (_: Result<Void, any Error>) in }
            try await database.waitUntilIdle()
            #expect(database.registeredExtension("items") != nil)
        }
    }

    /// A loop that writes in its body leads to commits, whose loops are waited for too.
    @Test func loopsAreThroughWithAllCommits() async throws {
        try await withTemporaryDatabase { database in
            try await database.register(Novel.order)
            let (writer, reader) = try (database.newConnection(), database.newConnection())
            let seen = Locked<[Int]>([])
            let begun = DispatchSemaphore(value: 0)
            let task = Task {
                for try await update in reader.updates(of: Novel.order) {
                    if update.rows.isEmpty { begun.signal() }
                    // A slow body.
                    for _ in 0..<20 { await Task.yield() }
                    let count = update.rows.count
                    if count > 0, count < 6 {
                        try await reader.readWrite { try $0[Novel.all].save(Novel(count, "title", .hall)) }
                    }
                    seen.withLock { $0.append(count) }
                }
            }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    begun.wait()
                    continuation.resume()
                }
            }
            try await writer.readWrite { try $0[Novel.all].save(Novel(0, "first", .hall)) }
            try await database.waitUntilIdle()
            #expect(seen.withLock { $0 } == [0, 1, 2, 3, 4, 5, 6])
            task.cancel()
            _ = await task.result
        }
    }

    /// The loop that asks would wait for itself.
    @Test func theLoopOfTheCallingTaskIsNotWaitedFor() async throws {
        try await withTemporaryDatabase { database in
            let connection = try database.newConnection()
            let commits = database.commits
            try await connection.readWrite { try $0.setObject(1, forKey: "k") }
            for await commit in commits {
                #expect(commit.snapshot == database.snapshot)
                try await database.waitUntilIdle()
                break
            }
            // Neither is a stream over which no loop runs any more, nor one that has not begun.
            let unused = database.commits
            try await connection.readWrite { try $0.setObject(2, forKey: "k") }
            try await Task.detached { try await database.waitUntilIdle() }.value
            withExtendedLifetime((commits, unused)) {}
        }
    }

    @MainActor @Test func modelsShowTheNewestCommitAndNotificationsArePosted() async throws {
        try await withTemporaryDatabase { database in
            try await database.register(Novel.order)
            let model = try YapListModel(Novel.order, in: database)
            let posted = Locked(0)
            let observer = NotificationCenter.default.addObserver(
                forName: .YapDatabaseModified, object: database, queue: nil
            ) { _ in posted.withLock { $0 += 1 } }
            defer { NotificationCenter.default.removeObserver(observer) }
            let task = Task { try await model.follow() }
            try await database.waitUntilIdle()
            let before = posted.withLock { $0 }
            let connection = try database.newConnection()
            for number in 1...20 {
                try await connection.readWrite { try $0[Novel.all].save(Novel(number, "title", .hall)) }
                try await database.waitUntilIdle()
                #expect(model.count == number && posted.withLock { $0 } == before + number)
            }
            task.cancel()
            _ = await task.result
        }
    }

    @Test func actionsThatAreDueHaveReturned() async throws {
        let clock = YapManualClock()
        var options = YapDatabaseOptions.forTests
        options.clock = clock
        try await withTemporaryDatabase(options: options) { database in
            let connection = try database.newConnection()
            let manager = YapDatabaseActionManager { _, key, object in
                guard let seconds = object as? Double else { return nil }
                return [
                    YapActionItem(
                        identifier: "expire", date: Date(timeIntervalSinceReferenceDate: seconds), retryTimeout: 0,
                        requiresInternet: false
                    ) { collection, key, _, _ in
                        connection.asyncReadWrite { try $0.removeObject(forKey: key, inCollection: collection) }
                    }
                ]
            }
            try await database.register(manager, withName: "actions")
            try await connection.readWrite { transaction in
                for key in 1...3 { try transaction.setObject(Double(60 * key), forKey: "\(key)") }
            }
            for left in (0...3).reversed() {
                try await database.waitUntilIdle()
                #expect(try await connection.read { try $0.numberOfKeys(inCollection: "") } == left)
                clock.advance(by: 60)
            }
        }
    }

    @Test func itEndsWithTheTaskAndWithTheDatabase() async throws {
        try await withTemporaryDatabase { database in
            let (begun, end) = (Locked(false), AsyncStream<Void>.makeStream())
            let busy = Task {
                for await _ in database.commits {
                    begun.withLock { $0 = true }
                    // A body that lasts until the test ends it.
                    for await _ in end.stream {}
                }
            }
            let connection = try database.newConnection()
            while !begun.withLock({ $0 }) {
                try await connection.readWrite { try $0.setObject(1, forKey: "k") }
                await Task.yield()
            }
            let waiting = Task { try await database.waitUntilIdle() }
            for _ in 0..<100 { await Task.yield() }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            end.continuation.finish()
            try await database.waitUntilIdle()
            busy.cancel()
            await busy.value
            try database.close()
            await #expect(throws: YapDatabaseError.self) { try await database.waitUntilIdle() }
        }
    }
}
