import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// One message after the other is delayed, repeated, lost or the last of its connection: each commit is made exactly
/// once.
@Suite(.needsPostgreSQL) struct ProxyTests {
    private static let isLong = ProcessInfo.processInfo.environment["YAP_TORTURE"] != nil

    @Test(arguments: [FaultyProxy.Fault.cutBefore, .cutAfter, .delay, .repeat])
    func eachCommitIsMadeOnce(fault: FaultyProxy.Fault) throws {
        try run(fault, messages: Self.isLong ? 100 : 14, timeout: .seconds(60))
    }

    /// Here the write has to give up at its timeout.
    @Test func aMessageThatNeverArrivesIsGivenUp() throws {
        try run(.swallow, messages: Self.isLong ? 40 : 6, timeout: .milliseconds(250))
    }

    /// On a way of 800 ms each round trip counts: a write that has to connect first must be over before its timeout.
    @Test func aConnectionAndItsFirstCommitTakeThreeRoundTrips() throws {
        try withScene { scene in
            let a = try scene.host("a")
            try a.set("1", "k")
            try scene.close(a)
            let proxy = try FaultyProxy(to: scene.server.socket, in: scene.folder)
            defer { proxy.close() }
            let pusher = Pusher(try ServerAddress(proxy.address), space: scene.space)
            let deadline = ContinuousClock.now + .seconds(60)
            _ = try pusher.connect(until: deadline)
            #expect(proxy.turns == 2, "to be let in, and to find the space")
            var outgoing = Outgoing()
            for key in 1...3 {
                outgoing = Outgoing()
                try outgoing.append("c", "\(key)", [.new, .object, .metadata], object: Data("v".utf8))
                let answer = try pusher.push(outgoing, base: nil, id: UUID(), mode: .rows, until: deadline)
                guard case .accepted = answer else {
                    Issue.record("\(answer)")
                    return
                }
                // The second one prepares the statement.
                #expect(proxy.turns == [3, 5, 6][key - 1])
            }
        }
    }

    private func run(_ fault: FaultyProxy.Fault, messages: Int, timeout: Duration) throws {
        try withScene { scene in
            let folder = scene.folder.appending(path: "p")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let proxy = try FaultyProxy(to: scene.server.socket, in: folder)
            defer { proxy.close() }
            let a = try scene.host("a") { options in
                options.address = proxy.address
                options.timeout = timeout
            }
            let b = try scene.host("b")
            let ledger = Increments(a)
            try ledger.increment()
            for index in 0..<messages {
                proxy.arm(fault, at: index)
                for _ in 0..<3 { try ledger.increment() }
            }
            try ledger.check(scene, [a, b])
        }
    }
}
