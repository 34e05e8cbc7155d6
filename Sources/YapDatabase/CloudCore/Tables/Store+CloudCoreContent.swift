import FileEngine
import SQLiteBridge

// MARK: Tags

extension CloudCoreTables {
    /// The tag of a key and identifier; nil if there is none.
    func tag(_ key: String, _ identifier: String) throws -> SQLValue? {
        try store.first(
            #"SELECT "tag" FROM \#(tagTable) WHERE "key" = ? AND "identifier" = ?"#,
            bind: {
                try $0.bind(key, at: 1)
                try $0.bind(identifier, at: 2)
            }, read: { $0.value(at: 0) })
    }

    /// All tags of a key, in the order of the identifiers.
    func tags(_ key: String) throws -> [(identifier: String, tag: SQLValue)] {
        try store.all(
            #"SELECT "identifier", "tag" FROM \#(tagTable) WHERE "key" = ? ORDER BY "identifier""#,
            bind: { try $0.bind(key, at: 1) }, read: { ($0.text(at: 0) ?? "", $0.value(at: 1)) })
    }

    func setTag(_ tag: SQLValue, _ key: String, _ identifier: String) throws {
        try store.run(#"INSERT OR REPLACE INTO \#(tagTable) ("key", "identifier", "tag") VALUES (?, ?, ?)"#) {
            try $0.bind(key, at: 1)
            try $0.bind(identifier, at: 2)
            try $0.bind(tag, at: 3)
        }
    }

    func removeTag(_ key: String, _ identifier: String) throws {
        try store.run(#"DELETE FROM \#(tagTable) WHERE "key" = ? AND "identifier" = ?"#) {
            try $0.bind(key, at: 1)
            try $0.bind(identifier, at: 2)
        }
    }

    func removeTags(_ key: String) throws {
        try store.run(#"DELETE FROM \#(tagTable) WHERE "key" = ?"#) { try $0.bind(key, at: 1) }
    }

    func removeAllTags() throws { try store.execute("DELETE FROM \(tagTable)") }
}

// MARK: Attached rows

extension CloudCoreTables {
    /// Does nothing if the row is attached to the URI already.
    func attach(_ uri: String, to row: Int64) throws {
        try store.run(
            #"""
            INSERT INTO \#(mappingTable) ("database_rowid", "cloudURI") SELECT ?1, ?2 WHERE NOT EXISTS \#
            (SELECT 1 FROM \#(mappingTable) WHERE "database_rowid" = ?1 AND "cloudURI" = ?2)
            """#
        ) {
            try $0.bind(row, at: 1)
            try $0.bind(uri, at: 2)
        }
    }

    func detach(_ uri: String, from row: Int64) throws {
        try store.run(#"DELETE FROM \#(mappingTable) WHERE "database_rowid" = ? AND "cloudURI" = ?"#) {
            try $0.bind(row, at: 1)
            try $0.bind(uri, at: 2)
        }
    }

    /// The rows that are attached to a URI, in the order of their rowids.
    func rows(attachedTo uri: String) throws -> [Int64] {
        try store.all(
            #"SELECT DISTINCT "database_rowid" FROM \#(mappingTable) WHERE "cloudURI" = ? ORDER BY "database_rowid""#,
            bind: { try $0.bind(uri, at: 1) }, read: { $0.int64(at: 0) })
    }

    /// The URIs to which a row is attached, sorted.
    func uris(of row: Int64) throws -> [String] {
        try store.all(
            #"SELECT DISTINCT "cloudURI" FROM \#(mappingTable) WHERE "database_rowid" = ? ORDER BY "cloudURI""#,
            bind: { try $0.bind(row, at: 1) }, read: { $0.text(at: 0) ?? "" })
    }

    /// Detaches removed rows, so that the next rows with these rowids are attached to nothing.
    func removeMappings(of rows: [Int64]) throws {
        let sql = #"DELETE FROM \#(mappingTable) WHERE "database_rowid" = ?"#
        for row in rows { try store.run(sql) { try $0.bind(row, at: 1) } }
    }

    /// Detaches rows that do not exist. Reads every entry.
    func removeMappingsWithoutRows() throws {
        try store.execute(
            #"DELETE FROM \#(mappingTable) WHERE "database_rowid" NOT IN (SELECT "rowid" FROM "database2")"#)
    }

    func removeAllMappings() throws { try store.execute("DELETE FROM \(mappingTable)") }
}
