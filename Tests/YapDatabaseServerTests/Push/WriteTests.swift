import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

@Suite(.needsPostgreSQL) struct WriteTests {
    /// Each host increments a counter; none of the increments may be lost.
    @Test func noIncrementIsLost() throws {
        try withScene { scene in
            let hosts = try ["a", "b", "c"].map { try scene.host($0) }
            let group = DispatchGroup()
            let failures = Atomic(0)
            for host in hosts {
                DispatchQueue.global().async(group: group) {
                    do {
                        let connection = try host.newConnection()
                        for _ in 0..<30 {
                            try connection.readWrite { transaction in
                                let count = try transaction.object(forKey: "count", inCollection: "c") as? String ?? "0"
                                try transaction.setObject("\(Int(count)! + 1)", forKey: "count", inCollection: "c")
                            }
                        }
                    } catch {
                        Issue.record(error)
                        failures.add(1, ordering: .relaxed)
                    }
                }
            }
            try group.wait(for: "the increments")
            #expect(failures.load(ordering: .relaxed) == 0)
            try scene.expectEqual(hosts)
            #expect(try hosts[0].string("count") == "90")
        }
    }

    /// Messages of several hosts do not make each other run again.
    @Test func appendsOfSeveralHostsPassEachOther() throws {
        try withScene { scene in
            let hosts = try ["a", "b"].map { name in try scene.host(name) { $0.mode = .rows } }
            for host in hosts { try host.set("first", "first-\(UUID())") }
            try scene.expectEqual(hosts)
            let runs = Atomic(0)
            let group = DispatchGroup()
            for (index, host) in hosts.enumerated() {
                DispatchQueue.global().async(group: group) {
                    do {
                        let connection = try host.newConnection()
                        for number in 0..<30 {
                            let given = try connection.readWrite { transaction in
                                runs.add(1, ordering: .relaxed)
                                try transaction.setObject("m", forKey: "\(index)-\(number)", inCollection: "messages")
                                return number
                            }
                            #expect(given == number)
                        }
                    } catch { Issue.record(error) }
                }
            }
            try group.wait(for: "the messages")
            #expect(runs.load(ordering: .relaxed) == 60)
            try scene.expectEqual(hosts)
        }
    }

    @Test func inModeRowsAChangeOfTheSameRowRunsAgain() throws {
        try withScene { scene in
            let (a, b) = (try scene.host("a"), try scene.host("b"))
            try a.set("1", "k")
            try scene.expectEqual(a, b)
            let runs = Atomic(0)
            try a.newConnection().readWrite { transaction in
                transaction.serverMode = .rows
                if runs.add(1, ordering: .relaxed).newValue == 1 { try b.set("2", "k") }
                let old = try transaction.object(forKey: "k", inCollection: "c") as? String ?? ""
                try transaction.setObject(old + "+", forKey: "k", inCollection: "c")
            }
            #expect(try a.string("k") == "2+")
            #expect(runs.load(ordering: .relaxed) == 2)
            try scene.expectEqual(a, b)
        }
    }

    /// Another host commits each time: the third time it has to wait.
    @Test func aTransactionThatIsOvertakenTwiceKeepsOthersOut() throws {
        try withScene { scene in
            let (a, b) = (try scene.host("a"), try scene.host("b"))
            try a.set("0", "k")
            try scene.expectEqual(a, b)
            let runs = Atomic(0)
            let group = DispatchGroup()
            try a.newConnection().readWrite { transaction in
                let run = runs.add(1, ordering: .relaxed).newValue
                if run < 3 { try b.set("\(run)", "k") }
                if run == 3 {
                    DispatchQueue.global().async(group: group) { try? b.set("late", "l") }
                    // Time is the subject: the other would commit in it if it could.
                    usleep(50_000)
                }
                try transaction.setObject("a\(run)", forKey: "mine", inCollection: "c")
            }
            #expect(runs.load(ordering: .relaxed) == 3)
            try group.wait(for: "the other's write")
            try scene.expectEqual(a, b)
            #expect(try b.string("l") == "late")
        }
    }

    /// Another host commits all the time. The space is held for as long as the closure needs.
    @Test func aSlowClosureGetsThrough() throws {
        try withScene { scene in
            let (a, b) = (try scene.host("a"), try scene.host("b") { $0.timeout = .seconds(60) })
            try a.set("0", "n")
            let isDone = Locked(false)
            let others = Thread {
                var number = 0
                while !isDone.withLock({ $0 }) {
                    number += 1
                    try? b.set("\(number)", "of b")
                    usleep(20_000)
                }
            }
            others.start()
            defer { isDone.withLock { $0 = true } }
            var attempts = 0
            for round in 1...2 {
                try a.newConnection().readWrite { transaction throws in
                    attempts += 1
                    let before = try #require(try transaction.object(forKey: "n", inCollection: "c") as? String)
                    // The server ends a hold of two seconds.
                    usleep(2_600_000)
                    try transaction.setObject("\(Int(before)! + 1)", forKey: "n", inCollection: "c")
                }
                #expect(try a.string("n") == "\(round)")
            }
            #expect(attempts <= 6, "\(attempts)")
            isDone.withLock { $0 = true }
            // A last commit of the other host may be under way.
            try waitUntil("the other host has ended") { others.isFinished }
            try scene.expectEqual(a, b)
        }
    }

    /// The server takes the lock of the space before it writes anything, so a transaction that only waited for it is not in doubt.
    @Test func aTransactionThatWaitsForAHeldSpaceIsCertainlyNotStored() throws {
        try withScene { scene in
            let a = try scene.host("a") { $0.timeout = .seconds(3) }
            try a.set("0", "k")
            let holder = try scene.sql()
            try holder.execute("BEGIN", limits: AnswerLimits())
            try holder.query(
                "SELECT id FROM yap.space WHERE name = $1 FOR UPDATE", [.text(scene.space)], limits: AnswerLimits())
            for _ in 0..<2 {
                let error = #expect(throws: YapDatabaseServerError.self) { try a.set("1", "k") }
                #expect(error?.code == .serverUnreachable)
                #expect(error?.message.contains("Nothing was stored.") == true, "\(String(describing: error))")
            }
            try holder.execute("ROLLBACK", limits: AnswerLimits())
            #expect(try scene.truth().number == a.position?.number)
            try a.set("2", "k")
            try scene.expectEqual(a)
        }
    }

    /// The timeout is for the server alone.
    @Test func aClosureMayTakeLongerThanTheTimeout() throws {
        try withScene { scene in
            let a = try scene.host("a") { $0.timeout = .seconds(2) }
            try a.set("0", "n")
            try a.newConnection().readWrite { transaction throws in
                usleep(2_500_000)
                try transaction.setObject("1", forKey: "n", inCollection: "c")
            }
            #expect(try a.string("n") == "1")
            try scene.expectEqual(a)
        }
    }

    @Test func aClosureThatThrowsChangesNothingAnywhere() throws {
        try withScene { scene in
            let a = try scene.host("a")
            try a.set("1", "k")
            #expect(throws: CancellationError.self) {
                try a.newConnection().readWrite { transaction in
                    try transaction.setObject("2", forKey: "k", inCollection: "c")
                    throw CancellationError()
                }
            }
            #expect(try a.string("k") == "1")
            try scene.expectEqual(a)
        }
    }

    /// Nothing was sent, so there is nothing to wait for.
    @Test func aWriteThatIsCancelledWhileTheServerIsAwayReturnsAtOnce() throws {
        let server = try PostgreSQLServer(isDurable: true)
        try withScene(on: server) { scene in
            let first = try scene.host("a")
            try first.set("1", "k")
            try first.close()
            try server.kill()
            let a = try scene.host("a") { $0.timeout = .seconds(3_000) }
            let connection = try a.newConnection()
            let (hasBegun, hasEnded) = (DispatchSemaphore(value: 0), DispatchGroup())
            let outcome = Locked<Result<Void, any Error>?>(nil)
            hasEnded.enter()
            let write = Task.detached {
                let result: Result<Void, any Error>
                do {
                    try await connection.readWrite { transaction in
                        try transaction.setObject("2", forKey: "k", inCollection: "c")
                        hasBegun.signal()
                    }
                    result = .success(())
                } catch { result = .failure(error) }
                outcome.withLock { $0 = result }
                hasEnded.leave()
            }
            hasBegun.wait()
            write.cancel()
            try hasEnded.wait(for: "the end of the write")
            #expect(throws: CancellationError.self) { try outcome.withLock { $0 }?.get() }
            try server.start()
            // The connection that gave up waits again, and nothing of the write is anywhere.
            try connection.readWrite { try $0.setObject("3", forKey: "l", inCollection: "c") }
            #expect(try a.string("k") == "1")
            try scene.expectEqual(a)
        }
    }

    @Test func limitsAreErrorsBeforeTheServerIsAsked() throws {
        try withScene { scene in
            let a = try scene.host("a")
            let long = String(repeating: "k", count: YapDatabaseServer.nameLimit + 1)
            var error = #expect(throws: YapDatabaseServerError.self) { try a.set("1", long) }
            #expect(error?.code == .tooLarge)
            error = #expect(throws: YapDatabaseServerError.self) {
                try a.newConnection().readWrite { transaction in
                    let large = String(repeating: "x", count: 9 << 20)
                    for key in 0..<8 { try transaction.setObject(large, forKey: "\(key)", inCollection: "c") }
                }
            }
            #expect(error?.code == .tooLarge)
            try a.set("1", String(repeating: "k", count: YapDatabaseServer.nameLimit))
            try scene.expectEqual(a)
        }
    }

    @Test func completionBlocksAreCalledOnceForEachTransaction() throws {
        try withScene { scene in
            let (a, b) = (try scene.host("a") { $0.mode = .rows }, try scene.host("b"))
            try a.set("0", "k")
            try scene.expectEqual(a, b)
            let calls = Atomic(0)
            let queue = DispatchQueue(label: "completions")
            try a.newConnection().readWrite { transaction in
                // Accepted as a later commit than the next one.
                try b.set("1", "l")
                try transaction.setObject("2", forKey: "m", inCollection: "c")
                transaction.addCompletionQueue(queue) { calls.add(1, ordering: .relaxed) }
            }
            queue.sync {}
            #expect(calls.load(ordering: .relaxed) == 1)
            try scene.expectEqual(a, b)
        }
    }
}
