import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// Every kind of extension against a plain model, while rows become undecodable and decodable again.
@Suite struct UndecodablePropertyTests {
    @Test(arguments: Effort.some([1, 2, 3, 4, 5, 6] as [UInt64]))
    func extensionsHaveTheRowsThatCanBeDecoded(seed: UInt64) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            var run = UndecodableRun(seed: seed)
            for launch in 0..<3 {
                let database = try YapDatabase(url: url, options: .forTests)
                try run.register(in: database, launch: launch)
                let connection = try database.newConnection()
                for step in 0..<25 {
                    try connection.readWrite { transaction throws in
                        for _ in 0..<(run.random.percent(20) ? 150 : 6) { try run.edit(transaction) }
                        if step % 3 == 0 { try run.check(transaction, "seed \(seed), inside \(launch).\(step)") }
                    }
                    try database.newConnection().read {
                        try run.check($0, "seed \(seed), launch \(launch), step \(step)")
                    }
                }
                // Filled again, alone and together.
                try run.registerAgain(in: database, launch: launch)
                try database.newConnection().read { try run.check($0, "seed \(seed), filled after launch \(launch)") }
                if launch == 2 {
                    try database.newConnection().readWrite { try run.removeBadRows($0) }
                    try database.newConnection().read { try run.check($0, "seed \(seed), at the end") }
                }
                try database.close()
            }
            #expect(try YapDatabase.check(url: url) == [], "seed \(seed)")
        }
    }
}

private struct UndecodableRun {
    var random: SplitMix64
    /// The rows that can be decoded, and the keys of those that cannot.
    private var rows: [Int: Novel] = [:]
    private var bad: Set<Int> = []

    static let exact = YapList("exact", of: Novel.all, groupedBy: \.isOwned, sortedBy: .ascending(\.price))

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private static func view(_ tag: String, isPersistent: Bool) -> YapDatabaseAutoView {
        let options = YapDatabaseViewOptions()
        options.allowedCollections = YapWhitelistBlacklist(whitelist: ["novels"])
        options.isPersistent = isPersistent
        return YapDatabaseAutoView(
            grouping: .withKeyBlock { _, _, key in Int(key).map { $0 % 2 == 0 ? "even" : "odd" } },
            sorting: .withObjectBlock { _, _, _, key1, object1, _, key2, object2 in
                let (a, b) = ((object1 as! Novel).title, (object2 as! Novel).title)
                return a == b ? key1.compare(key2) : a < b ? .orderedAscending : .orderedDescending
            }, versionTag: tag, options: options)
    }

    private static func filtered(_ tag: String) -> YapDatabaseFilteredView {
        // Of a parent that looks at keys alone, so that it has the rows.
        YapDatabaseFilteredView(
            parentViewName: "keys",
            filtering: .withObjectBlock { _, _, _, _, object in (object as! Novel).price < 1.5 }, versionTag: tag)
    }

    private static var keys: YapDatabaseAutoView {
        YapDatabaseAutoView(
            grouping: .withKeyBlock { _, collection, _ in collection == "novels" ? "all" : nil },
            sorting: .withKeyBlock { _, _, _, a, _, b in a.compare(b) })
    }

    private static func extensions(_ tag: String) -> [(name: String, extension: YapDatabaseExtension)] {
        [
            ("order", Novel.order.makeExtension()), ("exact", exact.makeExtension()),
            ("fields", Novel.fields.makeExtension()), ("texts", Novel.texts.makeExtension()),
            ("stored", view(tag, isPersistent: true)), ("memory", view(tag, isPersistent: false)), ("keys", keys),
            ("cheap", filtered(tag)),
        ]
    }

    mutating func register(in database: YapDatabase, launch: Int) throws {
        Novel.all.use(in: database)
        let all = Self.extensions("\(launch / 2)")
        if random.percent(50) { return try database.register(all) }
        for (name, one) in all { try database.register(one, withName: name) }
    }

    mutating func registerAgain(in database: YapDatabase, launch: Int) throws {
        for name in ["cheap", "stored", "memory", "order", "fields"] {
            try database.unregisterExtension(withName: name)
        }
        let all = Self.extensions("\(launch / 2)").filter {
            ["cheap", "stored", "memory", "order", "fields"].contains($0.name)
        }
        if random.percent(50) { return try database.register(all) }
        for (name, one) in all { try database.register(one, withName: name) }
    }

    mutating func edit(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let id = random.below(120)
        switch random.below(10) {
        case 0..<5:
            let novel = Novel.random(id, &random)
            try transaction[Novel.all].save(novel)
            rows[id] = novel
            bad.remove(id)
        case 5..<8:
            try transaction.spoil("\(id)", "bytes \(random.below(5))")
            rows[id] = nil
            bad.insert(id)
        case 8:
            try transaction[Novel.all].remove(id)
            rows[id] = nil
            bad.remove(id)
        default:
            try transaction[Novel.all].touch(id)
        }
        if random.below(2_000) == 0 {
            try transaction[Novel.all].removeAll()
            (rows, bad) = ([:], [])
        }
    }

    mutating func removeBadRows(_ transaction: YapDatabaseReadWriteTransaction) throws {
        try transaction[Novel.all].remove(bad)
        bad = []
    }

    func check(_ transaction: YapDatabaseReadTransaction, _ place: String) throws {
        let all = Array(rows.values)
        let owned = all.filter { $0.isOwned && $0.shelf != nil }
        let order = try transaction[Novel.order]
        #expect(order.count == owned.count, "\(place)")
        for shelf in Set(owned.compactMap(\.shelf)) {
            let wanted = owned.filter { $0.shelf == shelf }.sorted { Self.precedes($0, $1) }.map(\.id)
            #expect(try order.values(in: shelf.rawValue).map(\.id) == wanted, "\(place), \(shelf)")
        }
        let exact = try transaction[Self.exact]
        #expect(exact.count == all.count, "\(place)")
        for group in exact.groups {
            let prices = try exact.values(in: group).map(\.price)
            #expect(prices == prices.sorted(), "\(place)")
        }
        #expect(
            try transaction[Novel.all].where(\.price < 1.5).count == all.filter { $0.price < 1.5 }.count, "\(place)")
        #expect(
            try Set(transaction[Novel.texts].keys(matching: "dune"))
                == Set(all.filter { $0.title == "Dune" }.map(\.id)),
            "\(place)")
        for name in ["stored", "memory"] {
            let view = try #require(transaction.ext(name) as? YapDatabaseViewTransaction)
            #expect(view.numberOfItemsInAllGroups() == all.count, "\(place), \(name)")
            for group in ["even", "odd"] {
                let wanted = all.filter { ($0.id % 2 == 0) == (group == "even") }
                    .sorted { ($0.title, "\($0.id)") < ($1.title, "\($1.id)") }.map { "\($0.id)" }
                let found = try (0..<view.numberOfItems(inGroup: group)).map {
                    try view.rowKey(at: $0, inGroup: group)?.key
                }
                #expect(found == wanted, "\(place), \(name)")
            }
        }
        let cheap = try #require(transaction.ext("cheap") as? YapDatabaseViewTransaction)
        #expect(cheap.numberOfItemsInAllGroups() == all.filter { $0.price < 1.5 }.count, "\(place)")
        let keys = try #require(transaction.ext("keys") as? YapDatabaseViewTransaction)
        #expect(keys.numberOfItemsInAllGroups() == all.count + bad.count, "\(place)")
        #expect(try transaction.ext("keys")?.problems == [], "\(place)")
        let left = Set(bad.map { "\($0)" })
        for name in ["order", "exact", "fields", "texts", "stored", "memory", "cheap"] {
            #expect(try Set(transaction.ext(name)?.problems.map(\.key) ?? []) == left, "\(place), \(name)")
        }
    }

    private static func precedes(_ a: Novel, _ b: Novel) -> Bool {
        // As the list is declared: the year from the last, nil at the end; then the title, then the number.
        if a.year != b.year { return (a.year ?? .min) > (b.year ?? .min) }
        return (a.title, a.id) < (b.title, b.id)
    }
}
