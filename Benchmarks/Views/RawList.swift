import Foundation

/// The reference for lists: the same rows in the same table, and the list as an index that is kept by hand.
final class RawList {
    let database: RawHandle
    private let collection: String
    private let insertion: RawStatement
    private let selection: RawStatement
    private let update: RawStatement
    private let entry: RawStatement
    private let removal: RawStatement

    /// - Parameter placeType: SQLite's type of the values that sort the list.
    init(_ url: URL, of collection: String, placeType: String) throws {
        self.collection = collection
        database = try RawHandle(
            url,
            setup: [
                """
                CREATE TABLE IF NOT EXISTS "list" \
                ("group" CHAR NOT NULL, "place" \(placeType) NOT NULL, "row" INTEGER NOT NULL, \
                PRIMARY KEY ("group", "place", "row")) WITHOUT ROWID
                """
            ])
        insertion = try database.prepare(
            #"INSERT INTO "database2" ("collection", "key", "data", "metadata") VALUES (?, ?, ?, NULL)"#)
        selection = try database.prepare(
            #"SELECT "rowid", "data" FROM "database2" WHERE "collection" = ? AND "key" = ?"#)
        update = try database.prepare(#"UPDATE "database2" SET "data" = ? WHERE "rowid" = ?"#)
        entry = try database.prepare(#"INSERT INTO "list" ("group", "place", "row") VALUES (?, ?, ?)"#)
        removal = try database.prepare(#"DELETE FROM "list" WHERE "group" = ? AND "place" = ? AND "row" = ?"#)
    }

    func inTransaction(_ body: () throws -> Void) throws { try database.inTransaction(body) }

    func row(_ key: String) throws -> (rowid: Int64, bytes: Data)? {
        try selection.first(collection, key) { ($0.int64(0), $0.data(1)) }
    }

    /// Adds a row to the table alone.
    func insert(_ bytes: Data, _ key: String) throws { try insertion.run(collection, key, bytes) }

    /// Adds a row to the table and the list.
    func add(_ bytes: Data, _ key: String, group: String, place: any RawValue) throws {
        try insert(bytes, key)
        try entry.run(group, place, database.lastInsertRowid)
    }

    /// Gives a row of the table other content.
    func replace(_ bytes: Data, _ key: String) throws {
        guard let (rowid, _) = try row(key) else { throw RawError("There is no row \(key).") }
        try update.run(bytes, rowid)
    }

    /// Gives a row other content, and so another place.
    /// - Parameter former: the place that follows from the content so far.
    func set(
        _ bytes: Data, _ key: String, group: String, place: any RawValue,
        former: (Data) throws -> (group: String, place: any RawValue)
    ) throws {
        guard let (rowid, stored) = try row(key) else { throw RawError("There is no row \(key).") }
        let old = try former(stored)
        try removal.run(old.group, old.place, rowid)
        try update.run(bytes, rowid)
        try entry.run(group, place, rowid)
    }
}
