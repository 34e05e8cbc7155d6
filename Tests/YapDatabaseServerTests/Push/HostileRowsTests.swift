import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// Rows that no client sends: the server refuses them, and those that are there cost themselves and nothing else.
@Suite(.needsPostgreSQL) struct HostileRowsTests {
    private static let limits = AnswerLimits(silence: .seconds(60))

    @Test func theServerTakesOnlyWhatClientsSend() throws {
        try withScene { scene in
            let a = try scene.host("a")
            try a.set("v", "there")
            let sql = try scene.sql()
            func push(_ rows: String, mode: String = "0", id: String = "gen_random_uuid()") -> String {
                "SELECT yap.push(s.id, s.number, c.id, \(id), \(mode), \(rows)) FROM yap.space s JOIN yap.commit c "
                    + "ON c.space = s.id AND c.number = s.number WHERE s.name = '\(scene.space)'"
            }
            let sound = "'{c}', '{k}', '{7}', '{x}', '{NULL}'"
            let large = "ARRAY[convert_to(repeat('x', \(ServerLimits.transaction)), 'UTF8')]"
            for statement in [
                push("'{c}', '{k}', '{7}', '{NULL}', '{NULL}'"),  // a new row without an object
                push("'{c}', '{there}', '{1}', '{NULL}', '{NULL}'"),
                push("'{c}', '{k}', '{0}', '{x}', '{NULL}'"), push("'{c}', '{k}', '{0}', '{NULL}', '{NULL}'"),
                push("'{c}', '{k}', '{2}', '{NULL}', '{m}'"),  // metadata of no row
                push("'{c}', '{there}', '{2}', '{x}', '{m}'"),  // with an object that it does not name
                push("'{c}', '{there}', '{1}', '{x}', '{m}'"), push("'{c}', '{k}', '{NULL}', '{x}', '{NULL}'"),
                push("'{c}', '{k}', '{-1}', '{x}', '{NULL}'"), push("'{c}', '{k}', '{64}', '{x}', '{NULL}'"),
                push("'{c}', '{k}', '{12}', '{x}', '{NULL}'"), push("'{c}', '{there}', '{8}', '{x}', '{NULL}'"),
                push("'{NULL}', '{k}', '{7}', '{x}', '{NULL}'"), push("'{c}', '{NULL}', '{7}', '{x}', '{NULL}'"),
                push(#"'{"\\xff"}', '{k}', '{7}', '{x}', '{NULL}'"#),
                push(#"'{c}', '{"\\x6100"}', '{7}', '{x}', '{NULL}'"#),
                push("'{c}', '{k, l}', '{7}', '{x}', '{NULL}'"), push("'{c}', '{k}', '{7, 7}', '{x}', '{NULL}'"),
                push("'{c}', '{k}', '{7}', '{x, y}', '{NULL}'"),
                push("'{c, c}', '{k, k}', '{7, 7}', '{x, y}', '{NULL, NULL}'"),
                push("'{}', '{}', '{}', '{}', '{}'"), push("NULL, NULL, NULL, NULL, NULL"),
                push("'{c}', '{k}', '{7}', NULL, '{NULL}'"), push(sound, mode: "3"), push(sound, mode: "NULL"),
                push(sound, id: "NULL"), push("'{c}', '{k}', '{7}', \(large), '{NULL}'"),
                push("'{c}', '{k}', '{7}', '{x}', \(large)"),
                push("ARRAY[convert_to(repeat('x', 1025), 'UTF8')], '{k}', '{7}', '{x}', '{NULL}'"),
            ] {
                let error = #expect(throws: PostgreSQLError.self, Comment(rawValue: statement)) {
                    try sql.execute(statement, limits: Self.limits)
                }
                #expect(error?.kind == .failed, Comment(rawValue: statement))
            }
            // None of them left anything, and what a client sends is taken.
            try scene.expectEqual(a)
            try sql.execute(push(sound), limits: Self.limits)
            try scene.expectEqual(a)
            #expect(try a.storedRows().count == 2)
            try a.set("w", "there", metadata: "m")
            try a.newConnection().readWrite { try $0.replaceMetadata("n", forKey: "there", inCollection: "c") }
            try scene.expectEqual(a)
        }
    }

    /// As an earlier release of the server took them.
    @Test func rowsThatNoFileCanTakeAreLeftOutAndTheRestGoesOn() throws {
        try withScene { scene in
            let a = try scene.host("a")
            try a.set("v", "good")
            try a.set("v", "lost its object")
            try scene.expectEqual(a)
            let sql = try scene.sql()
            func insert(_ collection: String, _ key: String, _ object: String) throws {
                try sql.execute(
                    """
                    UPDATE yap.space SET number = number + 1 WHERE name = '\(scene.space)';
                    INSERT INTO yap.commit (space, number, id) SELECT id, number, gen_random_uuid() FROM yap.space WHERE name = '\(scene.space)';
                    INSERT INTO yap.row (space, collection, key, object, born, object_at, metadata_at, changed)
                      SELECT id, \(collection), \(key), \(object), number, number, number, number FROM yap.space
                      WHERE name = '\(scene.space)' ON CONFLICT (space, collection, key) DO UPDATE
                      SET object = EXCLUDED.object, object_at = EXCLUDED.object_at, changed = EXCLUDED.changed
                    """, limits: Self.limits)
            }
            try insert("'c'", "'without'", "NULL")
            try insert("'c'", "'lost its object'", "NULL")
            try insert(#"'\xff00'"#, "'k'", "'x'")
            try insert("'c'", #"'\xc328'"#, "'x'")
            try insert("'c'", "'huge'", "convert_to(repeat('x', 150000000), 'UTF8')")
            try a.set("v", "after")
            let b = try scene.host("b")
            for host in [a, b] {
                try waitUntil("\(String(describing: host.server?.state))") {
                    try host.string("after") == "v" && host.string("good") == "v"
                }
                try host.waitFor(.live)
                #expect(try host.string("huge") == nil && host.string("without") == nil)
            }
            #expect(try a.string("lost its object") == "v", "what a file has stays")
            #expect(b.server?.unusableRows.count == 5)
            // Both go on.
            try b.set("w", "good")
            try waitUntil("the other host") { try a.string("good") == "w" }

            let difference = try YapDatabaseServerDifference(b, address: scene.server.address())
            #expect((difference.different, difference.unusable) == (0, 5))
            let admin = try scene.administration()
            let rows = try admin.unusableRows(space: scene.space)
            #expect(rows.count == 5 && rows.contains { $0.key == "huge" && $0.reason.contains("150000000") })
            #expect(try admin.removeUnusableRows(space: scene.space) == 5)
            #expect(try admin.unusableRows(space: scene.space).isEmpty)
            try scene.expectEqual(a, b)
            #expect(try a.string("lost its object") == nil)

            // One that is named, whatever it holds.
            #expect(try admin.removeRow(forKey: "good", inCollection: "c", space: scene.space))
            #expect(try !admin.removeRow(forKey: "good", inCollection: "c", space: scene.space))
            try scene.expectEqual(a, b)
            #expect(try b.string("good") == nil)
        }
    }

    /// What an app cannot decode is a row as any other: it is followed and pushed, and stays out of lists.
    @Test func rowsThatTheAppCannotDecodeStopNoHost() throws {
        try withScene { scene in
            let (a, b) = (try scene.host("a") { $0.timeout = .seconds(20) }, try scene.host("b"))
            for host in [a, b] {
                let list = YapDatabaseAutoView(
                    grouping: .withObjectBlock { _, _, _, object in object as? String == nil ? nil : "all" },
                    sorting: .withKeyBlock { _, _, _, key1, _, key2 in
                        key1 < key2 ? .orderedAscending : .orderedDescending
                    },
                    versionTag: "1")
                try host.register([("list", list)])
            }
            try a.set("v", "before")
            try scene.sql().execute(
                "SELECT yap.push(s.id, s.number, c.id, gen_random_uuid(), 0, '{c}', '{bad}', '{7}', '{nonsense}', '{NULL}') "
                    + "FROM yap.space s JOIN yap.commit c ON c.space = s.id AND c.number = s.number "
                    + "WHERE s.name = '\(scene.space)'", limits: Self.limits)
            try a.set("v", "later")
            try scene.expectEqual(a, b)
            let c = try scene.host("c")
            try scene.expectEqual(c)
            for host in [a, b] {
                try host.newConnection().read { transaction in
                    let list = try #require(transaction.ext("list") as? YapDatabaseViewTransaction)
                    #expect(list.numberOfItems(inGroup: "all") == 2)
                }
            }
            #expect(try scene.administration().removeRow(forKey: "bad", inCollection: "c", space: scene.space))
            try scene.expectEqual(a, b, c)
            #expect(try c.storedRows().count == 2)
        }
    }

    /// Two transactions make a row that is larger than one may be; in the full form each is about as large as may be.
    @Test func aRowWhoseValuesCameInTwoTransactionsIsFollowed() throws {
        try withScene { scene in
            let (a, b) = (try scene.host("a"), try scene.host("b"))
            let large = String(repeating: "x", count: (Effort.isFull ? 49 : 33) << 20)
            #expect(2 * large.utf8.count > ServerLimits.transaction)
            try a.set(large, "k")
            try a.newConnection().readWrite { try $0.replaceMetadata(large, forKey: "k", inCollection: "c") }
            let c = try scene.host("c")
            try scene.expectEqual(a, b, c)
        }
    }
}
