import SQLiteBridge

/// The tables of the file, and the upgrade of older layouts.
///
/// `yap2` holds small values: extension, key, value. The row `("", "snapshot")` is the number of the last commit. `database2`
/// holds the rows: collection, key, the serialized object in `data`, the serialized metadata or NULL in `metadata`. There is
/// no AUTOINCREMENT: SQLite uses the largest rowid again after its row is deleted. `PRAGMA user_version` is the version of
/// this layout.
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

    /// Creates or upgrades the tables in one transaction.
    /// - Throws: ``YapDatabaseError`` with code `notAYapDatabase` if the file is another program's; the file is unchanged
    ///   then.
    static func prepare(_ store: Store, path: String) throws {
        let layout = try FileLayout(store, path: path)
        try layout.checkIsOurs()
        guard !layout.isComplete else { return }
        try store.inWriteTransaction {
            let layout = try FileLayout(store, path: path)
            try layout.checkIsOurs()
            for statement in tables { try store.execute(statement) }
            if layout.version == 1 { try store.execute(#"DROP TABLE IF EXISTS "yap""#) }
            if layout.version == 1 || layout.version == 2 { try moveRows(store, layout) }
            try store.execute("PRAGMA user_version = \(version)")
        }
    }

    /// The index on collection and key.
    package static let keyIndexName = "true_primary_key"
    package static let rowTable = "database2"
    /// The index's SQL without white space.
    static let packedKeyIndex = #"CREATEUNIQUEINDEX"true_primary_key"ON"database2"("collection","key")"#

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

    /// Version 2 stores rows in `database`, without rowids.
    private static func moveRows(_ store: Store, _ layout: FileLayout) throws {
        guard layout.has("database") else { return }
        let collection = try layout.hasRowsWithoutCollections() ? "''" : #""collection""#
        try store.execute(
            #"INSERT INTO "database2" ("collection", "key", "data", "metadata") "#
                + #"SELECT \#(collection), "key", "data", "metadata" FROM "database""#)
        try store.execute(#"DROP TABLE "database""#)
    }
}
