import Foundation
import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

/// A chain of filtered views over a sorted view, and one over a manual view, against a plain model: after each transaction the
/// rows are those of a filter over the parent's rows, and the change-sets keep the law.
@Suite struct FilteredViewPropertyTests {
    @Test(arguments: Effort.some([1, 2, 3, 4, 5, 6, 7, 8]))
    func filteredViewsHoldWhatFilteringTheirParentsGives(seed: UInt64) throws { try Self.run(seed, transactions: 450) }

    static func run(_ seed: UInt64, transactions: Int) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            let isPersistent = seed % 4 != 0
            try database.register(Item.view(persistent: isPersistent), withName: "items")
            func filter(_ parent: String, _ rule: Int) -> YapDatabaseFilteredView {
                let options = YapDatabaseViewOptions()
                options.isPersistent = isPersistent
                return YapDatabaseFilteredView(
                    parentViewName: parent, filtering: FilterRule(rule).filtering, versionTag: "\(rule)",
                    options: options)
            }
            try database.register(filter("items", 0), withName: "first")
            try database.register(filter("first", 1), withName: "second")
            let options = YapDatabaseViewOptions()
            options.isPersistent = isPersistent
            try database.register(YapDatabaseManualView(options: options), withName: "manual")
            try database.register(filter("manual", 2), withName: "third")
            var run = try FilterRun(database: database, seed: seed)
            for _ in 0..<transactions { try run.step(edits: 8) }
        }
    }

    /// So many rows that another order puts them on new pages.
    @Test(arguments: Effort.some([21, 22] as [UInt64]))
    func longViewsAreArrangedAgainAsAWhole(seed: UInt64) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            func filter(_ parent: String, _ rule: Int) -> YapDatabaseFilteredView {
                YapDatabaseFilteredView(
                    parentViewName: parent, filtering: FilterRule(rule).filtering, versionTag: "\(rule)")
            }
            try database.register(filter("items", 0), withName: "first")
            try database.register(filter("first", 1), withName: "second")
            try database.register(YapDatabaseManualView(), withName: "manual")
            try database.register(filter("manual", 2), withName: "third")
            var run = try FilterRun(database: database, seed: seed, keys: 1000)
            for step in 0..<25 { try run.step(edits: step == 0 ? 3000 : 100) }
        }
    }
}

/// A filter out of an endless family of them.
private struct FilterRule {
    let number: Int

    init(_ number: Int) { self.number = number }

    var filtering: YapDatabaseViewFiltering {
        .withObjectBlock { [self] _, group, _, _, object in includes(object as! Item, group) }
    }

    func includes(_ item: Item, _ group: String) -> Bool {
        switch number % 4 {
        case 0: item.sort % 2 == number / 4 % 2
        case 1: group != "B" || item.sort < number % 40
        case 2: item.sort >= number % 30
        default: true
        }
    }
}

private struct FilterRun {
    let connection: YapDatabaseConnection
    let followers: [String: ListFollower]
    let parents = ["first": "items", "second": "first", "third": "manual"]
    var random: SplitMix64
    let seed: UInt64
    let keys: Int
    var steps = 0
    var model: [RowKey: Item] = [:]
    var rules = ["first": 0, "second": 1, "third": 2]
    var manual: [String: [RowKey]] = [:]
    /// Which order and which grouping the view `items` has.
    var (order, grouping, tag) = (0, 0, 0)

    init(database: YapDatabase, seed: UInt64, keys: Int = 60) throws {
        connection = try database.newConnection()
        var followers: [String: ListFollower] = [:]
        for view in ["items", "first", "second", "manual", "third"] {
            followers[view] = try ListFollower(database, view: view, groups: ["A", "B", "C"])
        }
        self.followers = followers
        random = SplitMix64(seed: seed)
        self.seed = seed
        self.keys = keys
    }

    mutating func step(edits: Int) throws {
        steps += 1
        var next = self
        let count = Int.random(in: (edits + 7) / 8...edits, using: &next.random)
        if Int.random(in: 0..<10, using: &next.random) == 0 {
            var dropped = next
            try connection.readWrite { transaction throws in
                for _ in 0..<count { try dropped.edit(transaction) }
                transaction.rollback()
            }
        }
        try connection.readWrite { transaction throws in
            for _ in 0..<count { try next.edit(transaction) }
        }
        self = next
        let context: Comment = "seed \(seed), step \(steps)"
        try connection.read { transaction throws in
            let items = try rows("items", transaction)
            #expect(items == expectedItems, context)
            #expect(try rows("manual", transaction) == manual.filter { !$0.value.isEmpty }, context)
            for view in ["first", "second", "third"] {
                let parent = try rows(parents[view]!, transaction)
                let rule = FilterRule(rules[view]!)
                let expected = parent.reduce(into: [String: [RowKey]]()) { groups, entry in
                    let rows = entry.value.filter { rule.includes(model[$0]!, entry.key) }
                    if !rows.isEmpty { groups[entry.key] = rows }
                }
                #expect(try rows(view, transaction) == expected, "\(view) of \(context)")
            }
        }
        if Int.random(in: 0..<3, using: &random) > 0 {
            for (view, follower) in followers { try follower.advance("\(view) of \(context)") }
        }
        #expect(followers.values.allSatisfy { $0.reloads == 0 }, context)
    }

    private func rows(_ name: String, _ transaction: YapDatabaseReadTransaction) throws -> [String: [RowKey]] {
        let view = try #require(transaction.ext(name) as? YapDatabaseViewTransaction)
        var rows: [String: [RowKey]] = [:]
        for group in view.allGroups() {
            try view.iterateKeys(inGroup: group) { collection, key, _, _ in
                rows[group, default: []].append(RowKey(collection: collection, key: key))
            }
        }
        return rows
    }

    private var expectedItems: [String: [RowKey]] {
        let grouped = Dictionary(grouping: model.keys) { Self.group(of: model[$0]!, $0, grouping) }
        var rows: [String: [RowKey]] = [:]
        for (group, keys) in grouped {
            guard let group else { continue }
            rows[group] = keys.sorted { Self.place(of: model[$0]!, $0, order) < Self.place(of: model[$1]!, $1, order) }
        }
        return rows
    }

    private static func group(of item: Item, _ key: RowKey, _ grouping: Int) -> String? {
        guard grouping > 0, let group = item.group else { return item.group }
        return key.key.count % 2 == grouping % 2 ? ["A", "B", "C"][grouping % 3] : group
    }

    private static func place(of item: Item, _ key: RowKey, _ order: Int) -> (Int, String, String) {
        (order % 3 == 0 ? item.sort : order % 3 == 1 ? -item.sort : item.sort % 7, key.key, key.collection)
    }

    private mutating func edit(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let key = RowKey(
            collection: Bool.random(using: &random) ? "c" : "d", key: "k\(Int.random(in: 0..<keys, using: &random))")
        switch Int.random(in: 0..<400, using: &random) {
        case 0:
            try transaction.removeAllObjectsInAllCollections()
            (model, manual) = ([:], [:])
        case 1:
            try transaction.removeAllObjects(inCollection: key.collection)
            model = model.filter { $0.key.collection != key.collection }
            manual = manual.mapValues { $0.filter { $0.collection != key.collection } }
        case 2..<90:
            try transaction.removeObject(forKey: key.key, inCollection: key.collection)
            model[key] = nil
            manual = manual.mapValues { $0.filter { $0 != key } }
        case 90..<110:
            let view = ["items", "first", "second", "manual", "third"].randomElement(using: &random)!
            try #require(transaction.ext(view) as? YapDatabaseViewTransaction).touchRow(
                forKey: key.key, inCollection: key.collection)
        case 110..<120:
            let view = ["first", "second", "third"].randomElement(using: &random)!
            rules[view] = Int.random(in: 3..<1000, using: &random)
            try #require(transaction.ext(view) as? YapDatabaseFilteredViewTransaction).setFiltering(
                FilterRule(rules[view]!).filtering, versionTag: "\(rules[view]!)")
        case 120..<128: try arrange(transaction)
        case 128..<200: try editManually(key, transaction)
        default:
            let item = Item(
                group: ["A", "B", "C", nil].randomElement(using: &random)!,
                sort: Int.random(in: 0..<60, using: &random), text: "\(steps)")
            try transaction.setObject(item, forKey: key.key, inCollection: key.collection)
            model[key] = item
        }
    }

    private mutating func arrange(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let view = try #require(transaction.ext("items") as? YapDatabaseAutoViewTransaction)
        tag += 1
        order = Int.random(in: 0..<3, using: &random)
        let sorting = YapDatabaseViewSorting.withObjectBlock {
            [order] _, _, collection1, key1, a, collection2, key2, b in
            let a = Self.place(of: a as! Item, RowKey(collection: collection1, key: key1), order)
            let b = Self.place(of: b as! Item, RowKey(collection: collection2, key: key2), order)
            return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
        }
        guard Bool.random(using: &random) else { return try view.setSorting(sorting, versionTag: "tag \(tag)") }
        grouping = Int.random(in: 0..<7, using: &random)
        try view.setGrouping(
            .withObjectBlock { [grouping] _, collection, key, object in
                Self.group(of: object as! Item, RowKey(collection: collection, key: key), grouping)
            }, sorting: sorting, versionTag: "tag \(tag)")
    }

    private mutating func editManually(_ key: RowKey, _ transaction: YapDatabaseReadWriteTransaction) throws {
        let view = try #require(transaction.ext("manual") as? YapDatabaseManualViewTransaction)
        let group = ["A", "B"].randomElement(using: &random)!
        let rows = manual[group] ?? []
        let index = Int.random(in: 0...rows.count, using: &random)
        let isKnown = model[key] != nil && !manual.values.contains { $0.contains(key) }
        switch Int.random(in: 0..<40, using: &random) {
        case 0:
            try view.removeAllItems(inGroup: group)
            manual[group] = []
        case 1..<6:
            #expect(try view.removeItem(at: index, inGroup: group) == (index < rows.count))
            if index < rows.count { manual[group]!.remove(at: index) }
        case 6..<10:
            let isRemoved = try view.removeKey(key.key, inCollection: key.collection, fromGroup: group)
            #expect(isRemoved == rows.contains(key))
            manual[group] = rows.filter { $0 != key }
        case 10..<25:
            #expect(try view.addKey(key.key, inCollection: key.collection, toGroup: group) == isKnown)
            if isKnown { manual[group, default: []].append(key) }
        default:
            let isInserted = try view.insertKey(key.key, inCollection: key.collection, at: index, inGroup: group)
            #expect(isInserted == isKnown)
            if isKnown { manual[group, default: []].insert(key, at: index) }
        }
    }
}
