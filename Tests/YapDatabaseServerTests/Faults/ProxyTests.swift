import Foundation
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
