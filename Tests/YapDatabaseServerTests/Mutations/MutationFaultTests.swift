import Foundation
import PostgreSQLTesting
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// A mutation is stored once: through lost answers, purges, copies of the file, backups of it, and a server that went back.
@Suite(.needsPostgreSQL) struct MutationFaultTests {
    private static let faults: [FaultyProxy.Fault] = [.cutBefore, .cutAfter, .repeat, .delay]

    /// One message after the other fails.
    @Test(arguments: faults) func eachIsStoredOnceWhicheverMessageFails(fault: FaultyProxy.Fault) throws {
        try withScene { scene in
            let line = try CutLine(scene)
            let a = try scene.host("a") { $0.address = line.address }
            try a.set("0", "n")
            for index in 0..<(Effort.isFull ? 24 : 8) {
                line.arm(fault, at: index)
                for _ in 0..<3 { try a.make(Increment(key: "n")) }
                try waitUntil("the message fails, or nothing is left to send") {
                    try line.hasFailed || a.pending.isEmpty
                }
                line.disarm()
                a.server?.refresh()
                try a.waitUntilSent()
                #expect(try a.string("n") == "\((index + 1) * 3)", "message \(index)")
            }
            try scene.expectEqual(a)
        }
    }

    /// The server has it, the answer is lost, and weeks later nothing is left of the commit but what is kept for this.
    @Test func oneWhoseCommitWasPurgedIsNotStoredAgain() throws {
        try withScene { scene in
            let b = try scene.host("b")
            let url = try Self.fileWithPending(scene, ["1"])
            let yesterday = try Self.copy(url, "copy", scene)
            let a = try scene.host("a")
            a.registerMutations(Increment.self)
            try a.waitUntilSent()
            try scene.close(a)
            try b.set("x", "other")
            #expect(try scene.administration().purge(space: scene.space, olderThan: .zero) >= 0)
            let copy = try scene.host(yesterday)
            copy.registerMutations(Increment.self)
            try copy.waitUntilSent()
            try scene.expectEqual(copy, b)
            #expect(try b.string("n") == "1")
        }
    }

    /// Both have the same mutations, and then some of their own.
    @Test func aCopyOfAFileSendsWhatIsItsOwnAndNothingTwice() throws {
        try withScene { scene in
            let url = try Self.fileWithPending(scene, ["1", "2", "3"])
            let copied = try Self.copy(url, "copy", scene)
            let line = try CutLine(scene)
            try line.cut()
            let a = try scene.host("a") { $0.address = line.address }
            let copy = try scene.host(copied) { $0.address = line.address }
            for host in [a, copy] {
                host.registerMutations(Increment.self)
                try host.make(Increment(key: "n"))
                try host.make(Put(key: host === a ? "of a" : "of the copy", value: "v"))
                #expect(try host.string("n") == "4")
            }
            try line.join()
            for host in [a, copy] { try host.waitUntilSent() }
            try scene.expectEqual(a, copy)
            #expect(try a.string("n") == "5" && a.string("of a") == "v" && copy.string("of the copy") == "v")
        }
    }

    /// The server is put back to yesterday while mutations are pending: the file says so, gives back what was lost, and sends what is pending,
    /// once.
    @Test func aServerThatWentBackGetsWhatWasLostAndThenWhatIsPending() throws {
        try withScene { scene in
            let line = try CutLine(scene)
            let a = try scene.host("a") { $0.address = line.address }
            try a.set("0", "n")
            let putBack = try scene.backUpSpace()
            try a.make(Increment(key: "n"))
            try a.make(Put(key: "k", value: "v"))
            try a.waitUntilSent()
            try line.cut()
            try a.make(Increment(key: "n"))
            try putBack()
            try line.join()
            a.server?.refresh()
            try a.waitForRefusal(containing: "1 row that is not there, and the content of 1 row")
            #expect(try a.string("n") == "2" && a.pending.count == 1)
            // Rows as the server had them, without what is pending.
            #expect(try a.restoreSpace(address: scene.server.address(), replacing: true).isComplete)
            a.server?.refresh()
            try a.waitUntilSent()
            try scene.expectEqual(a)
            #expect(try a.string("n") == "2" && a.string("k") == "v")
        }
    }

    /// After a file was given up to its server, what was pending is still sent.
    @Test func aFileThatTakesTheServersStateKeepsWhatIsPending() throws {
        try withScene { scene in
            let line = try CutLine(scene)
            let a = try scene.host("a") { $0.address = line.address }
            try a.set("5", "n")
            try line.cut()
            try a.make(Increment(key: "n"))
            try scene.remakeSpace()
            let b = try scene.host("b")
            try b.set("40", "n")
            try line.join()
            a.server?.refresh()
            try a.waitForRefusal(containing: "another one")
            try a.takeServerState(copyingTo: scene.folder.appending(path: "before.sqlite"))
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
            #expect(try b.string("n") == "41")
        }
    }

    @Test func aDetachedFileKeepsWhatWasPendingAsItsOwn() throws {
        try withScene { scene in
            let url = try Self.fileWithPending(scene, ["1"])
            let alone = try YapDatabase(url: url, options: .forTests)
            try alone.detachFromServer()
            #expect(try alone.string("n") == "1" && alone.pending.isEmpty)
            try alone.set("x", "n")
            try alone.make(Count(key: "m"))
            #expect(try alone.string("m") == "1" && alone.pending.isEmpty)
            try alone.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// A file with a counter, and as many increments that are pending.
    private static func fileWithPending(_ scene: Scene, _ increments: [String]) throws -> URL {
        let line = try CutLine(scene)
        let a = try scene.host("a") { $0.address = line.address }
        try a.set("0", "n")
        try line.cut()
        for _ in increments { try a.make(Increment(key: "n")) }
        try scene.close(a)
        return scene.folder.appending(path: "a.sqlite")
    }

    private static func copy(_ url: URL, _ name: String, _ scene: Scene) throws -> String {
        try FileManager.default.copyItem(at: url, to: scene.folder.appending(path: "\(name).sqlite"))
        return name
    }
}

/// An ``Increment`` of a counter that need not be there.
private struct Count: YapMutation {
    static let mutationName = "increment2"
    var key: String

    func apply(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let count = Int(try transaction.object(forKey: key, inCollection: "c") as? String ?? "0") ?? 0
        try transaction.setObject("\(count + 1)", forKey: key, inCollection: "c")
    }
}
