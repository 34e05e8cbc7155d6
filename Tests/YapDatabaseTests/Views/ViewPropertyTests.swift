import Foundation
import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

/// A view against a naive model: all rows, filtered, grouped and sorted again after every transaction.
@Suite struct ViewPropertyTests {
    @Test(arguments: Effort.some([1, 2, 3, 4, 5, 6]))
    func aViewHoldsWhatSortingAllRowsWouldGive(seed: UInt64) throws { try Self.run(seed, transactions: 400) }

    static func run(_ seed: UInt64, transactions: Int) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(persistent: seed % 3 != 0), withName: "items")
            var run = try ViewRun(database: database, seed: seed)
            for _ in 0..<transactions { try run.step(edits: 12) }
        }
    }

    @Test(arguments: Effort.some([7, 8] as [UInt64]))
    func largeTransactionsSplitPagesWithoutLosingARow(seed: UInt64) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            var run = try ViewRun(database: database, seed: seed, keys: 6000)
            for _ in 0..<6 { try run.step(edits: 4000) }
        }
    }

    /// Rows that have no place yet are changed, moved, removed and looked at.
    @Test(arguments: Effort.some([9, 10, 11, 12]))
    func rowsAreWhereTheyBelongWheneverTheViewIsRead(seed: UInt64) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(persistent: seed % 2 == 0), withName: "items")
            var run = try ViewRun(database: database, seed: seed, keys: 300)
            for _ in 0..<25 { try run.step(edits: 900) }
        }
    }

    @Test func insertingInOnePlaceForeverSpreadsLabels() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            let connection = try database.newConnection()
            // Each row goes between the first and the one inserted last: the worst there is for gaps.
            for round in 0..<80 {
                try connection.readWrite { transaction throws in
                    for number in 0..<100 {
                        let sort = -(round * 100 + number)
                        let first = round == 0 && number == 0
                        try transaction.setObject(
                            Item(group: "A", sort: first ? -1_000_000 : sort, text: ""), forKey: "\(round)-\(number)",
                            inCollection: "c")
                    }
                }
            }
            try connection.read { transaction throws in
                let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
                #expect(view.numberOfItems(inGroup: "A") == 8000)
                #expect(try view.key(at: 0, inGroup: "A") == "0-0")
                #expect(try view.key(at: 1, inGroup: "A") == "79-99")
                #expect(try view.getGroupIndex(forKey: "0-1", inCollection: "c")?.1 == 7999)
            }
        }
    }
}

/// Random transactions on a database with the view `items`, checked after each of them.
private struct ViewRun {
    /// Any of them writes next.
    let writers: [YapDatabaseConnection]
    let reader: YapDatabaseConnection
    var random: SplitMix64
    let seed: UInt64
    let keys: Int
    var model: [RowKey: Item] = [:]
    var before: [String: [RowKey]] = [:]
    var steps = 0

    init(database: YapDatabase, seed: UInt64, keys: Int = 40) throws {
        writers = try (0..<2).map { _ in try database.newConnection() }
        reader = try database.newConnection()
        try reader.beginLongLivedReadTransaction()
        random = SplitMix64(seed: seed)
        self.seed = seed
        self.keys = keys
    }

    mutating func step(edits: Int) throws {
        steps += 1
        let count = Int.random(in: 1...edits, using: &random)
        let connection = writers.randomElement(using: &random)!
        var next = self
        if Int.random(in: 0..<8, using: &random) == 0 {
            var dropped = self
            try connection.readWrite { transaction throws in
                for _ in 0..<count { try dropped.edit(transaction) }
                transaction.rollback()
            }
        }
        try connection.readWrite { transaction throws in
            for _ in 0..<count { try next.edit(transaction) }
        }
        self = next
        let notifications = try reader.beginLongLivedReadTransaction()
        let rows = try reader.read { try Self.rows($0) }
        let context: Comment = "seed \(seed), step \(steps)"
        #expect(rows == expected, context)
        #expect(replay(notifications) == rows.filter { !$0.value.isEmpty }, context)
        before = rows
    }

    private mutating func edit(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let key = RowKey(
            collection: Bool.random(using: &random) ? "c" : "d", key: "k\(Int.random(in: 0..<keys, using: &random))")
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
        case 25 where Int.random(in: 0..<10, using: &random) == 0:
            let rows = try Self.rows(transaction).filter { !$0.value.isEmpty }
            #expect(rows == expected, "seed \(seed), inside step \(steps)")
        case 25..<30: try transaction.touchObject(forKey: key.key, inCollection: key.collection)
        default:
            let item = Item(
                group: ["A", "B", "C", nil].randomElement(using: &random)!,
                sort: Int.random(in: 0..<keys, using: &random), text: "\(steps)")
            try transaction.setObject(item, forKey: key.key, inCollection: key.collection)
            model[key] = item
        }
    }

    private var expected: [String: [RowKey]] {
        Dictionary(grouping: model.filter { $0.value.group != nil }.keys, by: { model[$0]!.group! }).mapValues { keys in
            keys.sorted { a, b in
                (model[a]!.sort, a.key, a.collection) < (model[b]!.sort, b.key, b.collection)
            }
        }
    }

    /// The log of the commits, applied to the rows before by hand.
    private func replay(_ notifications: [Notification]) -> [String: [RowKey]] {
        var rows = before
        for operation in notifications.flatMap({ ($0.commit?.base.logs["items"] as? ViewLog)?.operations ?? .empty }) {
            switch operation {
            case .insertSection(let group): rows[group] = rows[group] ?? []
            case .deleteSection(let group): #expect(rows.removeValue(forKey: group)?.isEmpty == true)
            case .resetSection(let group): rows[group] = []
            case .insertRow(let group, let index, let key): rows[group]!.insert(key, at: index)
            case .deleteRow(let group, let index, let key): #expect(rows[group]!.remove(at: index) == key)
            case .updateRow(let group, let index, let key, _): #expect(rows[group]![index] == key)
            }
        }
        return rows
    }

    private static func rows(_ transaction: YapDatabaseReadTransaction) throws -> [String: [RowKey]] {
        let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
        var rows: [String: [RowKey]] = [:]
        for group in view.allGroups() {
            try view.iterateKeys(inGroup: group) { collection, key, index, _ in
                rows[group, default: []].append(RowKey(collection: collection, key: key))
                let place = try view.getGroupIndex(forKey: key, inCollection: collection)
                #expect(place?.0 == group && place?.1 == index)
            }
        }
        return rows
    }
}
