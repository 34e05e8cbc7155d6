import PostgreSQLBridge

/// A connection, or a prepared transaction, that has locks on the tables of spaces.
struct LockHolder {
    /// How many seconds the work of an administrator waits for others.
    static let patience = 10

    let what: String
    /// The SQL that ends it.
    let end: String

    static func text(of holders: [LockHolder]) -> String {
        let head = "Another connection has held what this needs for \(patience) s, and nothing was changed."
        guard !holders.isEmpty else { return head + " `pg_stat_activity` shows the connections of the server." }
        return head
            + " It is one of these: \(holders.map(\.what).joined(separator: "; ")). An administrator of the server ends the first "
            + "with `\(holders[0].end)`."
    }
}

extension YapDatabaseServerAdministration {
    /// The connections that have locks on the tables, those with the oldest transactions first.
    func lockHolders() throws -> [LockHolder] {
        var holders: [LockHolder] = []
        try connection.query(Self.prepared, limits: limits) { row in
            holders.append(
                LockHolder(what: "a prepared transaction of the role \(try row.text(1))", end: try row.text(0)))
        }
        try connection.query(Self.connections, limits: limits) { row in
            let (process, role, state, seconds) = (
                try row.int(0), try row.text(1), try row.text(2), try row.int(3)
            )
            let detail = state.isEmpty ? "" : " (\(state), for \(seconds) s)"
            holders.append(
                LockHolder(
                    what: "process \(process) of the role \(role)\(detail)",
                    end: "SELECT pg_terminate_backend(\(process))"))
        }
        return holders
    }

    /// The server quotes the name, which another role has chosen: an administrator runs what is shown.
    private static let prepared = """
        SELECT 'ROLLBACK PREPARED ' || quote_literal(p.gid), p.owner::text FROM pg_prepared_xacts p WHERE p.database = current_database() AND EXISTS
          (SELECT FROM pg_locks t JOIN pg_locks l ON l.virtualtransaction = t.virtualtransaction
            WHERE t.locktype = 'transactionid' AND t.transactionid = p.transaction AND l.pid IS NULL AND \(isInTheWay))
        ORDER BY p.prepared LIMIT 3
        """

    private static let isInTheWay = """
        (l.locktype = 'advisory' OR l.relation IN (SELECT c.oid FROM pg_class c WHERE c.relnamespace = to_regnamespace('yap')))
        """

    /// What the state of others is, only they and an administrator of the server see.
    private static let connections = """
        SELECT a.pid::int8, COALESCE(a.usename, '?')::text, COALESCE(a.state, ''),
          COALESCE(EXTRACT(EPOCH FROM clock_timestamp() - a.xact_start), 0)::int8
        FROM pg_stat_activity a WHERE a.pid <> pg_backend_pid() AND a.datname = current_database() AND EXISTS
          (SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.granted AND \(isInTheWay))
        ORDER BY a.xact_start NULLS LAST LIMIT 3
        """
}
