import Foundation
import PostgreSQLTesting
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// Several processes of one host, which are killed.
@Suite(.needsPostgreSQL, .serialized) struct ProcessTests {
    private static let kills = ProcessInfo.processInfo.environment["YAP_TORTURE"] == nil ? 3 : 200

    private static let folder = ProcessFolder("server")

    @Test func aProcessThatIsKilledLosesNothingAndAnotherTakesOver() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let scene = try Scene(PostgreSQLServer.shared.get(), folder)
        try HostChild.order(scene)
        let b = try scene.host("b")
        for kill in 0..<Self.kills {
            let killer = HostChild.inBackground {
                try HostChild.kill(in: folder, seed: kill, within: 150)
            }
            await #expect(processExitsWith: .signal(SIGKILL)) { try Self.write() }
            try killer.wait(for: "the killer")
            // The second process of the host, as the one that is left.
            let a = try scene.host("a")
            let acknowledged = try HostChild.acknowledged(in: folder)
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
        try HostChild.order(scene)
        let b = try scene.host("b")
        let seen = HostChild.inBackground { try Self.follow(scene, b, in: folder) }
        await #expect(processExitsWith: .signal(SIGKILL)) { try Self.write() }
        try seen.wait(for: "the other process")
        try b.close()
    }

    /// The child: increments a counter until it is killed.
    private static func write() throws {
        try HostChild.run(in: folder.ofParent) { database in
            try database.newConnection().readWrite { transaction in
                let count = Int(try transaction.object(forKey: "a", inCollection: "counts") as? String ?? "0") ?? 0
                try transaction.setObject("\(count + 1)", forKey: "a", inCollection: "counts")
                try transaction.setObject("x", forKey: "\(count)", inCollection: "marks")
            }
        }
    }

    private static func follow(_ scene: Scene, _ b: YapDatabase, in folder: URL) throws {
        let process = try HostChild.process(in: folder)
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
}
