import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// A purge forgets commits, and keeps enough of each to know a file's commit again: a server that went back is found out also
/// after it.
@Suite(.needsPostgreSQL) struct PurgedPastTests {
    @Test func aServerThatWentBackIsFoundOutAfterAPurge() throws {
        try withScene { scene in
            var (a, b) = (try scene.host("a"), try scene.host("b"))
            try a.set("kept", "0")
            let putBack = try scene.backUpSpace()
            for key in 1..<5 { try a.set("lost", "\(key)") }
            try scene.expectEqual(a, b)
            let before = try b.storedRows()
            for host in [a, b] { try scene.close(host) }
            try putBack()
            // The space goes on beyond the files' number, and forgets how it came there.
            let fresh = try scene.host("fresh")
            for round in 0..<9 { try fresh.set("fresh \(round)", "f") }
            _ = try scene.administration().purge(space: scene.space, olderThan: .zero)
            (a, b) = (try scene.host("a"), try scene.host("b"))
            for host in [a, b] {
                try host.waitForRefusal(containing: "lost commits")
                try host.waitForRefusal(containing: "4 rows that are not there, and the content of 0 rows")
                #expect(try host.storedRows() == before)
                let error = #expect(throws: YapDatabaseServerError.self) { try host.set("w", "k") }
                #expect(error?.code == .wouldLoseRows)
                #expect(try !YapDatabaseServerDifference(host, address: scene.server.address()).continuesFile)
            }
            #expect(try a.restoreSpace(address: scene.server.address()).given == 4)
            for host in [a, b] { host.server?.refresh() }
            try scene.expectEqual(a, b, fresh)
            try b.set("w", "k")
            try scene.expectEqual(a, b, fresh)
        }
    }
}

extension PurgedPastTests {
    /// Rows that others removed are no loss, also where the purge has left nothing of the commits: an earlier release has purged, or
    /// a backup lacks the table.
    @Test(arguments: ["kept", "truncated", "missing", "missing until init", "damaged"])
    func removalsAreFollowedWhateverIsLeftOfThePast(past: String) throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            let a = try scene.host("a")
            var b = try scene.host("b")
            for key in 0..<4 { try a.set("v", "\(key)") }
            try scene.expectEqual(a, b)
            try scene.close(b)
            for key in 0..<3 { try a.set(nil, "\(key)") }
            #expect(try scene.administration().purge(space: scene.space, olderThan: .zero) == 3)
            switch past {
            case "truncated": try scene.execute("TRUNCATE yap.past")
            case "missing", "missing until init": try scene.execute("DROP TABLE yap.past")
            case "damaged": try scene.execute("UPDATE yap.past SET ids = substr(ids, 1, 43)")
            default: break
            }
            b = try scene.host("b")
            try scene.expectEqual(a, b)
            #expect(try b.storedRows().count == 1)
            try b.set("w", "k")
            // What is missing comes back by a purge, or by `yap server init`.
            if past != "missing" { #expect(try scene.administration().prepare(space: scene.space) == []) }
            _ = try scene.administration().purge(space: scene.space, olderThan: .zero)
            let last = try #require(try scene.ends().keys.max(), "the last commit is not purged")
            #expect(try scene.past()[last] == nil)
            #expect(try scene.past().count == (past == "kept" ? 8 : past == "damaged" ? 5 : 1))
            try scene.expectEqual(a, b)
        }
    }

    /// Several chunks, purged in parts that end anywhere, and a number without a commit.
    @Test func whatAPurgeKeepsIsTheEndOfEachId() throws {
        try withScene { scene in
            let admin = try scene.administration()
            let id = "(SELECT id FROM yap.space WHERE name = '\(scene.space)')"
            try scene.execute(
                """
                INSERT INTO yap.commit (space, number, id, at) SELECT \(id), n, gen_random_uuid(),
                  clock_timestamp() - (2600 - n) * interval '1 day' FROM generate_series(2, 2500) n WHERE n NOT IN (7, 1030);
                UPDATE yap.space SET number = 2500 WHERE name = '\(scene.space)'
                """)
            let all = try scene.ends()
            for floor in [5, 1_000, 1_024, 1_030, 1_031, 2_048, 2_049, 2_049, 2_400] {
                _ = try admin.purge(space: scene.space, olderThan: .seconds((2_600 - floor) * 86_400))
                let (past, ends) = (try scene.past(), try scene.ends())
                let first = try #require(ends.keys.min())
                let isKept = past == all.filter { $0.key < first } && ends == all.filter { $0.key >= first }
                #expect(isKept && first == (floor == 1_030 ? 1_029 : floor), "up to \(floor)")
            }
            // Only who may read the space sees it.
            let role = "role-\(UUID().uuidString.lowercased())"
            try scene.execute("CREATE ROLE \"\(role)\" LOGIN")
            #expect(try scene.past(user: role).isEmpty)
            try admin.grant(role: role, space: scene.space, canWrite: false)
            #expect(try scene.past(user: role).count == 2_397, "of 2,399 two had no commit")
            let error = #expect(throws: PostgreSQLError.self) { try scene.execute("DELETE FROM yap.past", user: role) }
            #expect(error?.sqlState == "42501")
        }
    }

    /// Tables are restored one by one, and what stands in `yap.past` is of the time after the backup.
    @Test func aPastOfTheTimeAfterTheBackupIsReplacedByThePurge() throws {
        try withScene { scene in
            let a = try scene.host("a")
            var b = try scene.host("b")
            try a.set("kept", "0")
            let putBack = try scene.backUpSpace()
            for key in 1..<9 { try a.set("lost", "\(key)") }
            _ = try scene.administration().purge(space: scene.space, olderThan: .zero)
            let past = try scene.past()
            try scene.close(a)
            try scene.expectEqual(b)
            try scene.close(b)
            try putBack()
            for (number, end) in past { try scene.putPast(number, end) }
            let fresh = try scene.host("fresh")
            for round in 0..<20 { try fresh.set("fresh \(round)", "f") }
            let c = try scene.host("c")
            try scene.expectEqual(c)
            let ends = try scene.ends()
            try scene.close(c)
            for round in 0..<20 { try fresh.set("fresh \(round)", "f") }
            _ = try scene.administration().purge(space: scene.space, olderThan: .zero)
            #expect(try scene.past().merging(scene.ends()) { _, end in end }.filter { ends[$0.key] != nil } == ends)
            // Who has followed the space since then goes on; who has the lost rows keeps them.
            let again = try scene.host("c")
            try scene.expectEqual(again)
            b = try scene.host("b")
            try b.waitForRefusal(containing: "8 rows that are not there")
        }
    }
}

extension Scene {
    func execute(_ statements: String, user: String = "postgres") throws {
        try sql(user: user).execute(statements, limits: AnswerLimits(silence: .seconds(60)))
    }

    /// What is left of purged commits, by number.
    fileprivate func past(user: String = "postgres") throws -> [Int: Data] {
        let sql = try sql(user: user)
        var past: [Int: Data] = [:]
        try sql.query(
            """
            SELECT p.chunk, p.ids FROM yap.past p JOIN yap.space s ON s.id = p.space WHERE s.name = $1 ORDER BY p.chunk
            """, [.text(space)], limits: AnswerLimits()
        ) { row in
            let (chunk, ids) = (try row.int(0), try row.data(1))
            #expect(ids.count % 8 == 0 && ids.count <= 8_192)
            for entry in 0..<ids.count / 8 {
                let end = Data(ids[ids.startIndex + entry * 8..<ids.startIndex + entry * 8 + 8])
                if end != Data(count: 8) { past[chunk * 1_024 + entry] = end }
            }
        }
        return past
    }

    /// The ends of the ids of commits that are there, by number.
    fileprivate func ends() throws -> [Int: Data] {
        var ends: [Int: Data] = [:]
        try sql().query(
            """
            SELECT c.number, uuid_send(c.id) FROM yap.commit c JOIN yap.space s ON s.id = c.space WHERE s.name = $1
            """, [.text(space)], limits: AnswerLimits()
        ) { row in ends[try row.int(0)] = Data(try row.data(1).suffix(8)) }
        return ends
    }

    /// Writes an entry as if a purge of another time had.
    fileprivate func putPast(_ number: Int, _ end: Data) throws {
        let hex = end.map { String(format: "%02x", $0) }.joined()
        try execute(
            """
            INSERT INTO yap.past SELECT id, 0, decode(repeat('00', 8192), 'hex') FROM yap.space WHERE name = '\(space)' ON CONFLICT DO NOTHING;
            UPDATE yap.past p SET ids = overlay(p.ids placing '\\x\(hex)'::bytea FROM \(number * 8 + 1)) FROM yap.space s
              WHERE s.id = p.space AND s.name = '\(space)' AND p.chunk = 0
            """)
    }
}
