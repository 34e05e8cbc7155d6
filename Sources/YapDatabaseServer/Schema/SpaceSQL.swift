/// The statements that clients run. Names and values are parameters in all of them.
enum SpaceSQL {
    /// The version of the tables and functions.
    static let format = 1

    /// Format, the space's id and the server's time in microseconds; no row if the space is missing or nothing of it may be read.
    ///
    /// These two statements run before the session has its path. So each name in them has its schema, as the operators have: a function of
    /// another role in a schema that all may write could be taken for the system's.
    static let find = """
        SELECT a.format::pg_catalog.int8, s.id, \(time) FROM yap.about a, yap.space s WHERE s.name OPERATOR(pg_catalog.=) $1
        """

    /// Like ``find``, and settings of the session: plans that use the indexes whatever the statistics say, in the order of the statement, and
    /// after how many milliseconds the server ends a statement, $2, also one that waits for a lock. Then what a role or a database may have set
    /// otherwise: how the functions read their texts, that a transaction sees what was committed before each of its statements, and that a commit
    /// is on the server's disk when it is confirmed.
    static let findAndSet = """
        SELECT a.format::pg_catalog.int8, s.id, \(time), pg_catalog.concat(\(setting("search_path", "'pg_catalog'")),
          \(setting("enable_seqscan", "'off'")), \(setting("enable_bitmapscan", "'off'")),
          \(setting("max_parallel_workers_per_gather", "'0'")), \(setting("plan_cache_mode", "'force_generic_plan'")),
          \(setting("jit", "'off'")), \(setting("statement_timeout", "$2")), \(setting("lock_timeout", "'0'")),
          \(setting("standard_conforming_strings", "'on'")),
          \(setting("default_transaction_isolation", "'read committed'")),
          \(setting("synchronous_commit", "COALESCE(NULLIF(pg_catalog.current_setting('synchronous_commit'), 'off'), 'on')")))
        FROM yap.about a, yap.space s WHERE s.name OPERATOR(pg_catalog.=) $1
        """

    private static func setting(_ name: String, _ value: String) -> String {
        "pg_catalog.set_config('\(name)', \(value), false)"
    }

    private static let time = """
        (EXTRACT(EPOCH FROM pg_catalog.clock_timestamp()) OPERATOR(pg_catalog.*) 1000000)::pg_catalog.int8
        """

    /// Whether spaces have an identity; older tables, which are otherwise of the same format, get one by `yap server init`.
    static let isIdentified = """
        SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('yap.space') AND attname = 'identity')
        """

    /// The commits since $2 of the collections that $3 and $4 choose: one row about the space (kind 0), and the rows,
    /// each as it is now (1) or as removed (2), with the values that changed since. Of a row that no client can take (3), no value is
    /// sent: one that is too large would end each connection.
    ///
    /// One statement, so one snapshot. The index of `changed` gives rows in order. The row about the space says $5 again, so that
    /// the answer to another question is not taken for this one's.
    static let fetch = """
        \(head("(SELECT count(*) FROM yap.row r WHERE r.space = $1 AND r.changed > $2 AND \(chosen))"))
        UNION ALL
        SELECT CASE WHEN q.gone THEN 2 WHEN \(usable) THEN 1 ELSE 3 END, q.changed, q.born, q.object_at, q.metadata_at,
          q.collection, q.key, CASE WHEN q.object_at > $2 AND \(usable) THEN q.object END,
          CASE WHEN q.metadata_at > $2 AND \(usable) THEN q.metadata END
        FROM (SELECT * FROM yap.row r WHERE r.space = $1 AND r.changed > $2 AND \(chosen) ORDER BY r.changed) q
        """

    /// Like ``fetch``, every row that is there, by collection and key.
    static let fetchAll = """
        \(head("(SELECT count(*) FROM yap.row r WHERE r.space = $1 AND NOT r.gone AND \(chosen))"))
        UNION ALL
        SELECT CASE WHEN \(usable) THEN 1 ELSE 3 END, q.changed, q.born, q.object_at, q.metadata_at, q.collection, q.key,
          CASE WHEN \(usable) THEN q.object END, CASE WHEN \(usable) THEN q.metadata END
        FROM (SELECT * FROM yap.row r WHERE r.space = $1 AND NOT r.gone AND \(chosen)
          ORDER BY r.collection, r.key) q
        """

    /// Servers of before know no identity; to ask for the column itself would be an error there.
    private static func head(_ count: String) -> String {
        """
        SELECT 0::int8 AS kind, s.number AS a, s.floor AS b, \(count) AS c,
          COALESCE((SELECT max(x.changed) FROM yap.access x WHERE x.space = $1), 0) AS d,
          (SELECT uuid_send(c.id) FROM yap.commit c WHERE c.space = $1 AND c.number = s.number) AS collection,
          (SELECT uuid_send(c.id) FROM yap.commit c WHERE c.space = $1 AND c.number = $2) AS key,
          uuid_send($5) AS object, uuid_send((to_jsonb(s) ->> 'identity')::uuid) AS metadata
        FROM yap.space s WHERE s.id = $1
        """
    }

    /// Whether a file can take the row `q`. No client has sent any other, but `yap.push` of earlier releases took them.
    static let usable = """
        (q.object IS NOT NULL AND length(q.object) <= \(ServerLimits.transaction)
          AND COALESCE(length(q.metadata), 0) <= \(ServerLimits.transaction)
          AND length(q.collection) <= \(ServerLimits.name) AND length(q.key) <= \(ServerLimits.name))
        """

    private static let chosen = "($3 = 0 OR ($3 = 1) = (r.collection = ANY ($4)))"

    /// Also says the commit's id, $4, again.
    static let push = "SELECT result, number, $4 FROM yap.push($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
    static let hold = "SELECT yap.hold($1)"
    static let seen = "SELECT yap.seen($1, $2, $3)"
}

/// What `yap.push` answers.
enum PushResult: Int {
    case accepted = 0
    /// Another commit is in the way.
    case overtaken = 1
    /// The server does not have the commit on which the transaction builds.
    case unknownBase = 2
    /// The mutation was stored before.
    case known = 3
    /// This id was given up before.
    case voided = 4
}

/// How `yap.push` marks what happened to a row.
struct PushKind: OptionSet {
    let rawValue: Int32

    static let object = PushKind(rawValue: 1)
    static let metadata = PushKind(rawValue: 2)
    static let new = PushKind(rawValue: 4)
    static let gone = PushKind(rawValue: 8)
    /// The collection is cleared before the other rows are written; the key means nothing.
    static let clear = PushKind(rawValue: 16)
    /// All collections are.
    static let clearAll = PushKind(rawValue: 32)
}
