import SQLiteBridge

/// A database of ours whose schema was changed by an attacker so that foreign SQL would run.
public struct HostileSchema: Sendable, CustomStringConvertible {
    public enum Answer: Sendable {
        /// The file may be written, and nothing of the schema runs.
        case ignored
        /// The file is refused by an error that contains this text.
        case refused(String)
    }

    public let description: String
    /// Statements to run in a sound file of ours.
    public let changes: [String]
    public let answer: Answer
    /// The check's description of it.
    public let told: String

    public static let all = ignored + refused

    /// SQL that writing or reading would start.
    private static let ignored: [HostileSchema] =
        [
            ("an endless trigger", "INSERT", "INSERT INTO evil " + endless),
            ("a trigger that overwrites rows", "INSERT", "UPDATE database2 SET data = x'00'"),
            ("a trigger that copies rows", "UPDATE", "INSERT INTO evil SELECT data FROM database2"),
            ("a trigger that takes rows away", "DELETE", "DELETE FROM database2"),
        ].map { name, event, body in
            HostileSchema(
                description: name,
                changes: [
                    "CREATE TABLE evil (a)", "CREATE TRIGGER boom AFTER \(event) ON database2 BEGIN \(body); END",
                ], answer: .ignored, told: "trigger \"boom\"")
        } + [
            HostileSchema(
                description: "a trigger that changes the snapshot",
                changes: [
                    """
                    CREATE TRIGGER boom AFTER UPDATE ON yap2 BEGIN \
                    UPDATE yap2 SET data = 9223372036854775807 WHERE extension = '' AND key = 'snapshot'; END
                    """
                ], answer: .ignored, told: "trigger \"boom\""),
            HostileSchema(
                description: "a trigger on another table that writes our rows",
                changes: [
                    "CREATE TABLE evil (a)",
                    "CREATE TRIGGER boom AFTER INSERT ON evil BEGIN DELETE FROM database2; END",
                ], answer: .ignored, told: "trigger \"boom\""),
            HostileSchema(
                description: "an endless view", changes: ["CREATE VIEW boom AS SELECT * FROM database2, (\(endless))"],
                answer: .ignored, told: "view \"boom\""),
        ]

    private static let endless = "WITH RECURSIVE e(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM e) SELECT a FROM e"

    /// SQL that is part of the tables themselves.
    private static let refused: [HostileSchema] =
        [
            ("an index over an expression", "CREATE INDEX boom ON database2 (hex(data))", "expression"),
            ("a partial index", "CREATE INDEX boom ON database2 (key) WHERE length(hex(data)) > 0", "condition"),
            ("an index by another order", "CREATE INDEX boom ON database2 (key COLLATE NOCASE)", "NOCASE"),
            ("a unique index", "CREATE UNIQUE INDEX boom ON database2 (key)", "equal values"),
        ].map { HostileSchema(description: $0.0, changes: [$0.1], answer: .refused($0.2), told: $0.2) }
        + [
            ("a CHECK", #""data" BLOB CHECK (length(hex(data)) >= 0), "metadata" BLOB)"#, "CHECK"),
            ("another collation", #""data" BLOB, "metadata" BLOB COLLATE NOCASE)"#, "COLLATE"),
            ("a default that is computed", #""data" BLOB, "metadata" BLOB DEFAULT (randomblob(9)))"#, "DEFAULT"),
            ("a uniqueness of its own", #""data" BLOB UNIQUE, "metadata" BLOB)"#, "UNIQUE"),
        ].map { name, end, words in
            HostileSchema(
                description: name, changes: replacingRows(end), answer: .refused(words), told: words)
        }
        + [
            HostileSchema(
                description: "a generated column",
                changes: replacingRows(#""data" BLOB, "metadata" BLOB AS (hex("data")))"#),
                answer: .refused("not that of a YapDatabase"), told: "AS"),
            HostileSchema(
                description: "rows without rowids",
                changes: replacingRows(#""data" BLOB, "metadata" BLOB) WITHOUT ROWID"#),
                answer: .refused("WITHOUT"), told: "WITHOUT"),
        ]

    /// Returns statements that create the table of the rows again, with another end of its definition.
    private static func replacingRows(_ end: String) -> [String] {
        [
            "DROP TABLE database2",
            """
            CREATE TABLE "database2" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, "key" CHAR NOT NULL, \(end)
            """, OurTables.keyIndex,
        ]
    }

    public func apply(to path: String) throws {
        let handle = try SQLiteHandle(path: path, mode: .readWrite)
        for statement in changes { try handle.execute(statement) }
        try handle.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
