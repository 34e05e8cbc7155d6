import Foundation
import ListChanges
import Synchronization
import Testing

@testable import YapDatabase

/// Where rows go, however the view got to know of them.
@Suite struct ViewOrderTests {
    private typealias Rows = [(key: String, item: Item)]

    private func rows(_ count: Int, seed: UInt64) -> Rows {
        var random = SplitMix64(seed: seed)
        return (0..<count).map {
            ("k\($0)", Item(group: $0 % 3 == 0 ? "A" : "B", sort: Int.random(in: 0..<40, using: &random), text: "t"))
        }
    }

    /// Sorts by number alone, so that many rows are equal.
    private func numberView() -> YapDatabaseAutoView {
        YapDatabaseAutoView(
            grouping: .withObjectBlock { _, _, _, object in (object as? Item)?.group },
            sorting: .withObjectBlock { _, _, _, _, a, _, _, b in
                let (a, b) = ((a as! Item).sort, (b as! Item).sort)
                return a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
            })
    }

    private func write(_ rows: Rows, _ database: YapDatabase) throws {
        try database.newConnection().readWrite { transaction throws in
            for (key, item) in rows { try transaction.setObject(item, forKey: key, inCollection: "c") }
        }
    }

    private func keys(_ database: YapDatabase, _ group: String) throws -> [String] {
        try database.newConnection().read { transaction throws in
            let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
            var keys: [String] = []
            try view.iterateKeys(inGroup: group) { _, key, _, _ in keys.append(key) }
            return keys
        }
    }

    private func expected(_ rows: Rows, _ group: String) -> [String] {
        rows.filter { $0.item.group == group }.stablySorted { $0.item.sort < $1.item.sort }.map(\.key)
    }

    @Test func equalRowsStandInTheOrderInWhichTheyCame() throws {
        let rows = rows(3_000, seed: 1)
        for registersFirst in [true, false] {
            try withTemporaryDatabase { database throws in
                database.registerItems()
                if registersFirst { try database.register(numberView(), withName: "items") }
                try write(rows, database)
                if !registersFirst { try database.register(numberView(), withName: "items") }
                for group in ["A", "B"] { #expect(try keys(database, group) == expected(rows, group)) }
            }
        }
    }

    @Test(arguments: [1, 7, 100, 2_999, 3_000, 5_000])
    func fillingInBatchesGivesTheOrderOfOneSort(batch: Int) throws {
        let rows = rows(3_000, seed: 2)
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try write(rows, database)
            try database.newConnection().readWrite { transaction throws in
                let view = numberView()
                let pages = try transaction.pages(of: view, inBatchesOf: batch)
                for group in ["A", "B"] {
                    var keys: [String] = []
                    try pages.forEachRowid(inGroup: group, range: 0..<pages.count(inGroup: group), reversed: false) {
                        keys.append(try transaction.key(forRowid: $1)?.key ?? "")
                        return true
                    }
                    #expect(keys == expected(rows, group))
                    for (index, key) in keys.enumerated() {
                        let rowid = try #require(
                            try transaction.rowid(forKey: RowKey(collection: "c", key: key)))
                        #expect(try pages.place(ofRowid: rowid)?.index == index)
                    }
                }
            }
        }
    }

    @Test func anOrderThatContradictsItselfDamagesNothing() throws {
        let random = Mutex(SplitMix64(seed: 5))
        let contradictory = YapDatabaseAutoView(
            grouping: .withKeyBlock { _, _, _ in "A" },
            sorting: .withObjectBlock { _, _, _, _, _, _, _, _ in
                random.withLock { [.orderedAscending, .orderedSame, .orderedDescending].randomElement(using: &$0)! }
            })
        // The whole file is checked at the end.
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try write(rows(1_000, seed: 6), database)
            try database.register(contradictory, withName: "items")
            for seed in 7..<10 { try write(rows(1_500, seed: UInt64(seed)), database) }
            #expect(try keys(database, "A").sorted() == rows(1_500, seed: 0).map(\.key).sorted())
        }
    }

    @Test func aRowThatAnotherConnectionChangedIsComparedAsItIsNow() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(numberView(), withName: "items")
            let (first, second) = (try database.newConnection(), try database.newConnection())
            func set(_ key: String, _ sort: Int, _ connection: YapDatabaseConnection) throws {
                try connection.readWrite {
                    try $0.setObject(Item(group: "A", sort: sort, text: ""), forKey: key, inCollection: "c")
                }
            }
            for number in 0..<20 { try set("k\(number)", number * 10, first) }
            for number in 0..<20 { try set("k\(number)", (20 - number) * 10, second) }
            try set("new", 95, first)
            #expect(try keys(database, "A").firstIndex(of: "new") == 9)
        }
    }

    @Test func whatWasRolledBackIsNotComparedWith() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(numberView(), withName: "items")
            let connection = try database.newConnection()
            try write((0..<20).map { ("k\($0)", Item(group: "A", sort: $0 * 10, text: "")) }, database)
            try connection.readWrite { transaction throws in
                for number in 0..<20 {
                    try transaction.setObject(
                        Item(group: "A", sort: -number, text: ""), forKey: "k\(number)", inCollection: "c")
                }
                transaction.rollback()
            }
            try connection.readWrite {
                try $0.setObject(Item(group: "A", sort: 95, text: ""), forKey: "new", inCollection: "c")
            }
            #expect(try keys(database, "A").firstIndex(of: "new") == 10)
        }
    }

    @Test func aRowidThatIsUsedAgainIsAnotherRow() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(numberView(), withName: "items")
            let connection = try database.newConnection()
            try connection.readWrite { transaction throws in
                func set(_ key: String, _ sort: Int) throws {
                    try transaction.setObject(Item(group: "A", sort: sort, text: ""), forKey: key, inCollection: "c")
                }
                for number in 0..<10 { try set("k\(number)", number * 10) }
                // The largest rowid is given away again.
                try transaction.removeObject(forKey: "k9", inCollection: "c")
                try set("again", 5)
                try set("new", 50)
            }
            #expect(try keys(database, "A") == ["k0", "again", "k1", "k2", "k3", "k4", "k5", "new", "k6", "k7", "k8"])
        }
    }
}

extension YapDatabaseReadWriteTransaction {
    /// The pages of a view in memory that is filled in batches of so many rows.
    func pages(of view: YapDatabaseAutoView, inBatchesOf batch: Int) throws -> ViewPages {
        let pages = ViewPages(
            name: "memory", store: store, isPersistent: false, cache: nil, state: ViewState(), log: newLog())
        try ViewPopulation(
            view: "memory", allowed: nil, transaction: self, pages: pages, arrangement: view.arrangement,
            limit: .init(rows: batch, bytes: .max)
        ).fill()
        return pages
    }
}
