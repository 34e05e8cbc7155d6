import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// What an administrator has set otherwise: settings of a role, rights, constraints. Nothing that was acknowledged is lost or rejected for
/// them, and a file follows wherever it can read.
@Suite(.needsPostgreSQL) struct ServerSettingsTests {
    private static let settings = [
        "standard_conforming_strings = off", "synchronous_commit = off",
        "default_transaction_isolation = 'serializable'", "bytea_output = 'escape'", "DateStyle = 'German'",
        "client_encoding = 'LATIN1'", "search_path = ''", "row_security = off",
    ]

    @Test(arguments: settings) func aRoleWithAnotherSettingWritesAndFollows(setting: String) throws {
        try withScene { scene in
            let role = try Self.role(scene)
            try scene.execute("ALTER ROLE \"\(role)\" SET \(setting)")
            let (a, b) = (try scene.host("a", user: role), try scene.host("b"))
            for host in [a, b] { host.registerMutations(Increment.self) }
            try a.set("0", "n")
            for number in 0..<5 {
                try b.set("\(number)", "of b")
                try a.set("é😀\(number)", "of a \u{10FFFD}\\'")
                try a.make(Increment(key: "n"))
            }
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
            #expect(try a.string("n") == "5" && a.rejected.isEmpty)
        }
    }

    /// A commit that is confirmed is on the server's disk.
    @Test(arguments: [("off", "on"), ("local", "local"), ("remote_write", "remote_write")])
    func aConfirmedCommitIsOnTheDisk(set: String, used: String) throws {
        try withScene { scene in
            let role = try Self.role(scene)
            try scene.execute("ALTER ROLE \"\(role)\" SET synchronous_commit = '\(set)'")
            let session = try ServerSession(
                ServerAddress(scene.server.address(user: role)).patient, space: scene.space,
                deadline: .now + .seconds(60),
                wakeUp: WakeUp())
            var found = ""
            try session.connection.query("SELECT current_setting('synchronous_commit')", limits: AnswerLimits()) {
                found = try $0.text(0)
            }
            #expect(found == used)
        }
    }

    /// A session whose first statement is ended has the role's settings: it is not used.
    @Test func aSessionWithoutItsSettingsIsNotUsed() throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            let role = try Self.role(scene)
            for setting in ["synchronous_commit = off", "statement_timeout = '200ms'", "lock_timeout = '150ms'"] {
                try scene.execute("ALTER ROLE \"\(role)\" SET \(setting)")
            }
            func open() throws -> ServerSession {
                try ServerSession(
                    ServerAddress(scene.server.address(user: role)).patient, space: scene.space,
                    deadline: .now + .seconds(60), wakeUp: WakeUp())
            }
            let holder = try scene.sql()
            for timeout in [SQLState.locked, SQLState.cancelled] {
                if timeout == SQLState.cancelled { try scene.execute("ALTER ROLE \"\(role)\" SET lock_timeout = 0") }
                try holder.execute("BEGIN; LOCK TABLE yap.space", limits: AnswerLimits())
                let error = #expect(throws: PostgreSQLError.self) { _ = try open() }
                #expect(error?.isPassing == true && error?.sqlState == timeout, "\(String(describing: error))")
                try holder.execute("ROLLBACK", limits: AnswerLimits())
            }
            var found: [String] = []
            let names = ["synchronous_commit", "statement_timeout", "lock_timeout"]
            for name in names {
                try open().connection.query("SELECT current_setting($1)", [.text(name)], limits: AnswerLimits()) {
                    found.append(try $0.text(0))
                }
            }
            #expect(found == ["on", "0", "0"])
        }
    }

    /// The same file has given its mutations to another space of the database, in tables of this release and of one before.
    @Test(arguments: [false, true]) func eachSpaceHasItsOwnIDs(isOfAnEarlierRelease: Bool) throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            if isOfAnEarlierRelease {
                try scene.execute(
                    """
                    ALTER TABLE yap.commit ADD CONSTRAINT commit_id_key UNIQUE (id);
                    ALTER TABLE yap.mutation DROP CONSTRAINT mutation_pkey, ADD PRIMARY KEY (id)
                    """)
            }
            let line = try CutLine(scene)
            let (a, b) = (try scene.host("a") { $0.address = line.address }, try scene.host("b"))
            a.registerMutations(Put.self)
            try a.set("v", "0")
            try line.cut()
            for key in ["1", "2"] { try a.make(Put(key: key, value: "v")) }
            let ids = try a.pending.map { "'\($0.id)'" }
            #expect(ids.count == 2)
            try scene.execute("INSERT INTO yap.space (name) VALUES ('other') ON CONFLICT DO NOTHING")
            for (number, id) in ids.enumerated() {
                try scene.execute(
                    """
                    INSERT INTO yap.commit (space, number, id) SELECT id, \(number + 100), \(id) FROM yap.space WHERE name = 'other';
                    INSERT INTO yap.mutation (space, number, id) SELECT id, \(number + 100), \(id) FROM yap.space WHERE name = 'other'
                    """)
            }
            try line.join()
            if isOfAnEarlierRelease {
                try waitUntil("it says what helps") { a.server?.reasonOfWaiting?.contains("yap server init") == true }
                #expect(try a.pending.count == 2 && a.rejected.isEmpty)
                #expect(try scene.administration().prepare(space: scene.space) == [])
                a.server?.refresh()
            }
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
            #expect(try b.string("1") == "v" && b.string("2") == "v")
        }
    }

    /// The role has one connection, which the follower uses: mutations wait for another, say so, and the file follows.
    @Test func withoutASecondConnectionTheFileFollows() throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            let role = try Self.role(scene)
            let (a, b) = (try scene.host("a", user: role), try scene.host("b"))
            a.registerMutations(Put.self)
            try b.set("0", "n")
            try waitUntil("it follows") { try a.string("n") == "0" }
            try scene.execute("ALTER ROLE \"\(role)\" CONNECTION LIMIT 1")
            try a.make(Put(key: "k", value: "v"))
            try waitUntil("it says why it waits") { a.server?.reasonOfWaiting?.contains("connections") == true }
            for number in 1...10 {
                let start = ContinuousClock.now
                try b.set("\(number)", "n")
                try waitUntil("it follows") { try a.string("n") == "\(number)" }
                #expect(start.duration(to: .now) < .seconds(8), "an attempt to connect takes ten seconds")
            }
            #expect(a.server?.state == .live && a.server?.reasonOfWaiting != nil)
            #expect(try a.pending.count == 1)
            try scene.execute("ALTER ROLE \"\(role)\" CONNECTION LIMIT 5")
            a.server?.refresh()
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
        }
    }

    /// A constraint or a trigger forbids one row: that mutation is rejected, those behind it are sent.
    @Test(arguments: ["constraint", "trigger"]) func aRowThatTheServerForbidsRejectsItsMutation(kind: String) throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            try scene.execute(
                kind == "constraint"
                    ? "ALTER TABLE yap.row ADD CHECK (key <> 'bad'::bytea)"
                    : """
                    CREATE FUNCTION forbid() RETURNS trigger LANGUAGE plpgsql AS
                      $$ BEGIN IF NEW.key = 'bad'::bytea THEN RAISE 'not this one'; END IF; RETURN NEW; END $$;
                    CREATE TRIGGER forbid BEFORE INSERT ON yap.row FOR EACH ROW EXECUTE FUNCTION forbid()
                    """)
            let (a, b) = (try scene.host("a"), try scene.host("b"))
            a.registerMutations(Put.self)
            for key in ["1", "bad", "2"] { try a.make(Put(key: key, value: "v")) }
            try a.waitUntilSent()
            #expect(try a.rejected.map(\.name) == ["put"] && a.string("bad") == nil)
            #expect(
                try a.rejected.first?.reason?.contains(kind == "constraint" ? "check constraint" : "not this one")
                    == true)
            try a.set("v", "3")
            try scene.expectEqual(a, b)
            #expect(try ["1", "2", "3"].allSatisfy { try b.string($0) == "v" })
        }
    }

    /// The server does not store one for a reason that says nothing of its rows: those before it are sent, it and those behind it wait.
    @Test func whatIsBeforeOneThatWaitsIsSent() throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            try scene.execute(
                """
                CREATE FUNCTION delay() RETURNS trigger LANGUAGE plpgsql AS
                  $$ BEGIN IF NEW.key = 'later'::bytea THEN RAISE 'not now' USING ERRCODE = '55000'; END IF; RETURN NEW; END $$;
                CREATE TRIGGER delay BEFORE INSERT ON yap.row FOR EACH ROW EXECUTE FUNCTION delay()
                """)
            let line = try CutLine(scene)
            let (a, b) = (try scene.host("a") { $0.address = line.address }, try scene.host("b"))
            a.registerMutations(Put.self)
            try a.set("v", "0")
            try line.cut()
            for key in ["1", "2", "later", "3"] { try a.make(Put(key: key, value: "v")) }
            try line.join()
            try waitUntil("it says why one waits") { a.server?.reasonOfWaiting?.contains("not now") == true }
            #expect(try a.pending.count == 2 && a.rejected.isEmpty)
            try b.set("v", "of b")
            try waitUntil("it follows") { try a.string("of b") == "v" }
            #expect(try b.string("1") == "v" && b.string("2") == "v" && b.string("3") == nil)
            try scene.execute("DROP TRIGGER delay ON yap.row")
            a.server?.refresh()
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
        }
    }

    /// Another connection holds the space: the mutation says what is in the way, and is sent when the space is free. One for which the server
    /// needs longer than it got is given more time.
    @Test(arguments: [true, false]) func aMutationThatTheServerIsSlowToStoreIsSentInTheEnd(isHeld: Bool) throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            let a = try scene.host("a")
            a.registerMutations(Put.self)
            try a.set("v", "0")
            let holder = try scene.sql()
            if isHeld {
                try holder.execute("BEGIN", limits: AnswerLimits())
                try holder.query(
                    "SELECT yap.hold(s.id) FROM yap.space s WHERE s.name = $1", [.text(scene.space)],
                    limits: AnswerLimits())
            } else {
                try scene.execute(
                    """
                    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(12); RETURN NEW; END $$;
                    CREATE TRIGGER slow BEFORE INSERT ON yap.row FOR EACH ROW EXECUTE FUNCTION slow()
                    """)
            }
            try a.make(Put(key: "k", value: "v"))
            if isHeld {
                try waitUntil("it says why") { a.server?.reasonOfWaiting?.contains("pg_terminate_backend") == true }
                #expect(try a.pending.count == 1 && a.rejected.isEmpty)
                try holder.execute("ROLLBACK", limits: AnswerLimits())
            }
            try a.waitUntilSent()
            try waitUntil("nothing waits") { a.server?.reasonOfWaiting == nil }
            try scene.expectEqual(a)
            #expect(try a.string("k") == "v")
        }
    }

    /// The role lacks a right to a part of the tables or functions, for now: mutations wait for it, and following goes on at once.
    @Test func mutationsWaitForARightAndTheFileFollows() throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            let role = try Self.role(scene)
            let (a, b) = (try scene.host("a", user: role), try scene.host("b"))
            a.registerMutations(Put.self)
            try a.set("v", "first")
            let functions = "FUNCTION yap.mutate, yap.seen"
            try scene.execute("REVOKE EXECUTE ON \(functions) FROM PUBLIC")
            for key in ["1", "2"] { try a.make(Put(key: key, value: "v")) }
            try waitUntil("it says why they wait") { a.server?.reasonOfWaiting?.contains("permission denied") == true }
            for number in 0..<10 {
                try b.set("\(number)", "of b")
                let start = ContinuousClock.now
                try waitUntil("it follows") { try a.string("of b") == "\(number)" }
                #expect(ContinuousClock.now - start < .seconds(5), "a refusal pauses for ten")
            }
            #expect(try a.pending.count == 2 && a.rejected.isEmpty)
            #expect(a.server?.state == .live)
            // Rights of functions are made again each time.
            #expect(try scene.administration().prepare(space: scene.space) == [])
            a.server?.refresh()
            try a.waitUntilSent()
            try scene.expectEqual(a, b)
        }
    }

    /// A backup was put back without rights, or an administrator took them: `yap server init` makes them again.
    @Test(arguments: [
        "REVOKE ALL ON SCHEMA yap FROM PUBLIC; REVOKE ALL ON ALL TABLES IN SCHEMA yap FROM PUBLIC",
        "ALTER TABLE yap.row DISABLE ROW LEVEL SECURITY; DROP POLICY member ON yap.row",
        "DROP POLICY readers ON yap.row",
        "DROP POLICY member ON yap.space", "REVOKE SELECT ON yap.past FROM PUBLIC",
    ]) func missingRightsAreMadeAgain(damage: String) throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            let role = try Self.role(scene)
            try scene.execute("CREATE ROLE stranger LOGIN")
            try scene.execute(damage)
            #expect(try scene.administration().prepare(space: scene.space) == [])
            let a = try scene.host("a", user: role)
            try a.set("v", "k")
            try scene.expectEqual(a)
            var count = -1
            try scene.sql(user: "stranger").query("SELECT count(*) FROM yap.row", limits: AnswerLimits()) {
                count = try $0.int(0)
            }
            #expect(count == 0)
        }
    }

    /// What an administrator has taken is told with what helps, and not as a server that is away.
    @Test(arguments: [
        ("ALTER ROLE \"ROLE\" NOLOGIN", "role's LOGIN"),
        ("REVOKE CONNECT ON DATABASE postgres FROM PUBLIC", "CONNECT"),
    ]) func aRoleThatMayNotConnectIsRefused(taking: String, advice: String) throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            let role = try Self.role(scene)
            let a = try scene.host("a", user: role)
            try a.set("v", "k")
            try scene.execute(taking.replacing("ROLE\"", with: "\(role)\""))
            try scene.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(role)'")
            var reason = ""
            try waitUntil("it says that it is refused") {
                guard case .refused(let said)? = a.server?.state else { return false }
                reason = said
                return true
            }
            #expect(reason.contains(advice) && !reason.contains(".c:"), "\(reason)")
            // The first one may have been on its way when the connection ended.
            _ = try? a.set("w", "k")
            let error = #expect(throws: YapDatabaseServerError.self) { try a.set("w", "k") }
            #expect(error?.code == .notAllowed, "\(String(describing: error))")
        }
    }

    @Test func aServerThatIsOnlyReadSaysWhatHelps() throws {
        try withScene { scene in
            let role = try Self.role(scene)
            try scene.execute("ALTER ROLE \"\(role)\" SET default_transaction_read_only = on")
            let a = try scene.host("a", user: role) { $0.timeout = .seconds(1) }
            let error = #expect(throws: YapDatabaseServerError.self) { try a.set("w", "k") }
            #expect(error?.message.contains("default_transaction_read_only") == true, "\(String(describing: error))")
            // The server answers each attempt, so it is certain that nothing is stored.
            let b = try scene.host("b", user: role) {
                $0.timeout = .seconds(4)
                $0.address += " target_session_attrs=any"
            }
            let refused = #expect(throws: YapDatabaseServerError.self) { try b.set("w", "k") }
            #expect(refused?.code == .serverUnreachable, "\(String(describing: refused))")
            #expect(refused?.message.hasSuffix("Nothing was stored.") == true, "\(String(describing: refused))")
            try scene.execute("ALTER ROLE \"\(role)\" RESET default_transaction_read_only")
        }
    }

    @Test func anEncodingThatLacksCharactersIsSaid() throws {
        let server = try PostgreSQLServer()
        defer { server.stop() }
        try withScene(on: server) { scene in
            try scene.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
            let address = scene.server.address().replacing("dbname=postgres", with: "dbname=latin")
            let lacks = try YapDatabaseServerAdministration(address: address).prepare(space: "s")
            #expect(lacks.count == 1 && lacks[0].contains("LATIN1") && lacks[0].contains("ENCODING 'UTF8'"))
        }
    }

    private static func role(_ scene: Scene) throws -> String {
        let role = "role-\(UUID().uuidString.lowercased())"
        try scene.execute("CREATE ROLE \"\(role)\" LOGIN")
        try scene.administration().grant(role: role, space: scene.space, canWrite: true)
        return role
    }
}
