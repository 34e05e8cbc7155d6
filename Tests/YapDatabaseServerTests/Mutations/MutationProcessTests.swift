import Foundation
import PostgreSQLTesting
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// Two processes of one host with one outbox, of which one is killed again and again: nothing that was acknowledged is lost, and nothing is
/// stored twice.
@Suite(.needsPostgreSQL, .serialized) struct MutationProcessTests {
    private static let kills = ProcessInfo.processInfo.environment["YAP_TORTURE"] == nil ? 4 : 200
    private static let folder = ProcessFolder("mutations")

    private struct Order: Codable {
        var address: String
        var space: String
    }

    @Test func aKilledProcessLosesNothingAndAnotherSendsWhatItLeft() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let scene = try Scene(PostgreSQLServer.shared.get(), folder)
        let task = Order(address: scene.server.address(), space: scene.space)
        try JSONEncoder().encode(task).write(to: folder.appending(path: "task"))
        let b = try scene.host("b")
        try b.set("0", "n")
        let a = try scene.host("a")
        a.registerMutations(Increment.self, Put.self)
        try scene.expectEqual(a, b)
        var own = 0
        for number in 0..<Self.kills {
            let killer = Self.inBackground { try Self.killChild(in: folder, after: number) }
            await #expect(processExitsWith: .signal(SIGKILL)) { try Self.mutate() }
            try killer.wait(for: "the killer")
            try a.make(Increment(key: "n"))
            own += 1
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
            let acknowledged = try String(contentsOf: folder.appending(path: "ledger"), encoding: .utf8)
                .split(separator: "\n").count
            let count = Int(try b.string("n") ?? "") ?? 0
            // One more for each kill may be stored whose acknowledgement was not written any more.
            #expect(acknowledged + own...acknowledged + own + number + 1 ~= count)
        }
        for host in [a, b] { try scene.close(host) }
        for name in ["a", "b"] { #expect(try YapDatabase.check(url: folder.appending(path: "\(name).sqlite")) == []) }
    }

    /// The child.
    private static func mutate() throws {
        let parent = getppid()
        let folder = Self.folder.ofParent
        let task = try JSONDecoder().decode(Order.self, from: Data(contentsOf: folder.appending(path: "task")))
        let database = try YapDatabase.open(
            url: folder.appending(path: "a.sqlite"),
            server: YapDatabaseServerOptions(address: task.address, space: task.space), options: .forTests)
        let ledger = open(folder.appending(path: "ledger").path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        try "\(getpid())".write(to: folder.appending(path: "pid"), atomically: true, encoding: .utf8)
        while getppid() == parent {
            try database.make(Increment(key: "n"))
            _ = Glibc.write(ledger, "+\n", 2)
        }
    }

    /// On a thread of its own: those of tasks may all be taken by tests that wait.
    private static func inBackground(_ body: @escaping @Sendable () throws -> Void) -> DispatchGroup {
        let group = DispatchGroup()
        group.enter()
        Thread.detachNewThread {
            do { try body() } catch { Issue.record(error) }
            group.leave()
        }
        return group
    }

    private static func killChild(in folder: URL, after seed: Int) throws {
        let file = folder.appending(path: "pid")
        var process: pid_t?
        try waitUntil("the child runs") {
            process = (try? String(contentsOf: file, encoding: .utf8)).flatMap { pid_t($0) }
            return process != nil
        }
        var random = SplitMix64(seed: UInt64(seed))
        // Any moment will do: time is the subject.
        usleep(UInt32(random.below(200)) * 1_000)
        if let process { kill(process, SIGKILL) }
        try FileManager.default.removeItem(at: file)
    }
}
