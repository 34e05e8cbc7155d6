import Foundation
import PostgreSQLBridge

/// A connection to the server that has found the space.
final class ServerSession {
    let connection: PostgreSQLConnection
    let space: Int
    /// The server's time when the connection was made.
    let time: ServerTime.Reading
    /// Whether the server announces commits; false before ``listen()``.
    private(set) var isListening = false
    /// After how long the server ends a statement by itself; nil for never.
    private var statementLimit: Duration?

    /// - Parameter statementLimit: after how long the server ends a statement by itself; nil for never.
    init(
        _ address: ServerAddress, space name: String, deadline: ContinuousClock.Instant,
        statementLimit: Duration? = nil, wakeUp: WakeUp, isGivenUp: @escaping () -> Bool = { false }
    ) throws {
        self.statementLimit = statementLimit
        connection = try PostgreSQLConnection(to: address, deadline: deadline, wakeUp: wakeUp, isGivenUp: isGivenUp)
        let limits = AnswerLimits(deadline: deadline, rows: 10)
        let setting = PostgreSQLValue.text("\((statementLimit?.components.seconds ?? 0) * 1_000)")
        do {
            // One round trip: on a slow way each of them counts.
            (space, time) = try Self.find(SpaceSQL.findAndSet, name, [setting], connection, limits)
        } catch let error as PostgreSQLError where error.sqlState == SQLState.noRight {
            // Where a role has it off, the server refuses what a policy would only hide.
            try connection.execute("SET row_security = on", limits: limits)
            (space, time) = try Self.find(SpaceSQL.findAndSet, name, [setting], connection, limits)
        } catch let error as PostgreSQLError where error.isOfLackingServer {
            // Servers that only speak the protocol may lack a setting: then they plan as they like.
            (space, time) = try Self.find(SpaceSQL.find, name, [], connection, limits)
        } catch let error as PostgreSQLError where error.isOf([SQLState.cancelled, SQLState.locked]) {
            // Without its settings the session must not be used: a commit might not be on the disk when it is confirmed.
            throw PostgreSQLError(.unreachable, error.message, sqlState: error.sqlState)
        }
    }

    private static func find(
        _ sql: String, _ name: String, _ settings: [PostgreSQLValue], _ connection: PostgreSQLConnection,
        _ limits: AnswerLimits
    ) throws -> (space: Int, time: ServerTime.Reading) {
        var found: (format: Int, space: Int, time: ServerTime.Reading)?
        do {
            try connection.query(sql, [.text(name)] + settings, columns: 3 + settings.count, limits: limits) { row in
                found = (try row.int(0), try row.int(1), .init(microseconds: try row.int(2)))
            }
        } catch let error as PostgreSQLError where error.isOf(SQLState.noSpace) {
            throw YapDatabaseServerError(
                .badSpace, "The database at \(connection.address) has no spaces. `yap server init` makes it ready.",
                sqlState: error.sqlState)
        }
        guard let found else {
            throw YapDatabaseServerError(
                .notAllowed,
                "The space \"\(name)\" at \(connection.address) does not exist, or this role may not read it: `yap server status` "
                    + "lists the spaces, `yap server grant` gives rights.")
        }
        guard found.format == SpaceSQL.format else {
            throw YapDatabaseServerError(
                .wrongVersion,
                "The server's tables have format \(found.format) and this release knows \(SpaceSQL.format). "
                    + (found.format > SpaceSQL.format ? "Update this program." : "Run `yap server init`."))
        }
        return (found.space, found.time)
    }

    /// Lets the next statements take so long on the server, if that is longer than it lets them.
    func allow(_ time: Duration, until deadline: ContinuousClock.Instant) throws {
        guard let limit = statementLimit, time > limit else { return }
        try connection.execute(
            "SET statement_timeout = \(Int(time / .milliseconds(1)))", limits: AnswerLimits(deadline: deadline))
        statementLimit = time
    }

    /// Asks the server for nothing but an answer.
    func probe() throws { try connection.execute("", limits: AnswerLimits()) }

    /// Asks for announcements. A server that has none is asked for commits from time to time.
    func listen() throws {
        do {
            // The channel's name is made of a number alone.
            try connection.execute("LISTEN yap_\(space)", limits: AnswerLimits(deadline: .now + .seconds(5)))
            isListening = true
        } catch let error as PostgreSQLError where error.isOf([SQLState.notSupported, SQLState.badSyntax]) {
            isListening = false
        }
    }
}

extension PostgreSQLError {
    /// Whether the server does not know what it was asked for: a function, a setting, or a value of it.
    fileprivate var isOfLackingServer: Bool {
        guard kind == .failed, let sqlState else { return false }
        return sqlState.hasPrefix(SQLState.badStatement) && sqlState != SQLState.noRight
            || [SQLState.notSupported, SQLState.badSetting, SQLState.fixedSetting].contains(sqlState)
    }
}
