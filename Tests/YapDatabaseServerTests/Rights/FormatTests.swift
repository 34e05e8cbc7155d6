import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// Two releases with tables of different formats at one server.
@Suite(.needsPostgreSQL) struct FormatTests {
    private static let limits = AnswerLimits(silence: .seconds(60))

    @Test func aServerOfANewerReleaseIsRefusedAndReadsGoOn() throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            var a = try scene.host("a")
            try a.set("v", "k")
            try scene.close(a)
            let sql = try scene.sql()
            try sql.execute("UPDATE yap.about SET format = 2", limits: Self.limits)
            a = try scene.host("a")
            try waitUntil("the state says it") {
                if case .refused(let reason) = a.server?.state { reason.contains("Update this program") } else { false }
            }
            #expect(try a.string("k") == "v")
            var error = #expect(throws: YapDatabaseServerError.self) { try a.set("w", "k") }
            #expect(error?.code == .wrongVersion)
            error = #expect(throws: YapDatabaseServerError.self) {
                _ = try scene.administration().prepare(space: scene.space)
            }
            #expect(error?.code == .wrongVersion)

            try sql.execute("UPDATE yap.about SET format = 0", limits: Self.limits)
            error = #expect(throws: YapDatabaseServerError.self) { try a.set("w", "k") }
            #expect(error?.code == .wrongVersion && error?.message.contains("yap server init") == true)
            // This release brings older tables up to date.
            #expect(try scene.administration().prepare(space: scene.space) == [])
            a.server?.refresh()
            try a.set("w", "k")
            try scene.expectEqual(a)
            try a.waitFor(.live)
        }
    }

    /// The server ends one of two transactions that wait for each other. That says nothing of what the server lacks.
    @Test func anInitThatTheServerChoseAsVictimIsRunAgain() throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            let (other, watch) = (try scene.sql(), try scene.sql())
            try watch.execute("UPDATE yap.about SET format = 0", limits: Self.limits)
            try other.execute(
                "SET deadlock_timeout = '60s'; BEGIN; LOCK TABLE yap.follower IN ACCESS SHARE MODE", limits: Self.limits
            )
            let end = DispatchSemaphore(value: 0)
            let answer = Mutex<Result<[String], any Error>?>(nil)
            Thread.detachNewThread {
                let result = Result { try scene.administration().prepare(space: scene.space) }
                answer.withLock { $0 = result }
                end.signal()
            }
            try waitUntil("the init waits for the table") {
                var waits = false
                try watch.query("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)", limits: Self.limits) {
                    waits = try $0.bool(0)
                }
                return waits
            }
            // Waits for the init, which waits for this.
            try other.execute("LOCK TABLE yap.space IN ACCESS SHARE MODE; COMMIT", limits: Self.limits)
            try end.wait(for: "the end of the init")
            #expect(try answer.withLock { $0 }?.get() == [])
        }
    }

    /// What a later release may write into a file is not understood, and compared.
    @Test func aPositionOfAnotherReleaseIsCompared() throws {
        try withScene { scene in
            let a = try scene.host("a")
            try a.set("v", "k")
            let other = try scene.host("other")
            try scene.expectEqual(a, other)
            try scene.close(other)
            let plain = try YapDatabase(url: scene.folder.appending(path: "other.sqlite"), options: .forTests)
            try plain.newConnection().readWrite { transaction in
                try transaction.setFileValue("2\nsomething\nnew", SpaceValue.position)
            }
            try plain.close()
            #expect(throws: YapDatabaseServerError.self) { _ = try scene.host("other") }
            let again = try scene.host("other") { $0.replacesLocalRows = true }
            try a.set("w", "k")
            try scene.expectEqual(a, again)
        }
    }
}
