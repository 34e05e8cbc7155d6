import Foundation
import PostgreSQLBridge

/// Makes a server ready for spaces, and looks after them: what `yap server` does.
///
/// Every step may be repeated. All but ``spaces()`` need the role that owns the tables.
public final class YapDatabaseServerAdministration {
    let connection: PostgreSQLConnection
    let limits = AnswerLimits(silence: .seconds(600), rows: 1_000_000)

    /// Connects.
    /// - Parameters:
    ///   - address: libpq's connection string.
    ///   - timeout: the longest time to wait for the connection.
    /// - Throws: ``YapDatabaseServerError``: `badSpace` if the address is none, `serverUnreachable`, `notAllowed`.
    public init(address: String, timeout: Duration = .seconds(10)) throws {
        connection = try translating {
            try PostgreSQLConnection(to: ServerAddress(address).patient, deadline: .now + timeout, wakeUp: WakeUp())
        }
        // Else a function or an operator of another role in a schema that all may write, `public` before PostgreSQL 15, could be taken for the
        // system's, and would run with this role's rights.
        try translating { try connection.execute("SET search_path = pg_catalog", limits: limits) }
        // The role may have set it otherwise. A server that does not know the setting reads texts in this way.
        try? connection.execute("SET standard_conforming_strings = on", limits: limits)
        // A transaction that is open for hours must not keep this one waiting without a word.
        try? connection.execute("SET lock_timeout = '\(LockHolder.patience)s'", limits: limits)
    }

    /// Whether a connection string has a password in it, which other users of the machine can read in a list of
    /// processes.
    public static func hasPassword(address: String) -> Bool { (try? ServerAddress(address).hasPassword) ?? false }

    /// Creates what is missing: tables, rights, functions and, if it is named, a space in which the present role may
    /// write.
    /// - Returns: a sentence for each thing that this server lacks and that spaces can do without.
    /// - Throws: ``YapDatabaseServerError`` with `serverFailed` and a sentence for what the server lacks, and `wrongVersion` if a newer
    ///   release has made the tables.
    public func prepare(space: String?) throws -> [String] {
        try asking {
            var lacks: [String] = []
            try inTransaction {
                lacks = []
                try lockSchema()
                // Tables that are there are not locked, because hosts use them.
                for step in try stepsToDo() {
                    do {
                        try connection.execute("SAVEPOINT step; \(step.sql); RELEASE SAVEPOINT step", limits: limits)
                    } catch let error as PostgreSQLError
                        where error.kind == .failed && !error.isPassing && error.sqlState != SQLState.locked
                    {
                        let sentence = "This server lacks what spaces need, \(step.need): \(error.message)"
                        guard let lack = step.lack else {
                            throw YapDatabaseServerError(
                                error.sqlState == SQLState.noRight ? .notAllowed : .serverFailed, sentence,
                                sqlState: error.sqlState)
                        }
                        try connection.execute("ROLLBACK TO SAVEPOINT step", limits: limits)
                        lacks.append("Without \(step.need), \(lack). \(error.message)")
                    }
                }
                lacks += try lackOfEncoding()
                guard let space else { return }
                try connection.query(
                    "INSERT INTO yap.space (name) VALUES ($1) ON CONFLICT (name) DO NOTHING", [.text(space)],
                    limits: limits)
                try connection.query(
                    "SELECT yap.grant($1, session_user::name, $2, true, true)",
                    [.text(space), .bytes(Self.allCollections)],
                    limits: limits)
            }
            return lacks
        }
    }

    /// Lets a role read, and also write, a collection of a space, or all of them.
    /// - Parameters:
    ///   - role: the name of the role.
    ///   - space: the name of the space.
    ///   - collection: the name of the collection; nil for all.
    ///   - canWrite: whether it may also write.
    /// - Throws: ``YapDatabaseServerError`` with code `badSpace` if there is no such space; `serverUnreachable`, `notAllowed`,
    ///   `serverFailed` and the like.
    public func grant(role: String, space: String, collection: String? = nil, canWrite: Bool) throws {
        try setRight(role, space, collection, canRead: true, canWrite: canWrite)
    }

    /// Takes a role's rights. What a host has copied stays there until it connects again.
    /// - Parameters:
    ///   - role: the name of the role.
    ///   - space: the name of the space.
    ///   - collection: the name of the collection; nil for all.
    /// - Throws: ``YapDatabaseServerError`` with code `badSpace` if there is no such space; `serverUnreachable`, `notAllowed`,
    ///   `serverFailed` and the like.
    public func revoke(role: String, space: String, collection: String? = nil) throws {
        try setRight(role, space, collection, canRead: false, canWrite: false)
    }

    private func setRight(_ role: String, _ space: String, _ collection: String?, canRead: Bool, canWrite: Bool) throws
    {
        try asking {
            _ = try connection.query(
                "SELECT yap.grant($1, $2::name, $3, $4, $5)",
                [
                    .text(space), .text(role), .bytes(collection.map { Data($0.utf8) } ?? Self.allCollections),
                    .bool(canRead),
                    .bool(canWrite),
                ], limits: limits)
        }
    }

    /// Stands for all collections: no name has these bytes.
    static let allCollections = Data([0xff])

    /// The rights are made again only where some are missing, after a backup without rights was put back for example.
    private func stepsToDo() throws -> [SchemaStep] {
        guard try isUpToDate() else { return SchemaStep.all }
        let functions = [SchemaStep.membership] + SchemaStep.functions + [SchemaStep.ruleFunctions]
        return try isTrue(SchemaStep.hasRights)
            ? functions : SchemaStep.rights + [SchemaStep.past, .mutations] + functions + [.rules]
    }

    private func lackOfEncoding() throws -> [String] {
        var encoding = ""
        try connection.query("SELECT current_setting('server_encoding')", limits: limits) { encoding = try $0.text(0) }
        guard !["UTF8", "SQL_ASCII"].contains(encoding) else { return [] }
        return [
            "Without the encoding UTF8, keys and collections with characters that \(encoding) lacks are refused. Make the database with "
                + "ENCODING 'UTF8' TEMPLATE template0."
        ]
    }

    /// Whether the tables are there, of this release's format.
    private func isUpToDate() throws -> Bool {
        guard try isTrue("SELECT to_regclass('yap.about') IS NOT NULL") else { return false }
        var format = 0
        try connection.query("SELECT a.format FROM yap.about a", limits: limits) { format = try $0.int(0) }
        guard format <= SpaceSQL.format else {
            throw YapDatabaseServerError(
                .wrongVersion,
                "The server's tables have format \(format), which is newer than this release. Update this program.")
        }
        guard format == SpaceSQL.format else { return false }
        return try isTrue(SpaceSQL.isIdentified) && isTrue(PastSQL.exists) && isTrue(MutationSQL.exists)
            && isTrue(SchemaStep.hasRules) && isTrue(SchemaStep.hasIDsOfSpaces)
    }

    /// One at a time. A server without such locks has to be asked by one administrator at a time.
    func lockSchema() throws {
        try connection.execute("SELECT pg_advisory_xact_lock(7961712)", limits: limits)
    }

    /// Runs the body and turns an error of the connection into one of the library. Where another connection was in the way, it says which.
    func asking<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as PostgreSQLError where error.sqlState == SQLState.locked {
            // Who may not see the others has the server's own words.
            let holders = (try? lockHolders()) ?? []
            throw YapDatabaseServerError(.serverFailed, LockHolder.text(of: holders), sqlState: error.sqlState)
        } catch let error as PostgreSQLError { throw YapDatabaseServerError(error) }
    }

    func isTrue(_ sql: String) throws -> Bool {
        var isTrue = false
        try connection.query(sql, limits: limits) { isTrue = try $0.bool(0) }
        return isTrue
    }

    func missing(_ space: String) -> YapDatabaseServerError {
        YapDatabaseServerError(.badSpace, "There is no space \"\(space)\". `yap server status` lists the spaces.")
    }

    func inTransaction(_ body: () throws -> Void) throws {
        for attempt in 1... {
            do {
                try connection.execute("BEGIN", limits: limits)
                try body()
                return try connection.execute("COMMIT", limits: limits)
            } catch {
                if connection.isOpen { try? connection.execute("ROLLBACK", limits: limits) }
                guard let failure = error as? PostgreSQLError, failure.isVictim, attempt < 10 else { throw error }
            }
        }
    }
}
