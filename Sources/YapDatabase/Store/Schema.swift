import SQLiteBridge

/// The tables of the file, and how older files become like new ones.
///
/// `yap2` holds small values: extension, key, value. The row `("", "snapshot")` is the number of the last commit.
/// `database2` holds the rows: collection, key, the serialized object in `data`, the serialized metadata or NULL in
/// `metadata`. There is no AUTOINCREMENT, so the largest rowid is used again after its row is deleted.
/// `PRAGMA user_version` is the version of this layout.
package enum Schema {
    package static let version = 3

    static func checkVersion(_ version: Int, path: String) throws {
        guard version <= self.version else {
            throw YapDatabaseError(
                .newerVersion,
                "\(path) was written by a newer release: its layout has version \(version), this release knows "
                    + "\(self.version). It was left as it is; update this program.")
        }
    }

    /// Makes or upgrades the tables, all in one transaction.
    static func prepare(_ store: Store, path: String) throws {
        guard try userVersion(store) != version else { return }
        try store.inWriteTransaction {
            let found = try userVersion(store)
            try checkVersion(found, path: path)
            if found == 0 { try checkOwnership(store, path: path) }
            for statement in tables { try store.execute(statement) }
            if found == 1 { try store.execute(#"DROP TABLE IF EXISTS "yap""#) }
            if found == 1 || found == 2 { try moveRows(store) }
            try store.execute("PRAGMA user_version = \(version)")
        }
    }

    static func userVersion(_ store: Store) throws -> Int {
        try store.first("PRAGMA user_version") { Int($0.int64(at: 0)) } ?? 0
    }

    private static let tables = [
        """
        CREATE TABLE IF NOT EXISTS "yap2" ("extension" CHAR NOT NULL, "key" CHAR NOT NULL, "data" BLOB, \
        PRIMARY KEY ("extension","key"))
        """,
        """
        CREATE TABLE IF NOT EXISTS "database2" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR NOT NULL, \
        "key" CHAR NOT NULL, "data" BLOB, "metadata" BLOB)
        """,
        #"CREATE UNIQUE INDEX IF NOT EXISTS "true_primary_key" ON "database2" ("collection","key")"#,
    ]

    /// A file without a version is new; if it has tables that are not ours it belongs to somebody else.
    private static func checkOwnership(_ store: Store, path: String) throws {
        let strangers = try store.all(
            "SELECT name FROM sqlite_master WHERE name NOT IN ('yap', 'yap2', 'database', 'database2', "
                + "'true_primary_key') AND name NOT LIKE 'sqlite_%'"
        ) { $0.text(at: 0) ?? "" }
        guard let stranger = strangers.first else { return }
        throw YapDatabaseError(
            .notAYapDatabase,
            "\(path) is an SQLite database of another program: it has \"\(stranger)\" but no tables of ours. It was left "
                + "as it is; choose another file.")
    }

    /// Version 2 kept the rows in `database`, with the collection and key alone as their identity.
    private static func moveRows(_ store: Store) throws {
        let hasOldTable = try store.first("SELECT 1 FROM sqlite_master WHERE name = 'database'") { _ in true } ?? false
        guard hasOldTable else { return }
        try store.execute(
            #"INSERT INTO "database2" ("collection", "key", "data", "metadata") "#
                + #"SELECT "collection", "key", "data", "metadata" FROM "database""#)
        try store.execute(#"DROP TABLE "database""#)
    }
}
