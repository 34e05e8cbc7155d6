import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

@Suite(.needsPostgreSQL) struct RightsTests {
    private static let limits = AnswerLimits(silence: .seconds(60))

    /// A role of the test's own, which is gone with the server.
    private func role(_ scene: Scene) throws -> String {
        let name = "role-\(UUID().uuidString.lowercased())"
        try scene.sql().execute("CREATE ROLE \"\(name)\" LOGIN", limits: Self.limits)
        return name
    }

    @Test func aRoleSeesAndWritesWhatItWasGranted() throws {
        try withScene { scene in
            let admin = try scene.administration()
            let role = try role(scene)
            let a = try scene.host("a")
            try a.set("1", "k", in: "c")
            try a.set("2", "k", in: "d")
            try admin.grant(role: role, space: scene.space, collection: "c", canWrite: true)
            let b = try scene.host("b", user: role)
            try scene.waitForNumber(scene.truth().number, in: b)
            #expect(try b.storedRows().keys.map(\.collection) == ["c"])
            try b.set("3", "l", in: "c")
            for body in [
                { try b.set("4", "l", in: "d") },
                {
                    try b.set(nil, "k", in: "d"); try b.set("5", "k", in: "e")
                },
            ] {
                let error = #expect(throws: YapDatabaseServerError.self) { try body() }
                #expect(error?.code == .notAllowed)
            }
            try admin.grant(role: role, space: scene.space, collection: "c", canWrite: false)
            let error = #expect(throws: YapDatabaseServerError.self) { try b.set("6", "l", in: "c") }
            #expect(error?.code == .notAllowed)
            try scene.expectEqual(a)
            #expect(try a.storedRows().count == 3)
        }
    }

    @Test func sqlByHandShowsAndWritesNoMore() throws {
        try withScene { scene in
            let (role, stranger) = (try role(scene), try role(scene))
            let a = try scene.host("a")
            try a.set("1", "k", in: "c")
            try a.set("2", "k", in: "d")
            try scene.administration().grant(role: role, space: scene.space, collection: "c", canWrite: false)
            for (user, visible) in [(role, 1), (stranger, 0)] {
                let sql = try scene.sql(user: user)
                var rows = 0
                try sql.query(
                    "SELECT 1 FROM yap.row r JOIN yap.space s ON s.id = r.space WHERE s.name = $1",
                    [.text(scene.space)],
                    limits: Self.limits
                ) { _ in rows += 1 }
                #expect(rows == visible)
                for statement in [
                    "UPDATE yap.row SET object = ''", "DELETE FROM yap.row",
                    "INSERT INTO yap.access VALUES (1, session_user, '', true, true, 1)",
                    "UPDATE yap.space SET number = 0", "DELETE FROM yap.commit", "SELECT * FROM yap.follower",
                    "SELECT yap.grant('\(scene.space)', session_user::name, '\\xff', true, true)",
                    "SELECT yap.push(id, number, NULL, gen_random_uuid(), 0, '{c}', '{k}', '{7}', '{x}', '{NULL}') FROM yap.space",
                    "SELECT yap.push(s, 0, NULL, gen_random_uuid(), 2, '{}', '{}', '{}', '{}', '{}') FROM generate_series(1, 9) s",
                    "SELECT yap.hold(s) FROM generate_series(1, 9) s", "TRUNCATE yap.row", "DROP TABLE yap.row",
                    "CREATE TABLE yap.mine (x int)", "ALTER TABLE yap.row DISABLE ROW LEVEL SECURITY",
                ] {
                    let error = PostgreSQLError.Kind.failed
                    do {
                        try sql.execute(statement, limits: Self.limits)
                        // A stranger's push finds no space to push to.
                        #expect(statement.hasSuffix("FROM yap.space") && user == stranger, Comment(rawValue: statement))
                    } catch let thrown as PostgreSQLError {
                        #expect(thrown.kind == error)
                    }
                }
            }
            try scene.expectEqual(a)
            #expect(try a.string("k", in: "c") == "1")
        }
    }

    /// Types of a session come before those of the system, also where a policy runs SQL.
    @Test func ownTypesShowNoMore() throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            let stranger = try role(scene)
            // As an earlier release made it.
            try scene.execute(
                """
                CREATE OR REPLACE FUNCTION yap.is_member(role name) RETURNS boolean LANGUAGE sql STABLE AS
                $$ SELECT COALESCE(pg_catalog.pg_has_role(session_user::name, pg_catalog.to_regrole(pg_catalog.quote_ident($1))::oid,
                  'MEMBER'), false) $$
                """)
            #expect(try scene.administration().prepare(space: scene.space) == [])
            let a = try scene.host("a")
            try a.set("1", "k")
            let sql = try scene.sql(user: stranger)
            try sql.execute(
                """
                CREATE TEMP TABLE name (x text);
                CREATE FUNCTION pg_temp.f(pg_catalog.name) RETURNS pg_temp.name LANGUAGE sql AS $$ SELECT row('x')::pg_temp.name $$;
                CREATE FUNCTION pg_temp.g(pg_temp.name) RETURNS pg_catalog.name LANGUAGE sql AS $$ SELECT 'postgres'::pg_catalog.name $$;
                CREATE CAST (pg_catalog.name AS pg_temp.name) WITH FUNCTION pg_temp.f(pg_catalog.name);
                CREATE CAST (pg_temp.name AS pg_catalog.name) WITH FUNCTION pg_temp.g(pg_temp.name) AS IMPLICIT;
                CREATE TEMP TABLE oid (x text); CREATE TEMP TABLE text (x int); CREATE TEMP TABLE bool (x int)
                """, limits: Self.limits)
            for table in ["row", "space", "commit", "access", "past", "mutation", "participant", "rule"] {
                try sql.query("SELECT 1 FROM yap.\(table)", limits: Self.limits) { _ in
                    Issue.record("a stranger sees a row of \(table)")
                }
            }
        }
    }

    /// Where all may write into `public`, functions and operators of a member there are not run by the library for anyone else.
    @Test func functionsOfOthersAreNotRun() throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            let (member, mallory) = (try role(scene), try role(scene))
            let admin = try scene.administration()
            for role in [member, mallory] { try admin.grant(role: role, space: scene.space, canWrite: true) }
            try scene.sql().execute("GRANT CREATE ON SCHEMA public TO PUBLIC", limits: Self.limits)
            let texts = (1...14).map { Array(repeating: "text", count: $0).joined(separator: ", ") }
            let body = "LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.log VALUES (current_user); RETURN"
            let functions =
                texts.map { "FUNCTION public.concat(\($0)) RETURNS text \(body) ''; END $$" } + [
                    "FUNCTION public.make_interval(secs bigint) RETURNS interval \(body) interval '1 second'; END $$",
                    "FUNCTION public.substr(bytea, bigint) RETURNS bytea \(body) $1; END $$",
                    "FUNCTION public.times(numeric, integer) RETURNS numeric \(body) $1; END $$",
                    "OPERATOR public.* (LEFTARG = numeric, RIGHTARG = integer, FUNCTION = public.times)",
                ]
            try scene.sql(user: mallory).execute(
                "CREATE TABLE public.log (who text); GRANT ALL ON public.log TO PUBLIC; "
                    + functions.map { "CREATE \($0)" }.joined(separator: "; "), limits: Self.limits)
            let a = try scene.host("a", user: member)
            a.registerMutations(Increment.self)
            try a.set("1", "k")
            try a.set("0", "n")
            try a.make(Increment(key: "n"))
            try a.waitUntilSent()
            try a.set(nil, "k")
            let again = try scene.administration()
            #expect(try again.prepare(space: scene.space) == [])
            _ = try again.purge(space: scene.space, olderThan: .zero)
            _ = try again.spaces()
            try again.setName("m", ofRole: member, space: scene.space)
            #expect(try again.setRules([], space: scene.space) == 0)
            try scene.expectEqual(a)
            var ran: [String] = []
            try scene.sql().query("SELECT DISTINCT who FROM public.log", limits: Self.limits) {
                ran.append(try $0.text(0))
            }
            #expect(ran == [])
        }
    }

    /// A role that may write can keep a space, and one that may log in the tables: an administrator is told who does, and how to end it.
    @Test(arguments: [
        "SELECT yap.hold(s.id) FROM yap.space s",
        "SELECT yap.hold(s.id) FROM yap.space s; PREPARE TRANSACTION 'it''\u{301}s'",
        "SELECT pg_advisory_lock(7961712)",
    ]) func whoIsInTheWayIsTold(statement: String) throws {
        let server = try PostgreSQLServer(settings: ["max_prepared_transactions=2"])
        defer { server.stop() }
        try withScene(on: server) { scene in
            let (mallory, admin) = (try role(scene), try scene.administration())
            try admin.grant(role: mallory, space: scene.space, canWrite: true)
            let holder = try scene.sql(user: mallory)
            try holder.execute("BEGIN; \(statement)", limits: Self.limits)
            let error = #expect(throws: YapDatabaseServerError.self) {
                if statement.contains("advisory") {
                    _ = try admin.prepare(space: scene.space)
                } else {
                    try admin.revoke(role: mallory, space: scene.space)
                }
            }
            #expect(error?.message.contains("of the role \(mallory)") == true, "\(String(describing: error))")
            let end = try #require(error?.message.split(separator: "`").dropFirst().first, "how to end it")
            try scene.execute(String(end))
            #expect(try admin.prepare(space: scene.space) == [])
            try admin.revoke(role: mallory, space: scene.space)
        }
    }

    /// Who reads is not in the way of rules that are set again, and others who read do not wait for these.
    @Test func rulesAreSetAgainWhileOthersRead() throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            let admin = try scene.administration()
            let rule = YapDatabaseServerRule(collection: "c")
            #expect(try admin.setRules([rule], space: scene.space) == 0)
            let reader = try scene.sql()
            try reader.execute("BEGIN; SELECT count(*) FROM yap.row", limits: Self.limits)
            #expect(try admin.setRules([rule], space: scene.space) == 0)
            #expect(try admin.setRules([], space: scene.space) == 0)
            try reader.execute("ROLLBACK", limits: Self.limits)
        }
    }

    /// Who may read may fill no table.
    @Test func aRoleHasSoManyFilesAtMost() throws {
        try withScene { scene in
            let reader = try role(scene)
            try scene.administration().grant(role: reader, space: scene.space, canWrite: false)
            try scene.sql(user: reader).query(
                "SELECT yap.seen(s.id, gen_random_uuid(), 5) FROM yap.space s, generate_series(1, 1200) WHERE s.name = $1",
                [.text(scene.space)], limits: AnswerLimits(rows: 2_000))
            var count = 0
            try scene.sql().query(
                "SELECT count(*) FROM yap.follower f WHERE f.role = $1", [.text(reader)], limits: Self.limits
            ) { count = try $0.int(0) }
            #expect((1...1_000).contains(count), "\(count)")
        }
    }

    @Test func aTakenRightIsNoticed() throws {
        try withScene { scene in
            let admin = try scene.administration()
            let role = try role(scene)
            try admin.grant(role: role, space: scene.space, canWrite: true)
            let a = try scene.host("a", user: role)
            try a.set("1", "k", in: "c")
            try a.set("1", "k", in: "d")
            try admin.grant(role: role, space: scene.space, collection: "c", canWrite: true)
            try admin.revoke(role: role, space: scene.space)
            // What it may still read is compared: the rest is gone from the file.
            try waitUntil("the other collection is gone") { try a.string("k", in: "d") == nil }
            #expect(try a.string("k", in: "c") == "1")
            try admin.revoke(role: role, space: scene.space, collection: "c")
            try waitUntil("the state says it") {
                if case .refused = a.server?.state { true } else { false }
            }
            #expect(try a.string("k", in: "c") == "1", "what was copied stays")
        }
    }

    @Test func everyStepOfAdministrationMayBeRepeated() throws {
        try withScene { scene in
            let admin = try scene.administration()
            let a = try scene.host("a")
            try a.set("1", "k")
            try a.set("2", "l")
            try a.set(nil, "l")
            try scene.expectEqual(a)
            for _ in 0..<2 { #expect(try admin.prepare(space: scene.space) == []) }
            let role = try role(scene)
            for _ in 0..<2 { try admin.grant(role: role, space: scene.space, canWrite: false) }
            let space = try #require(try admin.spaces().first { $0.name == scene.space })
            #expect(space.rows == 1)
            #expect(space.removedRows == 1)
            #expect(space.number == 5, "three writes and two grants")
            #expect(space.rights.contains(.init(role: role, collection: nil, canWrite: false)))
            #expect(try admin.purge(space: scene.space, olderThan: .seconds(3_600)) == 0)
            #expect(try admin.purge(space: scene.space, olderThan: .zero) == 1)
            #expect(try admin.purge(space: scene.space, olderThan: .zero) == 0)
            for _ in 0..<2 { try admin.revoke(role: role, space: scene.space) }
            try a.set("3", "m")
            try scene.expectEqual(a)
            #expect(throws: YapDatabaseServerError.self) { try admin.purge(space: "no such space", olderThan: .zero) }
            #expect(throws: YapDatabaseServerError.self) {
                try admin.grant(role: "no such role", space: scene.space, canWrite: true)
            }
        }
    }
}
