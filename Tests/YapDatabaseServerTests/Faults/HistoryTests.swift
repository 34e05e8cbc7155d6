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
                // Any moment will do: time is the subject.
                usleep(100_000)
                try server.kill()
                try server.start()
            }
            try group.wait(for: "the increments")
            try ledger.check(scene, [a, b])
        }
    }
}
