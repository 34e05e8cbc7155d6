import Foundation
import YapDatabase

/// What fields or blocks declare over rows that are there, against reading and decoding all rows by hand.
let populateCases: [Case] = [
    populateCase(
        "populate_view/fields", targets: [.value(atMost: 4, "µs"), .ratio(atMost: 1.2)], ItemList.name,
        ItemList.fields.register, sort),
    populateCase("populate_view/blocks", targets: [], ItemList.name, ItemList.blocks.register, sort),
    populateCase(
        "populate_condition", targets: [.ratio(atMost: 1.2)], unread.name, { try $0.register(unread) }, sortUnread),
    populateCase(
        "populate_index_fields", targets: [.ratio(atMost: 1.2)], fields.name, { try $0.register(fields) }, fillIndex),
]

private let rows = 100_000
private let items = YapCollection(Item.collection, of: Item.self)

/// Half of the rows.
private let unread = YapList(
    "unread items", of: items, groupedBy: \.group, sortedBy: .ascending(\.rank), where: \.isRead == false)

private let fields = YapIndex("fields of items", of: items, on: \.group, \.rank)

/// - Parameters:
///   - extensionName: what the first closure registers.
///   - byHand: does the same with SQLite alone, over the same file.
private func populateCase(
    _ name: String, targets: [Target], _ extensionName: String,
    _ register: @escaping @MainActor (YapDatabase) throws -> Void,
    _ byHand: @escaping @MainActor (RawHandle) throws -> Void
) -> Case {
    Case(name: name, n: rows, k: rows, unit: "µs/row", targets: targets) {
        try withItemFile { url in
            let raw = try RawItems(url).database
            return try withItems(url) { database in
                var times: (ours: [Double], raw: [Double]) = ([], [])
                for _ in 0..<5 {
                    times.ours.append(try passed { try register(database) })
                    try database.unregisterExtension(withName: extensionName)
                    times.raw.append(try passed { try byHand(raw) })
                    try raw.execute(#"DROP TABLE IF EXISTS "fields""#)
                }
                return Measurement(times.ours, times.raw, scale: 1e6 / Double(rows))
            }
        }
    }
}

private func scan(_ raw: RawHandle, _ body: (Int64, Item) throws -> Void) throws {
    try raw.prepare(#"SELECT "rowid", "data" FROM "database2""#).forEach { row in
        try body(row.int64(0), try Item.decoded(row.data(1)))
    }
}

@MainActor private func sort(_ raw: RawHandle) throws { try sort(raw) { _ in true } }

@MainActor private func sortUnread(_ raw: RawHandle) throws { try sort(raw) { !$0.isRead } }

private func sort(_ raw: RawHandle, _ isIncluded: (Item) -> Bool) throws {
    var groups: [String: [(item: Item, rowid: Int64)]] = [:]
    try scan(raw) { rowid, item in
        if isIncluded(item) { groups[item.group, default: []].append((item, rowid)) }
    }
    for rows in groups.values { keep(rows.sorted { $0.item.rank < $1.item.rank }) }
}

/// A table with an index for each column, in one transaction, as ours is made.
@MainActor private func fillIndex(_ raw: RawHandle) throws {
    try raw.inTransaction {
        try raw.execute(#"CREATE TABLE "fields" ("rowid" INTEGER PRIMARY KEY, "group" TEXT, "rank" REAL)"#)
        let insertion = try raw.prepare(#"INSERT INTO "fields" ("rowid", "group", "rank") VALUES (?, ?, ?)"#)
        try scan(raw) { rowid, item in try insertion.run(rowid, item.group, item.rank) }
        try raw.execute(#"CREATE INDEX "fields_group" ON "fields" ("group")"#)
        try raw.execute(#"CREATE INDEX "fields_rank" ON "fields" ("rank")"#)
    }
}
