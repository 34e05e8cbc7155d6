import Foundation

/// The reference: the same table, rows in the same format, and the list as an index kept by hand.
final class RawItems {
    let database: RawHandle
    private let insertion: RawStatement
    private let selection: RawStatement
    private let update: RawStatement
    private let entry: RawStatement
    private let removal: RawStatement

    init(_ url: URL) throws {
        database = try RawHandle(
            url,
            setup: [
                """
                CREATE TABLE IF NOT EXISTS "list" ("group" CHAR NOT NULL, "rank" REAL NOT NULL, "row" INTEGER NOT NULL, \
                PRIMARY KEY ("group", "rank", "row")) WITHOUT ROWID
                """
            ])
        insertion = try database.prepare(
            #"INSERT INTO "database2" ("collection", "key", "data", "metadata") VALUES (?, ?, ?, NULL)"#)
        selection = try database.prepare(
            #"SELECT "rowid", "data" FROM "database2" WHERE "collection" = ? AND "key" = ?"#)
        update = try database.prepare(#"UPDATE "database2" SET "data" = ? WHERE "rowid" = ?"#)
        entry = try database.prepare(#"INSERT INTO "list" ("group", "rank", "row") VALUES (?, ?, ?)"#)
        removal = try database.prepare(#"DELETE FROM "list" WHERE "group" = ? AND "rank" = ? AND "row" = ?"#)
    }

    func inTransaction(_ body: () throws -> Void) throws { try database.inTransaction(body) }

    func insert(_ bytes: Data, _ key: String) throws { try insertion.run(Item.collection, key, bytes) }

    /// Adds a row to the table and the list.
    func add(_ item: Item, _ key: String) throws {
        try insert(item.encoded(), key)
        try entry.run(item.group, item.rank, database.lastInsertRowid)
    }

    /// Gives a row other content, and so another place.
    func set(_ item: Item, _ key: String) throws {
        guard let (rowid, former) = try row(key) else { throw RawError("There is no row \(key).") }
        let old = try Item.decoded(former)
        try removal.run(old.group, old.rank, rowid)
        try update.run(item.encoded(), rowid)
        try entry.run(item.group, item.rank, rowid)
    }

    /// Gives a row of the table other content.
    func replace(_ item: Item, _ key: String) throws {
        guard let (rowid, _) = try row(key) else { throw RawError("There is no row \(key).") }
        try update.run(item.encoded(), rowid)
    }

    func item(_ key: String) throws -> Item? { try row(key).map { try Item.decoded($0.bytes) } }

    private func row(_ key: String) throws -> (rowid: Int64, bytes: Data)? {
        try selection.first(Item.collection, key) { ($0.int64(0), $0.data(1)) }
    }
}
