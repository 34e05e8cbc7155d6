import Foundation
import Testing

@testable import YapDatabase

/// How many rows the pages of a view have, and what an insert into a full one writes.
@Suite struct PageSizeTests {
    private func write(_ sorts: some Sequence<Int>, _ database: YapDatabase) throws {
        try database.newConnection().readWrite { transaction throws in
            for sort in sorts {
                try transaction.setObject(Item(group: "g", sort: sort, text: ""), forKey: "\(sort)", inCollection: "c")
            }
        }
    }

    /// The sizes of the pages, in the order of the group.
    private func sizes(_ database: YapDatabase) throws -> [Int] {
        try database.newConnection().read { transaction throws in
            let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
            var sizes: [Int] = []
            view.settledPages().state.groups["g"]?.pages.forEach { _, page in
                sizes.append(page.count)
                return true
            }
            #expect(sizes.reduce(0, +) == view.numberOfItems(inGroup: "g"))
            return sizes
        }
    }

    /// The page of each row, as the file has it.
    private func map(_ database: YapDatabase) throws -> [Int64: String] {
        try database.newConnection().read { transaction throws in
            let rows = try transaction.store.all(#"SELECT "rowid", "pageKey" FROM "view_items_map""#) {
                ($0.int64(at: 0), $0.text(at: 1) ?? "")
            }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    /// A view of ten pages whose rows have every hundredth number, so that there is room between any two.
    private func withFilledView(_ body: (YapDatabase) throws -> Void) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try write((0..<450).map { $0 * 100 }, database)
            try database.register(Item.view(), withName: "items")
            try body(database)
        }
    }

    @Test func aFilledPageHasRoomForSomeRows() throws {
        try withFilledView { database throws in
            #expect(try sizes(database) == Array(repeating: 45, count: 10))
            try write(20_001...20_005, database)
            #expect(try sizes(database).count == 10 && sizes(database).max() == 50)
        }
    }

    @Test func aFullPagePassesAFewRowsToANeighbour() throws {
        try withFilledView { database throws in
            try write(20_001...20_005, database)
            let before = try (map: map(database), sizes: sizes(database))
            let full = try #require(before.sizes.firstIndex(of: 50))
            try write([20_006], database)
            let after = try (map: map(database), sizes: sizes(database))
            #expect(after.sizes.count == before.sizes.count)
            #expect(after.sizes[full] == 48)
            let moved = before.map.filter { after.map[$0.key] != $0.value }
            #expect(moved.count == 3, "Three rows of the map change, and one is new.")
            #expect(after.map.count == before.map.count + 1)
        }
    }

    @Test func aFullPageBetweenFullPagesIsCut() throws {
        try withFilledView { database throws in
            // Pages 3, 4 and 5 begin with 13,500, 18,000 and 22,500.
            for first in [13_500, 18_000, 22_500] { try write(first + 1...first + 5, database) }
            #expect(try sizes(database)[3...5].allSatisfy { $0 == 50 })
            try write([18_006], database)
            #expect(try sizes(database) == [45, 45, 45, 50, 25, 26, 50, 45, 45, 45, 45])
        }
    }

    @Test func manyRowsAtOnceCutAPage() throws {
        try withFilledView { database throws in
            try write(20_001...20_030, database)
            #expect(try sizes(database) == [45, 45, 45, 45, 37, 38, 45, 45, 45, 45, 45])
        }
    }
}
