import Foundation
import ListChanges
import SQLiteBridge

/// The rows that pending mutations have replaced, in a table of their own.
///
/// A row that several mutations changed has an entry for each, so the entries say three things without saying any twice:
///
/// - what the server has of a row: the oldest entry;
/// - what a mutation makes of it: the next newer entry, or the row itself if there is none;
/// - whether a row has pending changes: whether it has an entry.
///
/// When the oldest mutation has arrived at the server, its entries go, and the next ones are the server's state. The table is made by the
/// first mutation of a file. Releases that do not know it refuse the file, which is right: they would remove what is pending.
extension Store {
    private static let table = TableOwner.replacedRowsTable

    private static let createReplacedRows = [
        """
        CREATE TABLE IF NOT EXISTS "\(table)" ("collection" CHAR NOT NULL, "key" CHAR NOT NULL, "mutation" INTEGER NOT NULL, \
        "object" BLOB, "metadata" BLOB, PRIMARY KEY ("collection", "key", "mutation")) WITHOUT ROWID
        """,
        #"CREATE INDEX IF NOT EXISTS "yap_replaced_mutation" ON "\#(table)" ("mutation")"#,
    ]

    /// Whether the file has the table, which most have not.
    private func hasReplacedRows() throws -> Bool {
        if let knownReplacedRows { return knownReplacedRows }
        let isThere = try hasTable(Self.table)
        knownReplacedRows = isThere
        return isThere
    }

    /// Called when a transaction begins: another program may have made the table.
    func forgetMissingReplacedRows() { if knownReplacedRows == false { knownReplacedRows = nil } }

    private func makeReplacedRows() throws {
        guard try !hasReplacedRows() else { return }
        for statement in Self.createReplacedRows { try execute(statement) }
        knownReplacedRows = true
    }

    /// Keeps a row as it is, or that there is none, unless the mutation has changed it before. One search in each table.
    package func noteReplaced(_ key: RowKey, by mutation: Int) throws {
        try noteWrite()
        try makeReplacedRows()
        try run(
            """
            INSERT OR IGNORE INTO "yap_replaced" ("collection", "key", "mutation", "object", "metadata")
            SELECT n.c, n.k, ?3, CASE WHEN d."rowid" IS NULL THEN NULL ELSE ifnull(d."data", x'') END, d."metadata"
            FROM (SELECT ?1 AS c, ?2 AS k) n LEFT JOIN "database2" d ON d."collection" = n.c AND d."key" = n.k
            """
        ) {
            try $0.bind(key.collection, at: 1)
            try $0.bind(key.key, at: 2)
            try $0.bind(Int64(mutation), at: 3)
        }
    }

    /// The same for each row of a collection.
    package func noteReplaced(collection: String, by mutation: Int) throws {
        try makeReplacedRows()
        try run(
            """
            INSERT OR IGNORE INTO "yap_replaced" ("collection", "key", "mutation", "object", "metadata")
            SELECT "collection", "key", ?2, ifnull("data", x''), "metadata" FROM "database2" WHERE "collection" = ?1
            """
        ) {
            try $0.bind(collection, at: 1)
            try $0.bind(Int64(mutation), at: 2)
        }
    }

    /// Adds an entry that was read before.
    package func insertReplaced(_ row: ReplacedRow) throws {
        try noteWrite()
        try makeReplacedRows()
        try run(
            """
            INSERT OR REPLACE INTO "yap_replaced" ("collection", "key", "mutation", "object", "metadata") VALUES (?, ?, ?, ?, ?)
            """
        ) {
            try $0.bind(row.key.collection, at: 1)
            try $0.bind(row.key.key, at: 2)
            try $0.bind(Int64(row.mutation), at: 3)
            if let object = row.object { try $0.bind([UInt8](object), at: 4) }
            if let metadata = row.metadata { try $0.bind([UInt8](metadata), at: 5) }
        }
    }

    /// What a mutation has replaced, by collection and key.
    package func replacedRows(by mutation: Int) throws -> [ReplacedRow] {
        guard try hasReplacedRows() else { return [] }
        return try all(
            Self.select("INDEXED BY \"yap_replaced_mutation\" WHERE \"mutation\" = ? ORDER BY \"collection\", \"key\""),
            bind: { try $0.bind(Int64(mutation), at: 1) }, read: Self.replacedRow)
    }

    /// The first entry of a row that belongs to a mutation after another one; nil if none has changed it since.
    /// - Parameter mutation: nil for the oldest entry: what the server has of the row.
    package func replacedRow(_ key: RowKey, after mutation: Int? = nil) throws -> ReplacedRow? {
        guard try hasReplacedRows() else { return nil }
        return try first(
            Self.select("WHERE \"collection\" = ? AND \"key\" = ? AND \"mutation\" > ? ORDER BY \"mutation\" LIMIT 1"),
            bind: {
                try $0.bind(key.collection, at: 1)
                try $0.bind(key.key, at: 2)
                try $0.bind(mutation.map(Int64.init) ?? .min, at: 3)
            }, read: Self.replacedRow)
    }

    /// Visits all entries, those of a row together, the oldest first. The body must not change the table.
    package func forEachReplacedRow(_ body: (ReplacedRow) throws -> Void) throws {
        guard try hasReplacedRows() else { return }
        let statement = try handle.statement(Self.select("ORDER BY \"collection\", \"key\", \"mutation\""))
        defer { statement.reset() }
        while try statement.step() { try body(Self.replacedRow(statement)) }
    }

    /// The keys of a collection that have entries, at most so many.
    package func replacedKeys(inCollection collection: String, limit: Int) throws -> [String] {
        guard try hasReplacedRows() else { return [] }
        return try all(
            #"SELECT DISTINCT "key" FROM "yap_replaced" WHERE "collection" = ? LIMIT ?"#,
            bind: {
                try $0.bind(collection, at: 1)
                try $0.bind(Int64(limit), at: 2)
            }, read: { $0.text(at: 0) ?? "" })
    }

    package func removeReplacedRows(by mutation: Int) throws {
        guard try hasReplacedRows() else { return }
        try run(#"DELETE FROM "yap_replaced" WHERE "mutation" = ?"#) { try $0.bind(Int64(mutation), at: 1) }
    }

    package func removeReplacedRows() throws {
        guard try hasReplacedRows() else { return }
        try execute(#"DELETE FROM "yap_replaced""#)
    }

    private static func select(_ rest: String) -> String {
        #"SELECT "collection", "key", "mutation", "object", "metadata" FROM "yap_replaced" \#(rest)"#
    }

    private static func replacedRow(_ statement: SQLiteStatement) -> ReplacedRow {
        func blob(_ column: Int) -> Data? {
            statement.type(at: column) == .null ? nil : Data(statement.bytes(at: column))
        }
        return ReplacedRow(
            mutation: Int(statement.int64(at: 2)),
            key: RowKey(collection: statement.text(at: 0) ?? "", key: statement.text(at: 1) ?? ""), object: blob(3),
            metadata: blob(4))
    }
}
