import Foundation
import PostgreSQLTesting
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// Several processes of one host, which are killed.
@Suite(.needsPostgreSQL, .serialized) struct ProcessTests {
    private static let kills = ProcessInfo.processInfo.environment["YAP_TORTURE"] == nil ? 3 : 200

    private static let folder = ProcessFolder("server")

    /// What the parent tells the child.
    private struct Order: Codable {
        var address: String
        var space: String
    }

    @Test func aProcessThatIsKilledLosesNothingAndAnotherTakesOver() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let scene = try Scene(PostgreSQLServer.shared.get(), folder)
        let task = Order(address: scene.server.address(), space: scene.space)
        try JSONEncoder().encode(task).write(to: folder.appending(path: "task"))
        let b = try scene.host("b")
        let ledger = folder.appending(path: "ledger")
        for kill in 0..<Self.kills {
            let killer = Self.inBackground { try Self.killChild(in: folder, after: kill) }
            await #expect(processExitsWith: .signal(SIGKILL)) { try Self.write() }
            try killer.wait(for: "the killer")
            // The second process of the host, as the one that is left.
            let a = try scene.host("a")
            let acknowledged = try String(contentsOf: ledger, encoding: .utf8).split(separator: "\n").count
            try b.set("\(kill)", "from b")
            try scene.expectEqual(a, b)
            let count = Int(try a.string("a", in: "counts") ?? "0") ?? 0
            // One more may have been stored whose acknowledgement was not written any more.
            #expect(acknowledged...(acknowledged + kill + 1) ~= count, "\(acknowledged) acknowledged, \(count) stored")
            #expect(try a.storedRows().keys.filter { $0.collection == "marks" }.count == count)
            try a.waitFor(.live)
            try scene.close(a)
            #expect(try YapDatabase.check(url: folder.appending(path: "a.sqlite")) == [])
        }
        try b.close()
    }

    /// While one process follows, another one of the host sees its commits and its state, writes too, and takes over.
    @Test func oneProcessOfAHostFollowsAndAnotherTakesOver() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let scene = try Scene(PostgreSQLServer.shared.get(), folder)
        let task = Order(address: scene.server.address(), space: scene.space)
        try JSONEncoder().encode(task).write(to: folder.appending(path: "task"))
        let b = try scene.host("b")
        let seen = Self.inBackground { try Self.follow(scene, b, in: folder) }
        await #expect(processExitsWith: .signal(SIGKILL)) { try Self.write() }
        try seen.wait(for: "the other process")
        try b.close()
    }

    /// The child: increments a counter until it is killed.
    private static func write() throws {
        let parent = getppid()
        let folder = Self.folder.ofParent
        let task = try JSONDecoder().decode(Order.self, from: Data(contentsOf: folder.appending(path: "task")))
        let options = YapDatabaseServerOptions(address: task.address, space: task.space)
        let database = try YapDatabase.open(
            url: folder.appending(path: "a.sqlite"), server: options, options: .forTests)
        let ledger = open(folder.appending(path: "ledger").path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        try "\(getpid())".write(to: folder.appending(path: "pid"), atomically: true, encoding: .utf8)
        while getppid() == parent {
            try database.newConnection().readWrite { transaction in
                let count = Int(try transaction.object(forKey: "a", inCollection: "counts") as? String ?? "0") ?? 0
                try transaction.setObject("\(count + 1)", forKey: "a", inCollection: "counts")
                try transaction.setObject("x", forKey: "\(count)", inCollection: "marks")
            }
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
        let process = try child(in: folder)
        var random = SplitMix64(seed: UInt64(seed))
        // Any moment will do: time is the subject.
        usleep(UInt32(random.below(150)) * 1_000)
        kill(process, SIGKILL)
        try FileManager.default.removeItem(at: folder.appending(path: "pid"))
    }

    private static func follow(_ scene: Scene, _ b: YapDatabase, in folder: URL) throws {
        let process = try child(in: folder)
        defer { kill(process, SIGKILL) }
        let a = try scene.host("a")
        try a.set("1", "from a")
        try waitUntil("the other process counts") { Int(try a.string("a", in: "counts") ?? "0") ?? 0 > 5 }
        try a.waitFor(.live)
        kill(process, SIGKILL)
        for number in 0..<3 {
            try b.set("\(number)", "from b")
            try scene.expectEqual(a, b)
        }
        try a.waitFor(.live)
        try scene.close(a)
    }

    private static func child(in folder: URL) throws -> pid_t {
        let file = folder.appending(path: "pid")
        var process: pid_t?
        try waitUntil("the child starts") {
            process = (try? String(contentsOf: file, encoding: .utf8)).flatMap { pid_t($0) }
            return process != nil
        }
        return process ?? 0
    }
}
