import Foundation
import SeededRandom
import YapDatabase

/// Views over rows that are there, and reads.
let itemReadCases: [Case] =
    [populateKeyCase, pageCase, queryTogetherCase]
    + [10_000, 1_000_000].flatMap { [commitToChangeSetCase($0), handKeptListCase($0), leastCase($0)] }
    + [openCase]

private let items = 100_000

/// A view whose blocks see the keys alone.
private let populateKeyCase = Case(
    name: "populate_key_view", n: items, k: items, unit: "µs/row", targets: [.value(atMost: 0.8, "µs")]
) {
    try withItemFile { url in
        try withItems(url) { database in
            let times = try (0..<5).map { _ in
                let time = try passed {
                    try database.register(
                        YapDatabaseAutoView(
                            grouping: .withKeyBlock { _, _, key in key.hasSuffix("0") ? "round" : "other" },
                            sorting: .withKeyBlock { _, _, _, first, _, second in
                                first < second ? .orderedAscending : first == second ? .orderedSame : .orderedDescending
                            }, versionTag: "1"),
                        withName: "keys")
                }
                try database.unregisterExtension(withName: "keys")
                return time
            }
            return Measurement(value: times.median * 1e6 / Double(items))
        }
    }
}

/// Fifty neighbouring rows of a list, decoded, at a random place; against a query that begins at a known row.
private let pageCase = fiftyCase(
    "page_of_50", atMost: 1.15, byHand: #""place" >= ? ORDER BY "place", "row""#,
    register: { try ItemList.fields.register(in: $0) },
    ours: { transaction, place, _ in
        try transaction[ItemList.list].values(in: "group 0", place..<place + 50)
    })

private let allItems = YapCollection(Item.collection, of: Item.self)

/// 50 of 10,000 rows with one value, in order of another property from a random place on, decoded, by an index of both together.
private let queryTogetherCase = fiftyCase(
    "query_together", atMost: 1.3, byHand: #""place" > ? ORDER BY "place""#,
    register: { try $0.register(YapIndex("ranks", of: allItems).together(\.group, \.rank)) },
    ours: { transaction, _, rank in
        try transaction[allItems].where(\.group == "group 0" && \.rank > rank).order(.ascending(\.rank)).limit(50)
            .values()
    })

/// Fifty rows of a group from a random place on, against a query by hand.
/// - Parameters:
///   - byHand: the rest of the query's condition, whose parameter is the rank at the place, and its order.
///   - ours: gets the place in the group, and the rank there.
private func fiftyCase(
    _ name: String, atMost limit: Double, byHand: String,
    register: @escaping @MainActor (YapDatabase) throws -> Void,
    ours: @escaping @MainActor (YapDatabaseReadTransaction, _ place: Int, _ rank: Double) throws -> [Item]
) -> Case {
    Case(name: name, n: items, k: 50, unit: "µs", targets: [.ratio(atMost: limit)]) {
        try withScratchFolder { folder in
            let reference = try RawItems(folder.appending(path: "raw.sqlite"))
            let rows = Item.all(0..<items, isRandom: true)
            try reference.inTransaction { for (key, item) in rows { try reference.add(item, key) } }
            let query = try reference.database.prepare(
                #"""
                SELECT "data" FROM "list" JOIN "database2" ON "database2"."rowid" = "list"."row"
                WHERE "group" = ? AND \#(byHand) LIMIT 50
                """#)
            return try withItems(folder.appending(path: "ours.sqlite"), 0..<items) { database in
                try register(database)
                let connection = try database.newConnection()
                connection.objectCacheEnabled = false
                let ranks = rows.filter { $0.item.group == "group 0" }.map(\.item.rank).sorted()
                var random = SplitMix64(seed: 3)
                var times: (ours: [Double], raw: [Double]) = ([], [])
                try connection.read { transaction in
                    for _ in 0..<500 {
                        let place = random.below(ranks.count - 50)
                        times.ours.append(try passed { keep(try ours(transaction, place, ranks[place])) })
                        times.raw.append(
                            try passed {
                                try query.forEach(binding: ["group 0", ranks[place]]) {
                                    keep(try Item.decoded($0.data(0)))
                                }
                            })
                    }
                }
                return Measurement(times.ours, times.raw, scale: 1e6)
            }
        }
    }
}

/// One row moves: the commit and the exact change-set of a list, against a bare commit of the same bytes.
private func commitToChangeSetCase(_ rows: Int) -> Case {
    moveCase("commit_to_changeset", rows) { url, copy in
        let mirror = try CommitMirror(of: url, copy: copy, view: ItemList.name)
        return try measureMoves(in: url, rows) { key, _ in
            let writes = try mirror.writes(movingRow: key, of: Item.collection)
            return try passed { try mirror.commit(writes) }
        }
    }
}

/// The same against a program that keeps the list by hand, which has to find the row and its place too: what is possible with this format.
private func handKeptListCase(_ rows: Int) -> Case {
    moveCase("commit_to_changeset_by_hand", rows) { url, copy in
        let list = try HandKeptList(copy, view: ItemList.name)
        let measurement = try measureMoves(in: url, rows) { key, item in
            try passed { keep(try list.move(key, to: item)) }
        }
        let (ours, byHand) = try (
            HandKeptList.rows(in: url, view: ItemList.name), HandKeptList.rows(in: copy, view: ItemList.name)
        )
        guard ours == byHand else { throw RawError("The list that was kept by hand is another one than ours.") }
        return measurement
    }
}

/// Such a program against a bare commit of the same bytes: whether the aim of `commit_to_changeset` is possible with this format, and on this
/// machine.
private func leastCase(_ rows: Int) -> Case {
    moveCase("commit_to_changeset_least", rows, target: nil) { url, copy in
        let bareCopy = copy.deletingPathExtension().appendingPathExtension("bare.sqlite")
        try copyDatabase(url, to: bareCopy)
        let list = try HandKeptList(copy, view: ItemList.name)
        let mirror = try CommitMirror(of: url, copy: bareCopy, view: ItemList.name)
        var byHand: [Double] = []
        let bare = try measureMoves(in: url, rows) { key, item in
            let writes = try mirror.writes(movingRow: key, of: Item.collection)
            byHand.append(try passed { keep(try list.move(key, to: item)) })
            return try passed { try mirror.commit(writes) }
        }
        return Measurement(value: byHand.median * 1e6, reference: bare.reference)
    }
}

/// A case with a file of items that has the list, and a copy of it.
private func moveCase(
    _ name: String, _ rows: Int, target: Target? = .ratio(atMost: 1.6),
    measure: @escaping @MainActor (_ url: URL, _ copy: URL) throws -> Measurement
) -> Case {
    Case(name: "\(name)/\(rows)", n: rows, k: 1, unit: "µs", targets: target.map { [$0] } ?? []) {
        try withScratchFolder { folder in
            let (url, copy) = (folder.appending(path: "ours.sqlite"), folder.appending(path: "copy.sqlite"))
            try withItems(url, 0..<rows) { try ItemList.fields.register(in: $0) }
            try copyDatabase(url, to: copy)
            return try measure(url, copy)
        }
    }
}

/// - Parameter reference: makes the same move elsewhere, and returns its seconds.
@MainActor private func measureMoves(
    in url: URL, _ rows: Int, reference: (_ key: String, Item) throws -> Double
) throws -> Measurement {
    try withItems(url) { database in
        try ItemList.fields.register(in: database)
        let (writer, reader) = (try database.newConnection(), try database.newConnection())
        try reader.beginLongLivedReadTransaction()
        let mappings = try ItemList.mappings(reader)
        var random = SplitMix64(seed: 5)
        var times: (ours: [Double], raw: [Double]) = ([], [])
        for move in 0..<1_000 {
            let number = random.below(rows)
            let (key, item) = (Item.key(number), Item(number, rank: Double(random.next() >> 12)))
            times.ours.append(
                try passed {
                    try writer.readWrite { try $0.setObject(item, forKey: key, inCollection: Item.collection) }
                    let commits = try reader.jump()
                    let view = reader.ext(ItemList.name) as! YapDatabaseViewConnection
                    keep(try view.outcome(for: commits, with: mappings))
                })
            times.raw.append(try reference(key, item))
            if move % 100 == 0 { drainMainQueue() }
        }
        return Measurement(times.ours, times.raw, scale: 1e6)
    }
}

/// From a closed file to the first 50 rows of a list, decoded, and closed again. `YAP_BENCH_ROWS` sets the number of rows.
private let openCase = Case(
    name: "open_registered", n: openItems, k: 50, unit: "ms", targets: [.value(atMost: 10, "ms")]
) {
    try withItemFile(openItems) { url in
        try withItems(url) { try ItemList.fields.register(in: $0) }
        let times = try (0..<7).map { _ in
            try passed {
                try withItems(url) { database in
                    try ItemList.fields.register(in: database)
                    try database.newConnection().read { transaction in
                        let view = transaction.ext(ItemList.name) as! YapDatabaseViewTransaction
                        for index in 0..<50 { keep(try view.object(at: index, inGroup: "group 0")) }
                    }
                }
            }
        }
        return Measurement(value: times.median * 1e3)
    }
}

private let openItems = ProcessInfo.processInfo.environment["YAP_BENCH_ROWS"].flatMap(Int.init) ?? 1_000_000

/// A file of items in random order.
@MainActor func withItemFile<Value>(_ count: Int = items, _ body: (URL) throws -> Value) throws -> Value {
    try withScratchFolder { folder in
        let url = folder.appending(path: "items.sqlite")
        for start in stride(from: 0, to: count, by: 100_000) {
            try withItems(url, start..<min(count, start + 100_000)) { _ in }
        }
        return try body(url)
    }
}
