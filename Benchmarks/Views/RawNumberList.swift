import CSQLite
import Foundation

/// The reference for views: the same list kept with SQLite alone, with the same rows in the same table and an
/// additional index that holds the numbers in order.
final class RawNumberList {
    private let database: RawHandle
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
                CREATE TABLE "list" ("group" CHAR NOT NULL, "number" BLOB NOT NULL, "row" INTEGER NOT NULL, \
                PRIMARY KEY ("group", "number", "row")) WITHOUT ROWID
                """
            ])
        insertion = try database.prepare(
            #"INSERT INTO "database2" ("collection", "key", "data", "metadata") VALUES (?, ?, ?, NULL)"#)
        selection = try database.prepare(
            #"SELECT "rowid", "data" FROM "database2" WHERE "collection" = ? AND "key" = ?"#)
        update = try database.prepare(#"UPDATE "database2" SET "data" = ? WHERE "rowid" = ?"#)
        entry = try database.prepare(#"INSERT INTO "list" ("group", "number", "row") VALUES (?, ?, ?)"#)
        removal = try database.prepare(#"DELETE FROM "list" WHERE "group" = ? AND "number" = ? AND "row" = ?"#)
    }

    func inTransaction(_ body: () throws -> Void) throws { try database.inTransaction(body) }

    func add(_ object: Data, _ key: String) throws {
        try insertion.run(NumberList.collection, key, object)
        try entry.run(NumberList.group, object, database.lastInsertRowid)
    }

    /// Gives a row another number, and so another place.
    func set(_ object: Data, _ key: String) throws {
        let row = try selection.first(NumberList.collection, key) { ($0.int64(0), $0.data(1)) }
        guard let (rowid, former) = row else { throw RawError("There is no row \(key).") }
        try removal.run(NumberList.group, former, rowid)
        try update.run(object, rowid)
        try entry.run(NumberList.group, object, rowid)
    }
}
