import FileEngine
import Foundation
import PostgreSQLTesting
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// Two processes of one host with one outbox, of which one is killed again and again: nothing that was acknowledged is lost, and nothing is
/// stored twice.
@Suite(.needsPostgreSQL, .serialized) struct MutationProcessTests {
    private static let kills = ProcessInfo.processInfo.environment["YAP_TORTURE"] == nil ? 4 : 200
    private static let folder = ProcessFolder("mutations")

    @Test func aKilledProcessLosesNothingAndAnotherSendsWhatItLeft() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let scene = try Scene(PostgreSQLServer.shared.get(), folder)
        try HostChild.order(scene)
        let b = try scene.host("b")
        try b.set("0", "n")
        let a = try scene.host("a")
        a.registerMutations(Increment.self, Put.self)
        try scene.expectEqual(a, b)
        var own = 0
        for number in 0..<Self.kills {
            let killer = HostChild.inBackground {
                try HostChild.kill(in: folder, seed: number, within: 200)
            }
            await #expect(processExitsWith: .signal(SIGKILL)) { try Self.mutate() }
            try killer.wait(for: "the killer")
            try a.make(Increment(key: "n"))
            own += 1
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
            let acknowledged = try HostChild.acknowledged(in: folder)
            let count = Int(try b.string("n") ?? "") ?? 0
            // One more for each kill may be stored whose acknowledgement was not written any more.
            #expect(acknowledged + own...acknowledged + own + number + 1 ~= count)
        }
        for host in [a, b] { try scene.close(host) }
        for name in ["a", "b"] { #expect(try YapDatabase.check(url: folder.appending(path: "\(name).sqlite")) == []) }
    }

    /// A transaction that waits for a silent server has the file's lock. It ends with an error, as for a mutation of its own process.
    @Test func aMutationOfAnotherProcessNeedNotWaitForTheServer() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let scene = try Scene(PostgreSQLServer.shared.get(), folder)
        try HostChild.order(scene)
        let line = try CutLine(scene)
        let a = try scene.host("a") { $0.address = line.address }
        a.registerMutations(Increment.self)
        try a.set("0", "n")
        line.setSilent(true)
        // It gives way if it has the file's lock. If it was still to connect, it has not, and goes on when the server answers.
        let refusal = Locked<YapDatabaseServerError?>(nil)
        let waiting = HostChild.inBackground {
            do { try a.set("x", "k") } catch let error as YapDatabaseServerError { refusal.withLock { $0 = error } }
        }
        let killer = HostChild.inBackground {
            try waitUntil("a mutation is acknowledged") {
                FileManager.default.fileExists(atPath: folder.appending(path: "ledger").path)
                    ? try HostChild.acknowledged(in: folder) > 0 : false
            }
            try HostChild.kill(in: folder, seed: 1, within: 20)
        }
        await #expect(processExitsWith: .signal(SIGKILL)) { try Self.mutate() }
        try killer.wait(for: "the killer")
        line.setSilent(false)
        try waiting.wait(for: "the transaction")
        try a.waitUntilSent()
        try scene.expectEqual(a)
        let (count, acknowledged) = (Int(try a.string("n") ?? "") ?? 0, try HostChild.acknowledged(in: folder))
        #expect(acknowledged...acknowledged + 1 ~= count)
        let code = refusal.withLock { $0?.code }
        #expect(code == nil || code == .serverUnreachable || code == .outcomeUnknown)
        #expect(try a.string("k") == (code == nil ? "x" : nil))
        try scene.close(a)
        #expect(try YapDatabase.check(url: folder.appending(path: "a.sqlite")) == [])
    }

    /// The child.
    private static func mutate() throws {
        try HostChild.run(in: folder.ofParent) { try $0.make(Increment(key: "n")) }
    }
}
