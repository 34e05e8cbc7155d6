import Foundation
import ListChanges
import SQLiteBridge

/// The rows that pending mutations have replaced, in a table of their own.
///
/// A row that several mutations changed has an entry for each of them. So the entries tell three things:
///
/// - The oldest entry of a row is what the server has of it.
/// - What a mutation made of a row is in the next newer entry of the row, or in the row itself if there is none.
/// - A row has pending changes if it has an entry.
///
/// When the server has the oldest mutation, the entries of this mutation are removed, and the next ones are the server's state. The first mutation
/// of a file makes the table. Earlier releases leave it as it is, also when they move the file to a newer state of its space: that is found out by
/// `SpaceValue.base`.
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

    /// Stores the present row, or that there is none, before a mutation changes it. Does nothing if the mutation has changed the row before. One
    /// search in each table.
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

    /// Does the same as ``noteReplaced(_:by:)`` for each row of a collection.
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

    /// The rows that a mutation has replaced, by collection and key.
    package func replacedRows(by mutation: Int) throws -> [ReplacedRow] {
        guard try hasReplacedRows() else { return [] }
        return try all(
            Self.select("INDEXED BY \"yap_replaced_mutation\" WHERE \"mutation\" = ? ORDER BY \"collection\", \"key\""),
            bind: { try $0.bind(Int64(mutation), at: 1) }, read: Self.replacedRow)
    }

    /// Returns the first entry of a row among the mutations after a given one; nil if no later mutation has changed the row.
    /// - Parameter mutation: nil for the oldest entry, which is what the server has of the row.
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

    /// Visits all entries. The entries of a row come together, the oldest first. The body must not change the table.
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
