import Dispatch
import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import YapDatabase

/// Clocks call at a date or later, whatever the longest wait of a timer is; who waits for a date goes on waiting where a clock calls early.
@Suite struct AlarmTests {
    /// A day is a few milliseconds here.
    @Test func theSystemsClockCallsOnceAndNotBeforeTheDate() async {
        for seconds in [0.0, 0.02, 0.3] {
            let date = Date() + seconds
            let calls = Locked<[Date]>([])
            await withCheckedContinuation { done in
                YapSystemClock().wake(
                    at: date,
                    {
                        calls.withLock { $0.append(Date()) }
                        done.resume()
                    }, looksEvery: 0.01)
            }
            #expect(calls.withLock { $0.count == 1 && $0[0] >= date }, "after \(seconds) s")
        }
    }

    @Test func theSystemsClockCallsOnceWhereItMayBeSetBack() async throws {
        for seconds in [-5, 0.0, 0.02, 0.3] {
            let date = Date() + seconds
            let calls = Locked<[Date]>([])
            YapSystemClock().wakeEarly(ifSetBackBefore: date) { calls.withLock { $0.append(Date()) } }
            try await Task.sleep(for: .seconds(max(0, seconds) + 0.3))
            #expect(calls.withLock { $0.count == 1 && $0[0] >= date - 0.01 }, "after \(seconds) s")
        }
    }

    /// Calls whenever the test wants it.
    private final class EarlyClock: YapClock {
        let now = Date(timeIntervalSinceReferenceDate: 0)
        private let blocks = Locked<[@Sendable () -> Void]>([])

        func wake(at date: Date, _ block: @escaping @Sendable () -> Void) { blocks.withLock { $0.append(block) } }
        var count: Int { blocks.withLock { $0.count } }
        func callAll() {
            let due = blocks.withLock { blocks in
                defer { blocks = [] }
                return blocks
            }
            for block in due { block() }
        }
    }

    @Test func aDateIsSetAgainAfterAnEarlyCall() {
        let (alarm, clock) = (Alarm("test"), EarlyClock())
        let calls = Locked(0)
        let date = clock.now + 100
        for number in 1...3 {
            alarm.set(date, clock) { calls.withLock { $0 += 1 } }
            alarm.set(date + 1, clock) { calls.withLock { $0 += 100 } }
            #expect(clock.count == 1, "a later date needs no wake of its own")
            clock.callAll()
            alarm.queue.sync {}
            #expect(calls.withLock { $0 } == number)
        }
    }

    @Test func failuresAreTriedAgainOneAtATime() throws {
        let alarm = Alarm("test")
        let calls = Locked(0)
        #expect(alarm.retry { calls.withLock { $0 += 1 } } == "in 1 s")
        #expect(alarm.retry { calls.withLock { $0 += 100 } } == "soon")
        try waitUntil("it is tried again") { calls.withLock { $0 } == 1 }
        #expect(alarm.retry {} == "in 2 s")
        alarm.succeed()
    }

    private struct Chore: Codable, Sendable, Identifiable {
        var id: Int
        var due: Date
    }

    /// Another program has the file locked when the moment comes, and commits nothing.
    @Test func aMomentInALockedFileIsNotLost() async throws {
        let chores = YapCollection("chores", of: Chore.self)
        let dated = YapTimed("dated", of: chores, at: \.due, in: .gmt)
        let overdue = YapList("overdue", of: dated.rows, sortedBy: .ascending(\.row.id), where: \.isPast == true)
        let clock = YapManualClock()
        var options = YapDatabaseOptions.forTests
        (options.clock, options.busyTimeout) = (clock, 50)
        try await withTemporaryDatabase(options: options) { database in
            try await database.register(dated, overdue)
            try await database.newConnection().readWrite {
                try $0[chores].save(Chore(id: 1, due: clock.now + 10))
            }
            try await database.waitUntilIdle()
            let other = try foreignProgram(database.databaseURL)
            try other.execute("BEGIN IMMEDIATE")
            clock.advance(by: 20)
            try await database.waitUntilIdle()
            #expect(try await database.newConnection().read { try $0[overdue].values().isEmpty })
            try other.execute("ROLLBACK")
            try waitUntil("the row follows") {
                try database.newConnection().syncRead { try $0[overdue].values().map(\.row.id) } == [1]
            }
        }
    }
}
