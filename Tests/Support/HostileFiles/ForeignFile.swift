import SQLiteBridge

/// A database of another program that could be mistaken for one of ours.
public struct ForeignFile: Sendable, CustomStringConvertible {
    public let description: String
    /// The statements that make it in an empty file.
    public let statements: [String]

    /// Files that must all be refused, whatever their version.
    public static let all: [ForeignFile] = (0...3).flatMap(ofVersion)

    private static func ofVersion(_ version: Int) -> [ForeignFile] {
        let tables = [
            "notes": ["CREATE TABLE notes (text)", "INSERT INTO notes VALUES ('theirs')"],
            "yap of another shape": [
                "CREATE TABLE yap (name TEXT, sound TEXT)", "INSERT INTO yap VALUES ('dog', 'wow')",
            ],
            "database of another shape": [
                "CREATE TABLE database (id INTEGER PRIMARY KEY, host TEXT, collection TEXT)",
                "INSERT INTO database VALUES (1, 'localhost', 'c')",
            ],
            "our names for other things": [
                "CREATE TABLE yap2 (id INTEGER PRIMARY KEY, extension TEXT)",
                "CREATE TABLE database2 (collection TEXT, key TEXT, data BLOB)",
            ],
            "rows without small values": [
                OurTables.rows, OurTables.keyIndex, "CREATE TABLE notes (text)",
            ],
            "small values beside other tables": [OurTables.smallValues, "CREATE TABLE notes (text)"],
            "rows that are a view": [
                "CREATE TABLE mine (a)", OurTables.smallValues,
                "CREATE VIEW database2 AS SELECT a AS rowid, a AS collection, a AS key, a AS data, a AS metadata FROM mine",
            ],
            "an application's own": ["PRAGMA application_id = 252006673", "CREATE TABLE t (a)"],
            "old rows beside other tables": [
                """
                CREATE TABLE database (collection CHAR NOT NULL, key CHAR NOT NULL, data BLOB, metadata BLOB, \
                PRIMARY KEY (collection, key))
                """, "CREATE TABLE customers (name)",
            ],
        ]
        return tables.sorted { $0.key < $1.key }.map { name, statements in
            ForeignFile(
                description: "\(name), version \(version)",
                statements: statements + ["PRAGMA user_version = \(version)"])
        }
    }

    public func make(at path: String, journalMode: String = "DELETE") throws {
        let handle = try SQLiteHandle(path: path, mode: .create)
        try handle.execute("PRAGMA journal_mode = \(journalMode)")
        for statement in statements { try handle.execute(statement) }
    }

    /// Makes the file with all of its content in a log, as a killed program leaves it.
    public func makeWithHotLog(at path: String) throws {
        let handle = try SQLiteHandle(path: path, mode: .create)
        handle.setCheckpointOnClose(false)
        try handle.execute("PRAGMA journal_mode = WAL")
        for statement in statements { try handle.execute(statement) }
    }
}

/// The tables of the current layout, as statements.
public enum OurTables {
    public static let smallValues =
        #"CREATE TABLE "yap2" ("extension" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, PRIMARY KEY ("extension","key"))"#
    public static let rows = """
        CREATE TABLE "database2" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, "key" CHAR NOT NULL, \
        "data" BLOB, "metadata" BLOB)
        """
    public static let keyIndex = #"CREATE UNIQUE INDEX "true_primary_key" ON "database2" ("collection","key")"#
}
