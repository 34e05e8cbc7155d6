import Foundation
import YapDatabase

/// Who keeps the rows and lists of these cases.
enum Contender: String {
    /// SQLite by hand.
    case raw
    case ours

    /// - Parameter lists: how many lists by rank the rows have.
    @MainActor func open(_ url: URL, lists: Int = 0) throws -> any Program {
        switch self {
        case .raw: try RawProgram(url, lists: lists)
        case .ours: try OurProgram(url, lists: lists)
        }
    }
}

/// A program that keeps items.
protocol Program {
    /// Reads a row by its key and decodes it.
    func read(_ key: String) throws
    /// Reads and decodes all rows.
    func readAll() throws
    /// Reads and decodes the first rows of a group of the list.
    func readList(_ group: String, first count: Int) throws
    /// Adds rows in one transaction.
    func add(_ rows: [(key: String, item: Item)]) throws
    /// Gives rows other contents, and so other places, in one transaction.
    func set(_ rows: [(key: String, item: Item)]) throws
    /// Removes rows in one transaction.
    func remove(_ keys: [String]) throws
    /// One more program of the same process, for another thread.
    func other() throws -> any Program
    func close() throws
}

/// SQLite by hand: one table for each list.
final class RawProgram: Program {
    let database: RawHandle
    private let url: URL
    private let lists: Int
    private let insertion: RawStatement
    private let selection: RawStatement
    private let update: RawStatement
    private let deletion: RawStatement
    private let entries: [RawStatement]
    private let removals: [RawStatement]

    init(_ url: URL, lists: Int) throws {
        (self.url, self.lists) = (url, lists)
        let names = (0..<lists).map { "\"list\($0)\"" }
        // Ours copies its log into the file meanwhile. A log that grows without end would be no comparison.
        let database = try RawHandle(
            url,
            setup: ["PRAGMA wal_autocheckpoint = 1000"]
                + names.map {
                    """
                    CREATE TABLE IF NOT EXISTS \($0) ("group" CHAR NOT NULL, "place" REAL NOT NULL, \
                    "row" INTEGER NOT NULL, PRIMARY KEY ("group", "place", "row")) WITHOUT ROWID
                    """
                })
        self.database = database
        insertion = try database.prepare(
            #"INSERT INTO "database2" ("collection", "key", "data", "metadata") VALUES (?, ?, ?, NULL)"#)
        selection = try database.prepare(
            #"SELECT "rowid", "data" FROM "database2" WHERE "collection" = ? AND "key" = ?"#)
        update = try database.prepare(#"UPDATE "database2" SET "data" = ? WHERE "rowid" = ?"#)
        deletion = try database.prepare(#"DELETE FROM "database2" WHERE "rowid" = ?"#)
        entries = try names.map {
            try database.prepare("INSERT INTO \($0) (\"group\", \"place\", \"row\") VALUES (?, ?, ?)")
        }
        removals = try names.map {
            try database.prepare("DELETE FROM \($0) WHERE \"group\" = ? AND \"place\" = ? AND \"row\" = ?")
        }
    }

    func read(_ key: String) throws { keep(try Item.decoded(row(key).bytes)) }

    func readAll() throws {
        let scan = try database.prepare(#"SELECT "data" FROM "database2" WHERE "collection" = ?"#)
        try scan.forEach(binding: [Item.collection]) { keep(try Item.decoded($0.data(0))) }
    }

    func readList(_ group: String, first count: Int) throws {
        let query = try database.prepare(
            #"""
            SELECT "data" FROM "list0" JOIN "database2" ON "database2"."rowid" = "list0"."row"
            WHERE "group" = ? ORDER BY "place", "row" LIMIT \#(count)
            """#)
        try query.forEach(binding: [group]) { keep(try Item.decoded($0.data(0))) }
    }

    func add(_ rows: [(key: String, item: Item)]) throws {
        try database.inTransaction {
            for (key, item) in rows {
                try insertion.run(Item.collection, key, item.encoded())
                let rowid = database.lastInsertRowid
                for entry in entries { try entry.run(item.group, item.rank, rowid) }
            }
        }
    }

    func set(_ rows: [(key: String, item: Item)]) throws {
        try database.inTransaction {
            for (key, item) in rows {
                let (rowid, bytes) = try row(key)
                if lists > 0 {
                    let old = try Item.decoded(bytes)
                    for removal in removals { try removal.run(old.group, old.rank, rowid) }
                }
                try update.run(item.encoded(), rowid)
                for entry in entries { try entry.run(item.group, item.rank, rowid) }
            }
        }
    }

    func remove(_ keys: [String]) throws {
        try database.inTransaction {
            for key in keys {
                let (rowid, bytes) = try row(key)
                if lists > 0 {
                    let old = try Item.decoded(bytes)
                    for removal in removals { try removal.run(old.group, old.rank, rowid) }
                }
                try deletion.run(rowid)
            }
        }
    }

    func other() throws -> any Program { try RawProgram(url, lists: lists) }

    func close() throws {}

    private func row(_ key: String) throws -> (rowid: Int64, bytes: Data) {
        guard let row = try selection.first(Item.collection, key, read: { ($0.int64(0), $0.data(1)) }) else {
            throw RawError("There is no row \(key).")
        }
        return row
    }
}
