extension SchemaStep {
    /// What is left of purged commits: 8 bytes of each id, those of 1,024 numbers in a row. By these a file that is behind the purge
    /// finds out whether the space continues what it has.
    ///
    /// Eight zeros say that the id is not known: an earlier release purged it. No UUID of the standard ends so.
    static let past = SchemaStep(
        "tables and row level security",
        """
        CREATE TABLE IF NOT EXISTS yap.past (space int8 NOT NULL REFERENCES yap.space ON DELETE CASCADE, chunk int8 NOT NULL,
          ids bytea NOT NULL, PRIMARY KEY (space, chunk));
        ALTER TABLE yap.past ENABLE ROW LEVEL SECURITY;
        DROP POLICY IF EXISTS member ON yap.past;
        CREATE POLICY member ON yap.past FOR SELECT USING
          (EXISTS (SELECT FROM yap.access a WHERE a.space = past.space AND a.can_read AND yap.is_member(a.role)));
        GRANT SELECT ON yap.past TO PUBLIC
        """)
}

/// The statements about what is left of purged commits.
enum PastSQL {
    /// The last bytes of an id: the first ones of some kinds of UUID are a time.
    static let length = 8
    static let perChunk = 1_024

    /// Whether the server keeps anything; `yap server init` and a purge by this release see to it.
    static let exists = "SELECT to_regclass('yap.past') IS NOT NULL"

    /// What is left of the id of commit $2 of the space $1; no row, or nothing, if it is not known.
    static let find = """
        SELECT NULLIF(\(entry("p.ids", "$2::int8")), \(none)) FROM yap.past p WHERE p.space = $1 AND p.chunk = $2::int8 / \(perChunk)
        """

    /// Keeps what is to be known of the commits of the space $1 from $2 up to and without $3, in the transaction that deletes them.
    ///
    /// Chunks are written as a whole: what stands in them for earlier numbers stays, what stands there for others is of a time that
    /// a backup has taken back.
    static let keep = """
        INSERT INTO yap.past (space, chunk, ids)
        SELECT $1::int8, n.number / \(perChunk), string_agg(CASE WHEN length(n.kept) = \(length) THEN n.kept ELSE \(none) END, ''::bytea
          ORDER BY n.number)
        FROM (SELECT g.number, CASE WHEN g.number < $2::int8 THEN \(entry("p.ids", "g.number"))
              ELSE substr(uuid_send(c.id), \(16 - length + 1)) END AS kept
            FROM generate_series($2::int8 / \(perChunk) * \(perChunk), $3::int8 - 1) g (number)
            LEFT JOIN yap.commit c ON c.space = $1 AND c.number = g.number AND g.number >= $2
            LEFT JOIN yap.past p ON p.space = $1 AND p.chunk = g.number / \(perChunk) AND g.number < $2) n
        GROUP BY n.number / \(perChunk)
        ON CONFLICT (space, chunk) DO UPDATE SET ids = EXCLUDED.ids
        """

    private static func entry(_ ids: String, _ number: String) -> String {
        "substr(\(ids), (\(number) % \(perChunk))::int4 * \(length) + 1, \(length))"
    }

    private static let none = "'\\x\(String(repeating: "00", count: length))'::bytea"
}
