import Foundation
import SeededRandom
import TestSupport
import Testing

@testable import YapDatabaseServer

/// A second process of a host, which a test starts, as the child of an exit test, to kill it. Parent and child meet in a folder.
enum HostChild {
    /// What the parent tells the child.
    private struct Order: Codable {
        var address: String
        var space: String
    }

    /// In the parent: what the child is to follow.
    static func order(_ scene: Scene) throws {
        let order = Order(address: scene.server.address(), space: scene.space)
        try JSONEncoder().encode(order).write(to: scene.folder.appending(path: "order"))
    }

    /// In the child: does something again and again until it is killed, and notes in `ledger` each time that it was acknowledged.
    static func run(in folder: URL, _ body: (YapDatabase) throws -> Void) throws {
        let parent = getppid()
        let order = try JSONDecoder().decode(Order.self, from: Data(contentsOf: folder.appending(path: "order")))
        let options = YapDatabaseServerOptions(address: order.address, space: order.space)
        let database = try YapDatabase.open(
            url: folder.appending(path: "a.sqlite"), server: options, options: .forTests)
        let ledger = open(folder.appending(path: "ledger").path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        try "\(getpid())".write(to: folder.appending(path: "pid"), atomically: true, encoding: .utf8)
        while getppid() == parent {
            try body(database)
            _ = Glibc.write(ledger, "+\n", 2)
        }
    }

    /// In the parent: how often the children were acknowledged.
    static func acknowledged(in folder: URL) throws -> Int {
        try String(contentsOf: folder.appending(path: "ledger"), encoding: .utf8).split(separator: "\n").count
    }

    /// In the parent: the child, once it runs.
    static func process(in folder: URL) throws -> pid_t {
        let file = folder.appending(path: "pid")
        var process: pid_t?
        try waitUntil("the child starts") {
            process = (try? String(contentsOf: file, encoding: .utf8)).flatMap { pid_t($0) }
            return process != nil
        }
        return process ?? 0
    }

    /// In the parent: kills the child at a random moment.
    static func kill(in folder: URL, seed: Int, within milliseconds: Int) throws {
        let process = try process(in: folder)
        var random = SplitMix64(seed: UInt64(seed))
        // Any moment will do: time is the subject.
        usleep(UInt32(random.below(milliseconds)) * 1_000)
        Glibc.kill(process, SIGKILL)
        try FileManager.default.removeItem(at: folder.appending(path: "pid"))
    }

    /// On a thread of its own: those of tasks may all be taken by tests that wait.
    static func inBackground(_ body: @escaping @Sendable () throws -> Void) -> DispatchGroup {
        let group = DispatchGroup()
        group.enter()
        Thread.detachNewThread {
            do { try body() } catch { Issue.record(error) }
            group.leave()
        }
        return group
    }
}
