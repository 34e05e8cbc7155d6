import Foundation
import SQLiteBridge
import TestSupport
import TestTraits
import Testing

@testable import YapDatabase

/// Files with the view `items`, in which a database leaves a summary of its pages when it is closed.
protocol SummarizedFiles {}

extension SummarizedFiles {
    /// Opens the file with the view `items`, and closes it so that small views have a summary too.
    func withItems<Value>(
        _ url: URL, fewest: Int = 1, tag: String = "1", _ body: (YapDatabase) throws -> Value
    ) throws -> Value {
        let database = try YapDatabase(url: url, options: .forTests)
        database.registerItems()
        try database.register(Item.view(tag: tag), withName: "items")
        let value = try body(database)
        try ViewState.$minSummarizedPages.withValue(fewest) { try database.close() }
        return value
    }

    /// Whether the list was read out of a summary, or will be when it is used.
    func isFromSummary(_ database: YapDatabase) -> Bool {
        let state = database.commitLog.latest.entry("items")?.state
        return state is UnreadPages || (state as? ViewState)?.hasSummary == true
    }

    func write(_ count: Int, _ random: inout SplitMix64, _ database: YapDatabase) throws {
        let connection = try database.newConnection()
        for _ in 0..<4 {
            try connection.readWrite { transaction throws in
                for _ in 0..<count {
                    let key = "k\(Int.random(in: 0..<600, using: &random))"
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        try transaction.removeObject(forKey: key, inCollection: "c")
                    } else {
                        let group = ["", "A", "B", "Ä", nil].randomElement(using: &random)!
                        let item = Item(
                            group: group, sort: Int.random(in: 0..<100, using: &random), text: "\(random.next())")
                        try transaction.setObject(item, forKey: key, inCollection: "c")
                    }
                }
            }
        }
    }

    typealias Lists = [String: [String]]

    func lists(_ database: YapDatabase) throws -> Lists {
        try database.newConnection().read { transaction throws in
            let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
            var lists: Lists = [:]
            for group in view.allGroups() {
                try view.iterateKeys(inGroup: group) { _, key, index, _ in
                    lists[group, default: []].append(key)
                    let place = try view.getGroupIndex(forKey: key, inCollection: "c")
                    #expect(place?.0 == group && place?.1 == index)
                }
            }
            return lists
        }
    }

    /// What the rows themselves say.
    func sorted(_ database: YapDatabase) throws -> Lists {
        try database.newConnection().read { transaction throws in
            var items: [(key: String, item: Item)] = []
            try transaction.iterateKeysAndObjects(inCollection: "c") { (key, item: Item, _) in items.append((key, item))
            }
            return Dictionary(grouping: items.filter { $0.item.group != nil }) { $0.item.group! }.mapValues { rows in
                rows.sorted { ($0.item.sort, $0.key) < ($1.item.sort, $1.key) }.map(\.key)
            }
        }
    }

    func plainLists(_ url: URL) throws -> Lists {
        try foreignProgram(url).execute("DELETE FROM yap2 WHERE key = 'pagesSnapshot'")
        return try withItems(url, fewest: .max) { database throws in
            #expect(!isFromSummary(database))
            return try lists(database)
        }
    }

    /// A file that has a summary.
    func withSummary<Value>(seed: UInt64 = 1, _ body: (URL, Lists) throws -> Value) throws -> Value {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            var random = SplitMix64(seed: seed)
            let lists = try withItems(url) { database throws in
                try write(300, &random, database)
                return try sorted(database)
            }
            return try body(url, lists)
        }
    }

    func summaryBytes(_ url: URL) throws -> [UInt8] {
        let statement = try foreignProgram(url).statement("SELECT data FROM yap2 WHERE key = 'pages'")
        defer { statement.reset() }
        #expect(try statement.step())
        return statement.bytes(at: 0)
    }

    func setSummary(_ bytes: [UInt8], _ url: URL) throws {
        let handle = try foreignProgram(url)
        let statement = try handle.statement("UPDATE yap2 SET data = ? WHERE key = 'pages'")
        defer { statement.reset() }
        try statement.bind(bytes, at: 1)
        try statement.run()
    }

    func count(_ condition: String, _ url: URL) throws -> Int64 {
        let statement = try foreignProgram(url).statement("SELECT count(*) FROM yap2 WHERE \(condition)")
        defer { statement.reset() }
        _ = try statement.step()
        return statement.int64(at: 0)
    }
}
