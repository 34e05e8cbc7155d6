import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// Servers that went back, forgot or went away.
@Suite(.needsPostgreSQL) struct HistoryTests {
    private static let limits = AnswerLimits(silence: .seconds(60))

    @Test func aFileThatWasAwayBeyondThePurgeIsCompared() throws {
        try withScene { scene in
            var b = try scene.host("b")
            let a = try scene.host("a")
            for key in 0..<5 { try a.set("v", "\(key)") }
            try scene.expectEqual(a, b)
            try scene.close(b)
            try a.set(nil, "1")
            try a.set("w", "2")
            #expect(try scene.administration().purge(space: scene.space, olderThan: .zero) == 1)
            try a.set("x", "6")
            b = try scene.host("b")
            try scene.expectEqual(a, b)
        }
    }

    /// A standby that lacked the last commits became the primary.
    @Test func commitsThatTheServerLostAreFoundAndTheHostsConverge() throws {
        try withScene { scene in
            let (a, b) = (try scene.host("a"), try scene.host("b"))
            for key in 0..<5 { try a.set("v", "\(key)") }
            try a.set("lost", "1")
            try a.set("lost", "new")
            try scene.expectEqual(a, b)
            try scene.close(b)
            let sql = try scene.sql()
            let space: [PostgreSQLValue] = [.text(scene.space)]
            for statement in [
                "DELETE FROM yap.commit c USING yap.space s WHERE s.id = c.space AND s.name = $1 AND c.number > 6",
                "DELETE FROM yap.row r USING yap.space s WHERE s.id = r.space AND s.name = $1 AND r.key = 'new'",
                "UPDATE yap.row r SET object = (SELECT object FROM yap.row x WHERE x.space = r.space AND x.key = '2'), changed = 2, "
                    + "object_at = 2 FROM yap.space s WHERE s.id = r.space AND s.name = $1 AND r.key = '1'",
                "UPDATE yap.space s SET number = 6 WHERE s.name = $1",
            ] { try sql.query(statement, space, limits: Self.limits) }
            // Finds it by the answer to its commit; the other one when it comes back.
            let connection = try a.newConnection()
            try connection.jump()
            try a.set("after", "after")
            let commits = try connection.jump()
            #expect(commits.contains { ($0.customObject as? YapDatabaseServerCommit)?.comparison == .historyLost })
            let b2 = try scene.host("b")
            try waitUntil("the lost row is gone") {
                try b2.string("new") == nil && b2.string("after") != nil
            }
            try scene.expectEqual(a, b2)
            #expect(try a.string("1") == "v")
        }
    }

    @Test func withoutItsServerAFileIsReadAndSaysWhy() throws {
        // Otherwise it forgets the last second when it is halted.
        let server = try PostgreSQLServer(isDurable: true)
        defer { server.stop() }
        try withScene(on: server) { scene in
            let a = try scene.host("a") { $0.timeout = .milliseconds(300) }
            try a.waitFor(.live)
            try scene.close(a)
            let b = try scene.host("a") { $0.timeout = .seconds(60) }
            try b.set("1", "k")
            try scene.close(b)
            let c = try scene.host("a") { $0.timeout = .milliseconds(300) }
            try c.waitFor(.live)
            server.halt()
            let error = #expect(throws: YapDatabaseServerError.self) { try c.set("2", "k") }
            #expect(error?.code == .serverUnreachable || error?.code == .outcomeUnknown)
            #expect(try c.string("k") == "1")
            try waitUntil("the state says it") {
                if case .offline = c.server?.state { true } else { false }
            }
            try server.start()
            try c.waitFor(.live)
            try waitUntil("writes work again") { (try? c.set("3", "k")) != nil }
            try scene.expectEqual(c)
        }
    }

    /// Nothing that was acknowledged is lost, and nothing is there twice.
    @Test func theServerIsKilledAndComesBack() throws {
        let server = try PostgreSQLServer(isDurable: true)
        defer { server.stop() }
        try withScene(on: server) { scene in
            let (a, b) = (try scene.host("a"), try scene.host("b"))
            let ledger = Increments(a)
            let group = DispatchGroup()
            DispatchQueue.global().async(group: group) { ledger.run(60) }
            for _ in 0..<2 {
                usleep(100_000)
                try server.kill()
                try server.start()
            }
            try group.wait(for: "the increments")
            try ledger.check(scene, [a, b])
        }
    }
}
