import Foundation
import PostgreSQLTesting
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// Networks that are cut, and slow ones.
@Suite(.needsPostgreSQL, .serialized) struct NetworkTests {
    private static let isLong = ProcessInfo.processInfo.environment["YAP_TORTURE"] != nil

    /// Nothing tells a host that its cable was pulled. It reads on, its writes end at their deadline; when the cable is
    /// back, removals that it missed have been purged.
    @Test(
        .enabled(if: Hosts.isPossible, "networks of their own need the superuser and ip"),
        arguments: isLong ? [true, false] : [true])
    func aHostThatIsCutOffReadsOnAndComesBack(isPurged: Bool) throws {
        let hosts = try Hosts(isPurged ? ["near", "far"] : ["here", "there"])
        try withScene(on: hosts.server) { scene in
            let a = try scene.host("a")
            for key in 0..<20 { try a.set("v", "\(key)") }
            let shared = ByThread(value: scene)
            try hosts.run(on: isPurged ? "far" : "there") { try Self.cutOff(hosts, shared.value, a, isPurged) }
        }
    }

    /// Runs on the far host.
    private static func cutOff(_ hosts: Hosts, _ scene: Scene, _ a: YapDatabase, _ isPurged: Bool) throws {
        let far = isPurged ? "far" : "there"
        let b = try scene.host("b") { options in
            options.address = hosts.serverAddress(from: far)
            options.timeout = .seconds(2)
        }
        let list = try followedList(of: b)
        try b.set("from b", "b")
        try scene.expectEqual(a, b)
        try list.advance("before")
        try hosts.setConnected(false, far)
        let end = ContinuousClock.now + (isLong ? .seconds(60) : .seconds(1))
        try a.set("changed", "1")
        try a.set(nil, "2")
        if isPurged { _ = try scene.administration().purge(space: scene.space, olderThan: .zero) }
        try a.set("new", "21")
        var isFirst = true
        while isFirst || .now < end {
            isFirst = false
            let began = ContinuousClock.now
            let error = #expect(throws: YapDatabaseServerError.self) { try b.set("lost", "b") }
            #expect([.serverUnreachable, .outcomeUnknown].contains(error?.code), "\(String(describing: error))")
            #expect(.now - began < .seconds(60), "it waits for its deadline, not for ever")
            #expect(try b.string("2") == "v" && b.string("b") == "from b")
        }
        try waitUntil("the state says it") {
            if case .offline = b.server?.state { true } else { false }
        }
        try hosts.setConnected(true, far)
        try scene.expectEqual(a, b)
        try list.advance("after")
        #expect(list.reloads == 0)
        try b.waitFor(.live)
        try b.set("again", "b")
        try scene.expectEqual(a, b)
        try list.advance("the end")
        try scene.close(b)
    }

    /// The system of a server that hangs confirms whatever arrives, so only a question tells. One that goes on keeps its connections.
    @Test func aServerThatHangsIsToldBeforeAnythingTimesOut() throws {
        try withScene { scene in
            let a = try scene.host("a")
            try a.set("1", "k")
            try a.waitFor(.live)
            try scene.server.setHanging(true)
            defer { try? scene.server.setHanging(false) }
            var reason = ""
            try waitUntil("it is told") {
                guard case .offline(_, nil, let told) = a.server?.state else { return false }
                reason = told
                return true
            }
            #expect(reason.contains("does not answer"), "nothing has timed out yet")
            #expect(try a.string("k") == "1")
            try scene.server.setHanging(false)
            try a.waitFor(.live)
            try a.set("2", "k")
            try scene.expectEqual(a)
        }
    }

    /// A program that asks for news does not make the follower wait for a transaction that waits for the server.
    @Test func aServerThatHangsIsToldAlsoBesideATransactionThatWaitsForIt() throws {
        try withScene { scene in
            let a = try scene.host("a")
            try a.set("1", "k")
            try a.waitFor(.live)
            try scene.server.setHanging(true)
            defer { try? scene.server.setHanging(false) }
            let (group, hasWritten) = (DispatchGroup(), DispatchSemaphore(value: 0))
            DispatchQueue.global().async(group: group) {
                do {
                    try a.newConnection().readWrite { transaction throws in
                        try transaction.setObject("2", forKey: "k", inCollection: "c")
                        hasWritten.signal()
                    }
                } catch { Issue.record(error) }
            }
            hasWritten.wait()
            try waitUntil("it is told") {
                a.server?.refresh()
                if case .offline = a.server?.state { return true } else { return false }
            }
            try scene.server.setHanging(false)
            try group.wait(for: "the transaction")
            try a.waitFor(.live)
            try scene.expectEqual(a)
        }
    }

    /// A host at 10 kB/s gets fewer and larger steps; no other waits for it, and its file is never locked meanwhile.
    @Test func aSlowHostArrivesWithoutHoldingAnybodyUp() throws {
        try withScene { scene in
            let folder = scene.folder.appending(path: "p")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let proxy = try FaultyProxy(to: scene.server.socket, in: folder)
            defer { proxy.close() }
            let a = try scene.host("a")
            let b = try scene.host("b") { $0.address = proxy.address }
            let list = try followedList(of: b)
            try b.waitFor(.live)
            try scene.expectEqual(a, b)
            let before = b.snapshot
            proxy.setRate(10_000)
            var random = SplitMix64(seed: 7)
            let commits = Self.isLong ? 300 : 40
            var longest = Duration.zero
            for number in 0..<commits {
                let text = String((0..<1_500).map { _ in Character(UnicodeScalar(UInt8(97 + random.below(26)))) })
                let began = ContinuousClock.now
                try a.set(text, "\(random.below(30))")
                longest = max(longest, .now - began)
                #expect(try b.newConnection().read { try $0.numberOfKeys(inCollection: "c") } <= 30)
                if number % 10 == 0 { try list.advance("commit \(number)") }
            }
            try scene.expectEqual(a, b)
            try list.advance("the end")
            #expect(list.reloads == 0)
            #expect(b.snapshot - before < commits, "commits that were met together came as one")
            #expect(longest < .seconds(2), "the other host never waited for the slow one")
            // It writes, too, if its way is slow.
            try b.set("from afar", "far")
            try scene.expectEqual(a, b)
        }
    }

    private func followedList(of database: YapDatabase) throws -> ListFollower {
        try Self.followedList(of: database)
    }

    private static func followedList(of database: YapDatabase) throws -> ListFollower {
        try database.register(
            YapDatabaseAutoView(
                grouping: .withKeyBlock { _, collection, _ in collection },
                sorting: .withKeyBlock { _, _, _, key1, _, key2 in
                    key1 == key2 ? .orderedSame : key1 < key2 ? .orderedAscending : .orderedDescending
                }, versionTag: "1"), withName: "order")
        return try ListFollower(database, view: "order", groups: ["c"])
    }
}

/// A value that one thread after the other uses.
private struct ByThread<Value>: @unchecked Sendable {
    // @unchecked: the test waits for the other thread's end.
    let value: Value
}
