import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// A space of a server, and hosts that follow it: databases in files of their own.
final class Scene: @unchecked Sendable {
    // @unchecked: a test uses it from one thread at a time.

    let server: PostgreSQLServer
    let space: String
    let folder: URL
    private var hosts: [(url: URL, database: YapDatabase)] = []

    /// The same space on a server that has taken over.
    init(_ server: PostgreSQLServer, _ folder: URL, space: String) throws {
        self.server = server
        self.folder = folder
        self.space = space
    }

    init(_ server: PostgreSQLServer, _ folder: URL) throws {
        self.server = server
        self.folder = folder
        space = "space-\(UUID().uuidString)"
        #expect(try administration().prepare(space: space) == [])
    }

    func administration() throws -> YapDatabaseServerAdministration {
        try YapDatabaseServerAdministration(address: server.address(), timeout: .seconds(60))
    }

    func serverOptions(user: String = "postgres") -> YapDatabaseServerOptions {
        var options = YapDatabaseServerOptions(address: server.address(user: user), space: space)
        // A limit for what hangs: a busy machine takes minutes for 33 MB.
        options.timeout = .seconds(600)
        return options
    }

    /// Opens a host's file, which is closed and checked at the end.
    func host(
        _ name: String, user: String = "postgres", _ change: (inout YapDatabaseServerOptions) -> Void = { _ in }
    ) throws -> YapDatabase {
        var options = serverOptions(user: user)
        change(&options)
        let url = folder.appending(path: "\(name).sqlite")
        let database = try YapDatabase.open(url: url, server: options, options: .forTests)
        hosts.append((url, database))
        return database
    }

    func close(_ database: YapDatabase) throws {
        try database.close()
        hosts.removeAll { $0.database === database }
    }

    fileprivate func end() throws {
        for host in hosts {
            try host.database.close()
            #expect(try YapDatabase.check(url: host.url) == [])
        }
    }

    func sql(user: String = "postgres") throws -> PostgreSQLConnection {
        try PostgreSQLConnection(
            to: ServerAddress(server.address(user: user)).patient, deadline: .now + .seconds(60), wakeUp: WakeUp())
    }

    /// The number and the rows of the space on the server.
    func truth() throws -> (number: Int, rows: [RowKey: [Data?]]) {
        let connection = try sql()
        var number = 0
        var rows: [RowKey: [Data?]] = [:]
        let limits = AnswerLimits(rows: 1_000_000)
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ", limits: limits)
        try connection.query("SELECT number FROM yap.space WHERE name = $1", [.text(space)], limits: limits) {
            number = try $0.int(0)
        }
        try connection.query(
            """
            SELECT r.collection, r.key, r.object, r.metadata FROM yap.row r JOIN yap.space s ON s.id = r.space
            WHERE s.name = $1 AND NOT r.gone
            """, [.text(space)], limits: limits
        ) { row in
            rows[RowKey(collection: try row.text(0), key: try row.text(1))] = [
                try row.data(2), row.isNull(3) ? nil : try row.data(3),
            ]
        }
        return (number, rows)
    }

    /// Another space under the same name, as after the loss of a server.
    func remakeSpace() throws {
        let deletions = ["row", "commit", "access", "follower"].map {
            "DELETE FROM yap.\($0) x USING yap.space s WHERE s.id = x.space AND s.name = '\(space)'"
        }
        // Hosts that are open note how far they are.
        let statements =
            ["BEGIN", "LOCK TABLE yap.follower"] + deletions + [
                "DELETE FROM yap.space WHERE name = '\(space)'", "COMMIT",
            ]
        try sql().execute(statements.joined(separator: ";"), limits: AnswerLimits(silence: .seconds(60)))
        #expect(try administration().prepare(space: space) == [])
    }

    /// Takes a copy of what the server has of the space, and puts it back later: a backup of yesterday.
    func backUpSpace() throws -> () throws -> Void {
        let sql = try sql()
        let tables = ["commit", "past", "row", "space"]
        let name = { (table: String) in "pg_temp.\(table)_copy" }
        for table in tables {
            let column = table == "space" ? "id" : "space"
            try sql.query(
                "CREATE TEMP TABLE \(table)_copy AS SELECT * FROM yap.\(table) x WHERE x.\(column) = (SELECT id FROM yap.space WHERE name = '\(space)')",
                limits: AnswerLimits())
        }
        return { [self] in
            for statement in [
                "DELETE FROM yap.row x USING yap.space s WHERE s.id = x.space AND s.name = '\(space)'",
                "DELETE FROM yap.commit x USING yap.space s WHERE s.id = x.space AND s.name = '\(space)'",
                "DELETE FROM yap.past x USING yap.space s WHERE s.id = x.space AND s.name = '\(space)'",
                "INSERT INTO yap.past SELECT * FROM \(name("past"))",
                "INSERT INTO yap.row SELECT * FROM \(name("row"))",
                "INSERT INTO yap.commit SELECT * FROM \(name("commit"))",
                "UPDATE yap.space s SET number = c.number, floor = c.floor FROM \(name("space")) c WHERE s.id = c.id",
            ] { try sql.query(statement, limits: AnswerLimits()) }
        }
    }

    /// Waits until the databases have what the server has now, and compares all bytes.
    func expectEqual(_ databases: YapDatabase..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        try expectEqual(databases, sourceLocation: sourceLocation)
    }

    func expectEqual(_ databases: [YapDatabase], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let truth = try truth()
        for database in databases {
            try waitForNumber(truth.number, in: database)
            #expect(try database.storedRows() == truth.rows, sourceLocation: sourceLocation)
        }
    }

    func waitForNumber(_ number: Int, in database: YapDatabase) throws {
        try waitUntil("the file has commit \(number); \(String(describing: database.server?.state))") {
            try (database.position?.reached ?? 0) >= number
        }
    }
}

func withScene(
    on server: PostgreSQLServer? = nil, _ body: (Scene) throws -> Void
) throws {
    try withTemporaryFolder { folder in
        let scene = try Scene(server ?? PostgreSQLServer.shared.get(), folder)
        do { try body(scene) } catch {
            try? scene.end()
            throw error
        }
        try scene.end()
    }
}

extension YapDatabase {
    func storedRows() throws -> [RowKey: [Data?]] {
        try newConnection().read { transaction in
            var rows: [RowKey: [Data?]] = [:]
            try transaction.forEachStoredKey { key in
                let bytes = try transaction.storedBytes(key)
                rows[key] = [bytes?.object, bytes?.metadata]
            }
            return rows
        }
    }

    var position: SpacePosition? {
        get throws { try newConnection().read { try $0.position() } }
    }

    func set(_ object: String?, _ key: String, in collection: String = "c", metadata: String? = nil) throws {
        try newConnection().readWrite {
            try $0.setObject(object, forKey: key, inCollection: collection, withMetadata: metadata)
        }
    }

    /// Writes as a release does that does not know that files follow spaces.
    func setUnasked(_ object: String?, _ key: String, in collection: String = "c", metadata: String? = nil) throws {
        try newConnection().writePastAuthority {
            try $0.setObject(object, forKey: key, inCollection: collection, withMetadata: metadata)
        } confirming: { _ in
        }
    }

    func string(_ key: String, in collection: String = "c") throws -> String? {
        try newConnection().read { try $0.object(forKey: key, inCollection: collection) as? String }
    }

    func waitForRefusal(containing part: String = "") throws {
        try waitUntil("refused, not \(String(describing: server?.state))") {
            if case .refused(let reason) = server?.state { reason.contains(part) } else { false }
        }
    }

    func waitFor(_ state: YapDatabaseServerState) throws {
        try waitUntil("\(state), not \(String(describing: server?.state))") { server?.state == state }
    }
}
