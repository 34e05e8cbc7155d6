import Foundation
import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

/// Search results, over a parent and with groups of their own, against a scan of all rows; their logs lead from the rows
/// before to the rows after.
@Suite struct SearchResultsPropertyTests {
    @Test(arguments: Effort.some([1, 2, 3, 4, 5, 6] as [UInt64]))
    func resultsAreWhatAScanFinds(seed: UInt64) throws { try Self.run(seed, transactions: 500) }

    static func run(_ seed: UInt64, transactions: Int) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            try database.register(Item.search(), withName: "fts")
            let options = YapDatabaseSearchResultsViewOptions()
            options.isPersistent = seed % 2 == 0
            if seed % 3 == 0 { options.snippetOptions = YapDatabaseFullTextSearchSnippetOptions() }
            try database.register(
                YapDatabaseSearchResultsView(fullTextSearchName: "fts", parentViewName: "items", options: options),
                withName: "results")
            let view = Item.view()
            try database.register(
                YapDatabaseSearchResultsView(
                    fullTextSearchName: "fts", grouping: view.grouping, sorting: view.sorting, options: options),
                withName: "own")
            let filtered = YapDatabaseViewOptions()
            filtered.isPersistent = options.isPersistent
            try database.register(
                YapDatabaseFilteredView(
                    parentViewName: "results",
                    filtering: .withObjectBlock { _, _, _, _, object in (object as! Item).sort % 2 == 0 },
                    options: filtered), withName: "even")
            var run = try ResultsRun(database: database, seed: seed)
            // Now and then more rows than are placed one by one.
            for number in 1...transactions { try run.step(edits: number % 50 == 0 ? 300 : 8) }
        }
    }
}

private struct ResultsRun {
    private static let words = ["one", "two", "three", "four", "five"]

    struct Model {
        var items: [RowKey: Item] = [:]
        var texts = ["results": "", "own": ""]
        /// Whether the parent sorts in the other direction.
        var isReversed = false
    }

    let writer: YapDatabaseConnection
    let reader: YapDatabaseConnection
    let seed: UInt64
    var random: SplitMix64
    var model = Model()
    var before: [String: [String: [RowKey]]] = [:]
    var steps = 0

    init(database: YapDatabase, seed: UInt64) throws {
        writer = try database.newConnection()
        reader = try database.newConnection()
        try reader.beginLongLivedReadTransaction()
        self.seed = seed
        random = SplitMix64(seed: seed)
    }

    mutating func step(edits: Int) throws {
        steps += 1
        let isUndone = Int.random(in: 0..<10, using: &random) == 0
        var next = self
        try writer.readWrite { transaction throws in
            for _ in 0..<Int.random(in: 1...edits, using: &next.random) { try next.edit(transaction) }
            if isUndone { transaction.rollback() }
        }
        random = next.random
        if !isUndone { model = next.model }
        let notifications = try reader.beginLongLivedReadTransaction()
        for name in ["results", "own", "even"] {
            let context: Comment = "seed \(seed), step \(steps), \(name), \"\(model.texts[name] ?? "")\""
            let rows = try reader.read { transaction throws in
                if let text = model.texts[name] { #expect(try transaction.results(name).query() == text, context) }
                return try Self.rows(transaction, name)
            }
            #expect(rows == expected(name), context)
            #expect(try replay(notifications, name, context) == rows, context)
            before[name] = rows
        }
    }

    private mutating func edit(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let key = RowKey(
            collection: Bool.random(using: &random) ? "c" : "d", key: "k\(Int.random(in: 0..<60, using: &random))")
        switch Int.random(in: 0..<100, using: &random) {
        case 0:
            try transaction.removeAllObjectsInAllCollections()
            model.items = [:]
        case 1:
            try transaction.removeAllObjects(inCollection: key.collection)
            model.items = model.items.filter { $0.key.collection != key.collection }
        case 2..<20:
            try transaction.removeObject(forKey: key.key, inCollection: key.collection)
            model.items[key] = nil
        case 20..<25: try transaction.touchRow(forKey: key.key, inCollection: key.collection)
        case 25..<35:
            let name = Bool.random(using: &random) ? "results" : "own"
            let text = (0..<Int.random(in: 0..<3, using: &random)).map { _ in Self.words.randomElement(using: &random)!
            }
            .joined(separator: " ")
            try transaction.results(name).performSearch(for: text)
            model.texts[name] = text
        case 35..<37:
            model.isReversed.toggle()
            let view = Item.view()
            let sign = model.isReversed ? -1 : 1
            let items = try #require(transaction.ext("items") as? YapDatabaseAutoViewTransaction)
            try items.setGrouping(
                view.grouping,
                sorting: .withObjectBlock { _, _, c1, k1, a, c2, k2, b in
                    let (a, b) = ((sign * (a as! Item).sort, k1, c1), (sign * (b as! Item).sort, k2, c2))
                    return a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
                }, versionTag: "\(steps) \(random.next())")
        default:
            let item = Item(
                group: ["A", "B", nil].randomElement(using: &random)!, sort: Int.random(in: 0..<60, using: &random),
                text: (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                    Self.words.randomElement(using: &random)!
                }.joined(separator: " "))
            try transaction.setObject(item, forKey: key.key, inCollection: key.collection)
            model.items[key] = item
        }
    }

    private func expected(_ name: String) -> [String: [RowKey]] {
        let words = model.texts[name == "own" ? name : "results"]!.split(separator: " ")
        let found = model.items.filter { _, item in
            (name != "even" || item.sort % 2 == 0) && item.group != nil && !words.isEmpty
                && words.allSatisfy { item.text.contains($0) }
        }
        let sign = name != "own" && model.isReversed ? -1 : 1
        return Dictionary(grouping: found.keys, by: { found[$0]!.group! }).mapValues { keys in
            keys.sorted {
                (sign * found[$0]!.sort, $0.key, $0.collection) < (sign * found[$1]!.sort, $1.key, $1.collection)
            }
        }
    }

    private func replay(
        _ notifications: [Notification], _ name: String, _ context: Comment
    ) throws -> [String: [RowKey]] {
        var rows = before[name] ?? [:]
        for operation in notifications.flatMap({ ($0.commit?.base.logs[name] as? ViewLog)?.operations ?? .empty }) {
            switch operation {
            case .insertSection(let group): rows[group] = rows[group] ?? []
            case .deleteSection(let group): #expect(rows.removeValue(forKey: group)?.isEmpty == true, context)
            case .resetSection(let group): rows[group] = []
            case .insertRow(let group, let index, let key): rows[group]!.insert(key, at: index)
            case .deleteRow(let group, let index, let key): #expect(rows[group]!.remove(at: index) == key, context)
            case .updateRow(let group, let index, let key, _): #expect(rows[group]![index] == key, context)
            }
        }
        return rows
    }

    private static func rows(_ transaction: YapDatabaseReadTransaction, _ name: String) throws -> [String: [RowKey]] {
        let view = try #require(transaction.ext(name) as? YapDatabaseViewTransaction)
        var rows: [String: [RowKey]] = [:]
        for group in view.allGroups() {
            try view.iterateKeys(inGroup: group) { collection, key, _, _ in
                rows[group, default: []].append(RowKey(collection: collection, key: key))
            }
        }
        return rows
    }
}
