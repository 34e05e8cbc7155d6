import Foundation
import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

@Suite struct ActionManagerTests {
    private final class Network: YapReachability {
        private let state = Locked((isReachable: false, changed: [@Sendable () -> Void]()))

        var isReachable: Bool { state.withLock { $0.isReachable } }
        func startNotifier(_ changed: @escaping @Sendable () -> Void) { state.withLock { $0.changed.append(changed) } }

        func set(_ isReachable: Bool) {
            let blocks = state.withLock { state in
                state.isReachable = isReachable
                return state.changed
            }
            for block in blocks { block() }
        }
    }

    /// Calls of blocks, and a manager whose objects are the seconds at which they are due.
    private struct Scene: Sendable {
        let clock = YapManualClock.at(1_000)
        let calls = Locked<[String]>([])
        /// One block after the other, so that the calls have the order of the dates.
        let queue = DispatchQueue(label: "ActionManagerTests")
        let manager: YapDatabaseActionManager

        init(retry: Double = 10, requiresInternet: Bool = false) {
            let (calls, queue) = (calls, queue)
            manager = YapDatabaseActionManager(
                scheduler: { _, _, object in
                    guard let seconds = object as? Int else { return nil }
                    return [
                        YapActionItem(
                            identifier: "a", date: Date(timeIntervalSinceReferenceDate: Double(seconds)),
                            retryTimeout: retry, requiresInternet: requiresInternet, queue: queue
                        ) { _, key, object, metadata in
                            calls.withLock { $0.append("\(key) \(object) \(metadata ?? "-")") }
                        }
                    ]
                }, clock: clock)
        }

        /// Waits until the manager has done what was due so far.
        func settle() throws {
            let done = DispatchSemaphore(value: 0)
            Task {
                await manager.waitUntilIdle()
                done.signal()
            }
            try done.wait(for: "the manager")
        }

        func expect(_ lines: [String]) throws {
            try waitUntil("the calls \(lines), not \(calls.withLock { $0 })") {
                calls.withLock { $0 } == lines
            }
        }
    }

    /// Runs the body on a thread of its own: it waits, and the manager needs the threads of Swift's pool.
    private func with(
        _ scene: Scene, _ body: @escaping @Sendable (YapDatabaseConnection, YapDatabase) throws -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread {
                continuation.resume(
                    with: Result {
                        try withTemporaryDatabase { database throws in
                            let connection = try database.newConnection()
                            try connection.readWrite { transaction throws in
                                try transaction.setObject(500, forKey: "old", inCollection: nil, withMetadata: "m")
                                try transaction.setObject("no action", forKey: "other")
                            }
                            try database.register(scene.manager, withName: "actions")
                            try body(connection, database)
                            try database.unregisterExtension(withName: "actions")
                        }
                    })
            }.start()
        }
    }

    @Test func anActionIsCalledAtItsDateAndAgainUntilItsRowChanges() async throws {
        let scene = Scene()
        try await with(scene) { connection, _ in
            try scene.expect(["old 500 m"])
            scene.clock.advance(to: 1_009)
            scene.clock.advance(to: 1_010)
            try scene.expect(["old 500 m", "old 500 m"])
            // The date changes, and the action with it.
            try connection.readWrite { try $0.replace(1_015, forKey: "old") }
            try connection.readWrite { try $0.setObject(1_012, forKey: "new") }
            try connection.readWrite { try $0.setObject(1, forKey: "third") }
            try scene.expect(["old 500 m", "old 500 m", "third 1 -"])
            try connection.readWrite { try $0.removeObject(forKey: "third") }
            try connection.readWrite { try $0.setObject(2, forKey: "fourth") }
            try scene.expect(["old 500 m", "old 500 m", "third 1 -", "fourth 2 -"])
            scene.clock.advance(to: 1_016)
            try scene.expect(
                ["old 500 m", "old 500 m", "third 1 -", "fourth 2 -", "new 1012 -", "old 1015 m"])
        }
    }

    @Test func whatNeedsTheNetworkWaitsForIt() async throws {
        let scene = Scene(retry: 0, requiresInternet: true)
        let network = Network()
        scene.manager.reachability = network
        try await with(scene) { connection, _ in
            try connection.readWrite { try $0.setObject(1_000, forKey: "b") }
            network.set(false)
            scene.clock.advance(to: 2_000)
            #expect(scene.calls.withLock { $0 } == [])
            network.set(true)
            try waitUntil("two calls") { scene.calls.withLock { $0.count } == 2 }
            network.set(true)
            // Without a timeout none is called again.
            try connection.readWrite { try $0.setObject(1_500, forKey: "c") }
            try waitUntil("three calls") { scene.calls.withLock { $0.count } == 3 }
            #expect(scene.calls.withLock { Set($0) } == ["old 500 m", "b 1000 -", "c 1500 -"])
        }
    }

    @Test func aSuspendedManagerCallsNothingUntilItIsResumedAsOften() async throws {
        let scene = Scene()
        #expect(scene.manager.suspend(withCount: 2) == 2)
        try await with(scene) { connection, _ in
            try connection.readWrite { try $0.setObject(1, forKey: "b") }
            #expect(scene.manager.resume() == 1 && scene.manager.isSuspended)
            try connection.readWrite { try $0.removeObject(forKey: "old") }
            #expect(scene.calls.withLock { $0 } == [])
            #expect(scene.manager.resume() == 0)
            try scene.expect(["b 1 -"])
            #expect(scene.manager.resume() == 0)
        }
    }

    /// The clock is set back: the timeout begins again, and no retry is further away.
    @Test(arguments: [1, 500, 100_000] as [Double]) func aRetryIsNeverFurtherAwayThanItsTimeout(back: Double)
        async throws
    {
        let scene = Scene(retry: 10)
        try await with(scene) { connection, _ in
            try scene.expect(["old 500 m"])
            try scene.settle()
            scene.clock.advance(to: 1_000 - back)
            try scene.settle()
            #expect(scene.calls.withLock { $0.count } == 1)
            scene.clock.advance(to: 1_000 - back + 10)
            try scene.expect(["old 500 m", "old 500 m"])
        }
    }

    @Test func aScheduleBoundsItsRetries() {
        func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
        for (retry, pause) in [(10, 10), (0.1, 0.1), (0.05, 0.1), (1e-300, 0.1), (5e9, 5e9)] {
            var schedule = ActionSchedule()
            let item = YapActionItem(identifier: "a", date: date(0), retryTimeout: retry, requiresInternet: false) {
                _, _, _, _ in
            }
            schedule.set([item], of: RowKey(collection: "", key: "a"))
            var now = 1_000_000.0
            #expect(schedule.start(now: date(now), isReachable: true).next == date(now + pause))
            // What was started at one time is due again when the pause has passed, whatever the clock says.
            for back in [0, pause / 2, 1, 3_600, 900_000] as [Double] {
                now -= back
                let next = schedule.start(now: date(now), isReachable: true).next ?? .distantFuture
                #expect(next <= date(now + pause), "retry \(retry), back \(back)")
            }
            now += pause + 0.001
            #expect(schedule.start(now: date(now), isReachable: true).due.count == 1, "retry \(retry)")
        }
    }

    /// What was not called, because a row could not be read, is due at once; what was called waits for its retry.
    @Test(arguments: [0, 5] as [Double]) func whatWasNotCalledIsDueAgain(retry: Double) {
        func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
        var schedule = ActionSchedule()
        let names = ["a", "b", "c"]
        for (place, name) in names.enumerated() {
            let item = YapActionItem(
                identifier: name, date: date(Double(place)), retryTimeout: retry, requiresInternet: false
            ) { _, _, _, _ in }
            schedule.set([item], of: RowKey(collection: "", key: name))
        }
        let due = schedule.start(now: date(10), isReachable: true).due
        #expect(due.map(\.item.identifier) == names)
        schedule.undoStart(due.dropFirst())
        #expect(schedule.start(now: date(11), isReachable: true).due.map(\.item.identifier) == ["b", "c"])
        let last = schedule.start(now: date(100), isReachable: true).due.map(\.item.identifier)
        #expect(last == (retry > 0 ? names : []))
    }

    @Test func aScheduleStartsWhatIsDueInTheOrderOfDates() {
        func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
        func item(_ name: String, _ seconds: Double, retry: Double = 0) -> YapActionItem {
            YapActionItem(identifier: name, date: date(seconds), retryTimeout: retry, requiresInternet: false) {
                _, _, _, _ in
            }
        }
        var schedule = ActionSchedule()
        schedule.set([item("late", 30), item("second", 20, retry: 5)], of: RowKey(collection: "", key: "a"))
        schedule.set([item("first", 10)], of: RowKey(collection: "", key: "b"))
        let started = schedule.start(now: date(20), isReachable: true)
        #expect(started.due.map(\.item.identifier) == ["first", "second"] && started.next == date(25))
        #expect(schedule.start(now: date(21), isReachable: true).due.isEmpty)
        // The same date is the same action; another one is new.
        schedule.set([item("first", 10)], of: RowKey(collection: "", key: "b"))
        schedule.set([item("second", 21)], of: RowKey(collection: "", key: "a"))
        let again = schedule.start(now: date(26), isReachable: true)
        #expect(again.due.map(\.item.identifier) == ["second"] && again.next == nil)
    }
}
