import Foundation
import PostgreSQLBridge
import PostgreSQLTesting
import YapDatabaseServer

/// A durable server of the run's own with a space, and hosts that follow it. The network is the loopback of a Unix
/// socket.
final class ServerScene {
    let server: PostgreSQLServer
    let space = "bench"
    private let folder: URL
    private var hosts: [YapDatabase] = []

    init(_ folder: URL) throws {
        self.folder = folder
        server = try PostgreSQLServer(isDurable: true, settings: ["max_connections=400", "shared_buffers=256MB"])
        _ = try YapDatabaseServerAdministration(address: server.address()).prepare(space: space)
        // The tables of the work by hand, of the same form.
        try sql().execute(
            """
            CREATE TABLE hand_space (id int8 PRIMARY KEY, number int8 NOT NULL);
            INSERT INTO hand_space VALUES (1, 0);
            CREATE TABLE hand_commit (number int8 PRIMARY KEY, id uuid UNIQUE NOT NULL);
            CREATE TABLE hand_row (key bytea PRIMARY KEY, object bytea NOT NULL, changed int8 NOT NULL);
            CREATE INDEX ON hand_row (changed)
            """, limits: Self.limits)
    }

    static let limits = AnswerLimits(silence: .seconds(60), rows: 10_000_000)

    func end() throws {
        for host in hosts { try host.close() }
        hosts = []
        server.stop()
    }

    func sql() throws -> PostgreSQLConnection {
        try PostgreSQLConnection(
            to: ServerAddress(server.address()).patient, deadline: .now + .seconds(60), wakeUp: WakeUp())
    }

    /// The name of the run's space, or of another one.
    func space(_ number: Int) throws -> String {
        guard number > 0 else { return space }
        _ = try YapDatabaseServerAdministration(address: server.address()).prepare(space: "\(space)\(number)")
        return "\(space)\(number)"
    }

    func file(_ name: String) -> URL { folder.appending(path: "\(name).sqlite") }

    func host(
        _ name: String, _ synchronous: YapDatabaseOptions.Synchronous = .full,
        mode: YapDatabaseServerMode = .serializable, in other: String? = nil, user: String = "postgres"
    ) throws -> YapDatabase {
        var serverOptions = YapDatabaseServerOptions(address: server.address(user: user), space: other ?? space)
        serverOptions.mode = mode
        serverOptions.timeout = .seconds(60)
        var options = YapDatabaseOptions()
        options.pragmaSynchronous = synchronous
        options.postsNotifications = false
        let database = try YapDatabase.open(
            url: file(name), server: serverOptions, options: options)
        hosts.append(database)
        return database
    }

    /// The same by hand: takes a number under the lock of a row, inserts, notifies, in one round trip after BEGIN.
    static func insertByHand(_ key: String, _ connection: PostgreSQLConnection) throws {
        try connection.execute("BEGIN", limits: limits)
        var number = 0
        try connection.query("UPDATE hand_space SET number = number + 1 WHERE id = 1 RETURNING number", limits: limits)
        {
            number = try $0.int(0)
        }
        try connection.query(
            "INSERT INTO hand_commit VALUES ($1, $2)", [.int(Int64(number)), .uuid(UUID())], limits: limits)
        try connection.query(
            "INSERT INTO hand_row VALUES ($1, $2, $3)", [.bytes(Data(key.utf8)), .bytes(message), .int(Int64(number))],
            limits: limits)
        try connection.query("SELECT pg_notify('hand', $1)", [.text("\(number)")], limits: limits)
        try connection.execute("COMMIT", limits: limits)
    }

    static let message = Data(repeating: 65, count: 120)
}

extension YapDatabase {
    func waitUntilLive() { while server?.state != .live { usleep(1_000) } }

    func waitFor(_ number: Int) { while (server?.number ?? 0) < number { usleep(200) } }

    func insertMessage(_ key: String) throws {
        try newConnection().readWrite { transaction in
            try transaction.setObject(ServerScene.message, forKey: key, inCollection: "messages")
        }
    }
}
