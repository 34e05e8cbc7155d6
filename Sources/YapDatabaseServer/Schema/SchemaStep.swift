/// One step of `yap server init`: what it is for, and the SQL, which may run again at any time.
struct SchemaStep {
    /// What a server that refuses the step lacks.
    var need: String
    var sql: String
    /// What is so without it; nil for what the server cannot be used without.
    var lack: String?

    init(_ need: String, lack: String? = nil, _ sql: String) {
        self.need = need
        self.sql = sql
        self.lack = lack
    }

    /// A part of the error of `yap.push` by which it is told from the server's own of the same SQLSTATE.
    static let noRightInCollection = "may not write in the collection"

    static let all = tables + rights + [past, mutations] + functions + [rules]

    /// Constraints of tables that earlier releases made, where one space could not have an id of another one.
    static let keysOfEarlierTables = ["commit_id_key", "mutation_pkey"]

    /// Whether each space has its own ids: the same file may have given its rows to two spaces of a database.
    static let hasIDsOfSpaces = """
        SELECT NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conname = 'commit_id_key' AND c.conrelid = to_regclass('yap.commit'))
          AND EXISTS (SELECT FROM pg_constraint c WHERE c.contype = 'p' AND cardinality(c.conkey) = 2
            AND c.conrelid = to_regclass('yap.mutation'))
        """
}

extension SchemaStep {
    /// Names are bytes, which are compared as bytes whatever the server's locale is. They are text all the same: no function of the server takes a NUL.
    static let tables = [
        SchemaStep("schemas", "CREATE SCHEMA IF NOT EXISTS yap"),
        SchemaStep(
            "tables with identity columns",
            """
            CREATE TABLE IF NOT EXISTS yap.about (format int4 NOT NULL);
            INSERT INTO yap.about SELECT \(SpaceSQL.format) WHERE NOT EXISTS (SELECT FROM yap.about);
            UPDATE yap.about SET format = \(SpaceSQL.format) WHERE format < \(SpaceSQL.format);
            CREATE TABLE IF NOT EXISTS yap.space (id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text UNIQUE NOT NULL,
              number int8 NOT NULL DEFAULT 0, floor int8 NOT NULL DEFAULT 0);
            ALTER TABLE yap.space ADD COLUMN IF NOT EXISTS identity uuid NOT NULL DEFAULT gen_random_uuid();
            CREATE TABLE IF NOT EXISTS yap.commit (space int8 NOT NULL REFERENCES yap.space, number int8 NOT NULL,
              id uuid NOT NULL, is_void boolean NOT NULL DEFAULT false, author name NOT NULL DEFAULT session_user,
              at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (space, number));
            CREATE UNIQUE INDEX IF NOT EXISTS commit_of_space ON yap.commit (space, id);
            ALTER TABLE yap.commit DROP CONSTRAINT IF EXISTS commit_id_key;
            CREATE TABLE IF NOT EXISTS yap.row (space int8 NOT NULL, collection bytea NOT NULL, key bytea NOT NULL,
              object bytea, metadata bytea, gone boolean NOT NULL DEFAULT false, born int8 NOT NULL, object_at int8 NOT NULL,
              metadata_at int8 NOT NULL, changed int8 NOT NULL, PRIMARY KEY (space, collection, key));
            CREATE INDEX IF NOT EXISTS row_changed ON yap.row (space, changed);
            CREATE TABLE IF NOT EXISTS yap.access (space int8 NOT NULL REFERENCES yap.space, role name NOT NULL,
              collection bytea NOT NULL, can_read boolean NOT NULL, can_write boolean NOT NULL, changed int8 NOT NULL,
              PRIMARY KEY (space, role, collection));
            CREATE TABLE IF NOT EXISTS yap.follower (space int8 NOT NULL REFERENCES yap.space, file uuid NOT NULL,
              role name NOT NULL DEFAULT session_user, number int8 NOT NULL,
              at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (space, file))
            """),
    ]

    /// Policies run it as the role that asks, with that role's `search_path`, and its own types come before those of the system: so each name in
    /// it has its schema. A path of its own would keep PostgreSQL from inlining it, and it is asked for each row.
    static let membership = SchemaStep(
        "functions in SQL, and membership of roles",
        """
        CREATE OR REPLACE FUNCTION yap.is_member(role pg_catalog.name) RETURNS boolean LANGUAGE sql STABLE AS
        $$ SELECT COALESCE(pg_catalog.pg_has_role(session_user::pg_catalog.name,
          pg_catalog.to_regrole(pg_catalog.quote_ident($1::pg_catalog.text))::pg_catalog.oid, 'MEMBER'::pg_catalog.text), false) $$
        """)

    /// Everyone may ask; who sees what is decided for each row. The collection `\xff`, which no name can be, stands for
    /// all.
    static let rights = [
        membership,
        SchemaStep(
            "row level security",
            """
            ALTER TABLE yap.space ENABLE ROW LEVEL SECURITY;
            ALTER TABLE yap.commit ENABLE ROW LEVEL SECURITY;
            ALTER TABLE yap.row ENABLE ROW LEVEL SECURITY;
            ALTER TABLE yap.access ENABLE ROW LEVEL SECURITY;
            ALTER TABLE yap.follower ENABLE ROW LEVEL SECURITY;
            DROP POLICY IF EXISTS member ON yap.access;
            CREATE POLICY member ON yap.access FOR SELECT USING (yap.is_member(role));
            DROP POLICY IF EXISTS member ON yap.space;
            CREATE POLICY member ON yap.space FOR SELECT USING
              (EXISTS (SELECT FROM yap.access a WHERE a.space = id AND a.can_read AND yap.is_member(a.role)));
            DROP POLICY IF EXISTS member ON yap.commit;
            CREATE POLICY member ON yap.commit FOR SELECT USING
              (EXISTS (SELECT FROM yap.access a WHERE a.space = commit.space AND a.can_read AND yap.is_member(a.role)));
            DROP POLICY IF EXISTS member ON yap.row;
            CREATE POLICY member ON yap.row FOR SELECT USING
              (EXISTS (SELECT FROM yap.access a WHERE a.space = "row".space AND a.can_read
                AND (a.collection = "row".collection OR a.collection = '\\xff') AND yap.is_member(a.role)));
            GRANT USAGE ON SCHEMA yap TO PUBLIC;
            GRANT SELECT ON yap.about, yap.space, yap.commit, yap.row, yap.access TO PUBLIC
            """),
    ]
}

extension SchemaStep {
    /// The tables of which a role sees the rows that it may see.
    private static let sharedTables = ["space", "commit", "row", "access", "past", "mutation", "participant", "rule"]

    /// Whether all roles may ask, and see only what they may see. A backup that was put back without rights has neither.
    static let hasRights = """
        SELECT has_schema_privilege('public', 'yap', 'USAGE') AND has_table_privilege('public', 'yap.about', 'SELECT')
          AND (SELECT bool_and(c.relrowsecurity AND (c.relname = 'follower' OR has_table_privilege('public', c.oid, 'SELECT')
              AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'member')))
            FROM pg_class c WHERE c.relnamespace = to_regnamespace('yap')
            AND c.relname = ANY ('{\(sharedTables.joined(separator: ",")),follower}'::name[]))
          AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = to_regclass('yap.row') AND p.polname = 'readers')
        """
}

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

extension SchemaStep {
    /// Which mutations are stored, and by which commits.
    static let mutations = SchemaStep(
        "tables and row level security",
        """
        CREATE TABLE IF NOT EXISTS yap.mutation (id uuid NOT NULL, space int8 NOT NULL REFERENCES yap.space ON DELETE CASCADE,
          number int8 NOT NULL, PRIMARY KEY (space, id));
        DO $$ BEGIN
          IF (SELECT cardinality(c.conkey) FROM pg_constraint c WHERE c.conrelid = 'yap.mutation'::regclass AND c.contype = 'p') = 1 THEN
            ALTER TABLE yap.mutation DROP CONSTRAINT mutation_pkey, ADD PRIMARY KEY (space, id);
          END IF;
        END $$;
        ALTER TABLE yap.mutation ENABLE ROW LEVEL SECURITY;
        DROP POLICY IF EXISTS member ON yap.mutation;
        CREATE POLICY member ON yap.mutation FOR SELECT USING
          (EXISTS (SELECT FROM yap.access a WHERE a.space = mutation.space AND a.can_read AND yap.is_member(a.role)));
        GRANT SELECT ON yap.mutation TO PUBLIC
        """)
}

/// The statements about mutations.
enum MutationSQL {
    /// SQLSTATE of a role that may write nothing in the space, which is no reason to reject a mutation; of a class that PostgreSQL leaves to
    /// applications.
    static let noRight = "YAP02"

    /// Whether the server knows mutations; `yap server init` of this release sees to it.
    static let exists = "SELECT to_regclass('yap.mutation') IS NOT NULL"
    /// Which of the mutations $2 the space $1 has, and by which commits.
    static let find = "SELECT m.id, m.number FROM yap.mutation m WHERE m.space = $1 AND m.id = ANY ($2::text[]::uuid[])"
    /// As ``SpaceSQL/push``.
    static let push = "SELECT result, number, $4 FROM yap.mutate($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
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
