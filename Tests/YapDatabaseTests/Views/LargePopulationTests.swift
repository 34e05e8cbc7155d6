import FileEngine
import Foundation
import ListChanges
import TestSupport
import Testing

@testable import YapDatabase

/// Views of more rows than fit into memory: the batches are small here, so that a few hundred rows take many.
@Suite struct LargePopulationTests {
    private struct Entry: YapPlainCodable, Sendable, Identifiable {
        static let collection = "c"
        var id: String
        var group: String
        var rank: Int
        var text: String
    }

    private static let entries = YapCollection(Entry.collection, of: Entry.self)
    /// Ordered by numbers alone.
    private static let byRank = YapList("by rank", of: entries, groupedBy: \.group, sortedBy: .ascending(\.rank))
    /// Rows are read again where numbers do not decide.
    private static let byText = YapList(
        "by text", of: entries, groupedBy: \.group, sortedBy: .ascending(\.text), .descending(\.rank))
    private static let names = ["by rank", "by text", "blocks", "even"]

    private static func blocks(onBlock: @escaping @Sendable () -> Void = {}) -> YapDatabaseAutoView {
        YapDatabaseAutoView(
            grouping: .withObjectBlock { _, _, _, object in
                onBlock()
                return (object as? Entry)?.group
            },
            sorting: .withObjectBlock { _, _, _, _, a, _, _, b in
                onBlock()
                let (a, b) = ((a as! Entry).rank, (b as! Entry).rank)
                return a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
            }, versionTag: "1")
    }

    private static func even() -> YapDatabaseFilteredView {
        YapDatabaseFilteredView(
            parentViewName: "blocks",
            filtering: .withObjectBlock { _, _, _, _, object in (object as! Entry).rank % 2 == 0 }, versionTag: "1")
    }

    /// In the order in which they are written.
    private func entries(_ count: Int, _ random: inout SplitMix64) -> [Entry] {
        // A name that does not fit into the buffer of a cursor, and names that differ in bytes that a hash table orders otherwise.
        let groups = ["", "A", "B", "Ä", "b", String(repeating: "long ", count: 4_000)]
        return (0..<count).shuffled(using: &random).map { number in
            Entry(
                id: "k\(number)", group: groups.randomElement(using: &random)!,
                rank: Int.random(in: -20..<20, using: &random),
                text: ["", "a", "a longer text than a number tells", "a longer text than another"]
                    .randomElement(using: &random)!)
        }
    }

    /// - Parameter others: how many rows of another collection follow each entry.
    private func write(_ entries: [Entry], others: Int = 0, _ database: YapDatabase) throws {
        try database.newConnection().readWrite { transaction throws in
            for entry in entries {
                try transaction[Self.entries].save(entry)
                for number in 0..<others {
                    try transaction.setObject(number, forKey: "\(entry.id) \(number)", inCollection: "others")
                }
            }
        }
    }

    private typealias Lists = [String: [String: [String]]]

    private func lists(_ database: YapDatabase) throws -> Lists {
        try database.newConnection().read { transaction throws in
            var lists: Lists = [:]
            for name in Self.names {
                let view = try #require(transaction.ext(name) as? YapDatabaseViewTransaction)
                for group in view.allGroups() {
                    try view.iterateKeys(inGroup: group) { _, key, index, _ in
                        lists[name, default: [:]][group, default: []].append(key)
                        let place = try view.getGroupIndex(forKey: key, inCollection: Entry.collection)
                        #expect(place?.0 == group && place?.1 == index)
                    }
                }
            }
            return lists
        }
    }

    private func model(_ entries: [Entry]) -> Lists {
        func groups(_ rows: [Entry], _ precedes: (Entry, Entry) -> Bool) -> [String: [String]] {
            Dictionary(grouping: rows, by: \.group).mapValues { $0.stablySorted(by: precedes).map(\.id) }
        }
        return [
            "by rank": groups(entries) { $0.rank < $1.rank },
            "by text": groups(entries) { ($0.text, $1.rank) < ($1.text, $0.rank) },
            "blocks": groups(entries) { $0.rank < $1.rank },
            "even": groups(entries.filter { $0.rank % 2 == 0 }) { $0.rank < $1.rank },
        ]
    }

    /// - Parameter batch: how many views are registered together.
    private func register(_ database: YapDatabase, inBatchesOf batch: Int) throws {
        let views: [(name: String, extension: YapDatabaseExtension)] = [
            ("by rank", Self.byRank.makeExtension()), ("by text", Self.byText.makeExtension()),
            ("blocks", Self.blocks()), ("even", Self.even()),
        ]
        for start in stride(from: 0, to: views.count, by: batch) {
            try database.register(Array(views[start..<start + batch]))
        }
    }

    @Test(arguments: Effort.some(Array(1...24)))
    func largePopulationsEqualAPlainSort(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let limit = ViewPopulation.Limit(
            rows: [1, 2, 9, 100].randomElement(using: &random)!, bytes: [300, 1 << 20].randomElement(using: &random)!)
        // Views that are registered together receive portions of 512 rows on other threads.
        let batch = [1, 2, 4].randomElement(using: &random)!
        let entries = entries(Int.random(in: 200..<1_200, using: &random), &random)
        try withTemporaryDatabase { database throws in
            Self.entries.use(in: database)
            // The rows of a small part of all rows are found in another way.
            let others = [0, 6].randomElement(using: &random)!
            try write(entries, others: others, database)
            try ViewPopulation.Limit.$current.withValue(limit) {
                try register(database, inBatchesOf: batch)
            }
            let found = try lists(database)
            for (name, wanted) in model(entries) {
                #expect(
                    found[name] == wanted,
                    "seed \(seed), \(limit), batches of \(batch), \(entries.count) rows, \(others) others each, \(name)"
                )
            }
            // Rows that come later find their places among them.
            var more = self.entries(50, &random)
            for index in more.indices { more[index].id = "later\(index)" }
            try write(more, database)
            #expect(try lists(database)["even"] == model(entries + more)["even"], "seed \(seed)")
        }
    }

    @Test func anotherOrderOfManyRowsIsThatOfOneSort() throws {
        var random = SplitMix64(seed: 3)
        let entries = entries(700, &random)
        try withTemporaryDatabase { database throws in
            Self.entries.use(in: database)
            try write(entries, database)
            try ViewPopulation.Limit.$current.withValue(.init(rows: 20, bytes: .max)) {
                try register(database, inBatchesOf: 1)
                try database.newConnection().readWrite { transaction throws in
                    let view = try #require(transaction.ext("blocks") as? YapDatabaseAutoViewTransaction)
                    try view.setSorting(
                        .withObjectBlock { _, _, _, _, a, _, _, b in
                            let (a, b) = ((a as! Entry).text.count, (b as! Entry).text.count)
                            return a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
                        }, versionTag: "2")
                }
            }
            let wanted = model(entries)["blocks"]!.mapValues { keys in
                let byID = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) })
                return keys.map { byID[$0]! }.stablySorted { $0.text.count < $1.text.count }.map(\.id)
            }
            #expect(try lists(database)["blocks"] == wanted)
        }
    }

    /// A filtered view has one limit for all of its groups.
    @Test func manyRowsAreNotInTheLog() throws {
        try withTemporaryDatabase { database throws in
            Self.entries.use(in: database)
            var random = SplitMix64(seed: 4)
            try write(entries(100, &random), database)
            try database.register(Self.blocks(), withName: "blocks")
            for (limit, isLogged) in [(1_000, true), (20, false)] {
                try ViewPopulation.Limit.$current.withValue(.init(rows: limit, bytes: .max)) {
                    try database.newConnection().readWrite { transaction throws in
                        _ = try transaction.register(
                            [("even \(limit)", Self.even()), ("all \(limit)", Self.blocks())], nil)
                        for name in ["even \(limit)", "all \(limit)"] {
                            let view = try #require(transaction.ext(name) as? YapDatabaseViewTransaction)
                            let log = try #require(view.settledPages().commitLog)
                            #expect(log.isIncomplete == !isLogged && log.operations.isEmpty == !isLogged)
                            #expect(view.settledPages().log.count >= (isLogged ? view.numberOfItemsInAllGroups() : 0))
                            #expect(view.settledPages().hasChanges)
                        }
                    }
                }
            }
        }
    }

    /// The files of the database and what else there is beside them.
    private func files(_ database: YapDatabase) throws -> [String] {
        let folder = database.databaseURL.deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test(arguments: [0, 100, 4_000, 12_000])
    func aFullDiskLeavesNothing(bytes: Int) throws {
        try withTemporaryDatabase { database throws in
            Self.entries.use(in: database)
            var random = SplitMix64(seed: 5)
            let entries = entries(600, &random)
            try write(entries, database)
            let (files, snapshot) = (try files(database), database.snapshot)
            try ViewPopulation.Limit.$current.withValue(.init(rows: 10, bytes: .max)) {
                for view in [Self.byRank.makeExtension(), Self.blocks()] {
                    expectError(.diskFull, mentioning: "Free some space") {
                        try TemporaryFile.$maxBytes.withValue(bytes) {
                            try database.register(view, withName: "blocks")
                        }
                    }
                }
                #expect(try self.files(database) == files && database.snapshot == snapshot)
                #expect(try database.previouslyRegisteredExtensionNames() == [])
                try register(database, inBatchesOf: 1)
            }
            #expect(try lists(database) == model(entries))
        }
    }

    /// Cancelled by a block, while rows are read, sorted, and merged.
    @Test(arguments: Effort.isFull ? [1, 1_000, 3_000, 8_000, 17_000] : [1, 500, 1_500, 4_000, 8_000])
    func aCancelledRegistrationLeavesNothing(call: Int) throws {
        try withTemporaryDatabase { database throws in
            Self.entries.use(in: database)
            var random = SplitMix64(seed: 6)
            let entries = entries(Effort.isFull ? 2_000 : 1_000, &random)
            try write(entries, database)
            let (files, snapshot) = (try files(database), database.snapshot)
            try ViewPopulation.Limit.$current.withValue(.init(rows: 100, bytes: .max)) {
                let (progress, calls) = (Progress(totalUnitCount: -1), Locked(0))
                let view = Self.blocks {
                    calls.withLock { calls in
                        calls += 1
                        if calls == call { progress.cancel() }
                    }
                }
                #expect(throws: CocoaError(.userCancelled)) {
                    try database.register(view, withName: "blocks", progress: progress)
                }
                #expect(calls.withLock { $0 } >= call)
                #expect(try self.files(database) == files && database.snapshot == snapshot)
                try register(database, inBatchesOf: 1)
            }
            #expect(try lists(database) == model(entries))
        }
    }
}
