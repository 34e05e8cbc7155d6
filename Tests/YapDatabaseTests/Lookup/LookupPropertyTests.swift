import Foundation
import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

/// A secondary index, a full-text search and an R-tree against a plain model: after each random transaction they find what a
/// scan of all rows finds.
@Suite struct LookupPropertyTests {
    @Test(arguments: Effort.some([1, 2, 3, 4, 5, 6] as [UInt64]))
    func queriesFindWhatAScanFinds(seed: UInt64) throws { try Self.run(seed, transactions: 900) }

    static func run(_ seed: UInt64, transactions: Int) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            var run = try LookupRun(database: database, seed: seed)
            if seed % 2 == 0 { try run.write(edits: 100) }
            try database.register(Item.index(), withName: "idx")
            try database.register(
                Item.search(version: ["fts5", "fts4", "fts3"][Int(seed % 3)]), withName: "fts")
            try database.register(Item.tree(), withName: "tree")
            for _ in 0..<transactions { try run.step(edits: 8) }
        }
    }
}

private struct LookupRun {
    private static let words = ["one", "two", "three", "four", "five"]

    let writer: YapDatabaseConnection
    let reader: YapDatabaseConnection
    let seed: UInt64
    var random: SplitMix64
    var model: [RowKey: Item] = [:]
    var steps = 0

    init(database: YapDatabase, seed: UInt64) throws {
        writer = try database.newConnection()
        reader = try database.newConnection()
        self.seed = seed
        random = SplitMix64(seed: seed)
    }

    mutating func write(edits: Int) throws {
        let isUndone = Int.random(in: 0..<10, using: &random) == 0
        var next = self
        try writer.readWrite { transaction throws in
            for _ in 0..<edits { try next.edit(transaction) }
            if isUndone { transaction.rollback() }
        }
        random = next.random
        if !isUndone { model = next.model }
    }

    mutating func step(edits: Int) throws {
        steps += 1
        try write(edits: Int.random(in: 1...edits, using: &random))
        let context: Comment = "seed \(seed), step \(steps)"
        let least = Int.random(in: 0..<40, using: &random)
        let word = Self.words.randomElement(using: &random)!
        let rows = model.filter { $0.value.group != nil }
        try reader.read { transaction throws in
            var sorts: [RowKey: Int] = [:]
            let query = YapDatabaseQuery(string: "WHERE sort >= ? ORDER BY sort", parameters: [least])
            var last = least
            try transaction.index().iterateKeysAndObjects(matching: query) { collection, key, object, _ in
                let item = try #require(object as? Item)
                #expect(item.sort >= last, context)
                last = item.sort
                sorts[RowKey(collection: collection, key: key)] = item.sort
            }
            #expect(sorts == rows.mapValues(\.sort).filter { $0.value >= least }, context)
            let all = YapDatabaseQuery(aggregateFunction: "sum(sort)", string: "WHERE grp = ?", parameters: ["A"])
            let sum = rows.values.filter { $0.group == "A" }.map(\.sort).reduce(0, +)
            #expect(try transaction.index().performAggregateQuery(all) as? Int ?? 0 == sum, context)

            var found: Set<RowKey> = []
            try transaction.search().iterateKeys(matching: word) {
                found.insert(RowKey(collection: $0, key: $1)); _ = $2
            }
            #expect(found == Set(rows.filter { $0.value.text.contains(word) }.keys), context)

            found = []
            let ranges = YapDatabaseQuery(string: "WHERE greatest >= ? AND least <= ?", parameters: [least, least + 5])
            try transaction.tree().iterateKeys(matching: ranges) {
                found.insert(RowKey(collection: $0, key: $1)); _ = $2
            }
            let expected = rows.filter { $0.value.sort + $0.value.text.count >= least && $0.value.sort <= least + 5 }
            #expect(found == Set(expected.keys), context)
        }
    }

    private mutating func edit(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let key = RowKey(
            collection: Bool.random(using: &random) ? "c" : "d", key: "k\(Int.random(in: 0..<30, using: &random))")
        let item = Item(
            group: ["A", "B", nil].randomElement(using: &random)!, sort: Int.random(in: 0..<40, using: &random),
            text: (0..<Int.random(in: 0..<4, using: &random)).map { _ in Self.words.randomElement(using: &random)! }
                .joined(separator: " "))
        switch Int.random(in: 0..<100, using: &random) {
        case 0:
            try transaction.removeAllObjectsInAllCollections()
            model = [:]
        case 1:
            try transaction.removeAllObjects(inCollection: key.collection)
            model = model.filter { $0.key.collection != key.collection }
        case 2..<25:
            try transaction.removeObject(forKey: key.key, inCollection: key.collection)
            model[key] = nil
        case 25..<30: try transaction.touchRow(forKey: key.key, inCollection: key.collection)
        case 30..<40:
            try transaction.replaceMetadata("m", forKey: key.key, inCollection: key.collection)
        case 40..<55:
            try transaction.replace(item, forKey: key.key, inCollection: key.collection)
            if model[key] != nil { model[key] = item }
        default:
            try transaction.setObject(item, forKey: key.key, inCollection: key.collection)
            model[key] = item
        }
    }
}
