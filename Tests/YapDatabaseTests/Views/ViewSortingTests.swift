import Foundation
import ListChanges
import Synchronization
import Testing

@testable import YapDatabase

@Suite struct ViewSortingTests {
    private static func sorting(_ sort: @escaping @Sendable (Item, Item) -> Bool) -> YapDatabaseViewSorting {
        .withObjectBlock { _, _, _, _, a, _, _, b in
            let (a, b) = (a as! Item, b as! Item)
            return sort(a, b) ? .orderedAscending : sort(b, a) ? .orderedDescending : .orderedSame
        }
    }

    private func fill(_ database: YapDatabase, _ count: Int) throws {
        try database.newConnection().readWrite { transaction throws in
            for number in 0..<count {
                try transaction.setObject(
                    Item(group: number % 3 == 0 ? "A" : "B", sort: number, text: "\((number * 7919) % 1000)"),
                    forKey: "k\(number)", inCollection: "c")
            }
        }
    }

    /// Rows of a large transaction wait with what the former block needs: here nothing but their keys.
    @Test func waitingRowsArePlacedByTheFormerSorting() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            let view = YapDatabaseAutoView(
                grouping: .withKeyBlock { _, _, _ in "A" },
                sorting: .withKeyBlock { _, _, _, a, _, b in
                    a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
                },
                versionTag: "1")
            try database.register(view, withName: "items")
            try database.newConnection().readWrite { transaction throws in
                for number in 0..<200 {
                    try transaction.setObject(
                        Item(group: "A", sort: number * 7919 % 211, text: ""), forKey: "k\(number)", inCollection: "c")
                }
                let view = try #require(transaction.ext("items") as? YapDatabaseAutoViewTransaction)
                try view.setSorting(Self.sorting { $0.sort < $1.sort }, versionTag: "2")
            }
            let numbers = try database.newConnection().read { transaction throws in
                let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
                return try (0..<200).map { (try view.object(at: $0, inGroup: "A") as! Item).sort }
            }
            #expect(numbers == numbers.sorted())
        }
    }

    @Test(arguments: [12, 3000])
    func anotherSortingMovesRowsAndNothingElse(count: Int) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            let groupings = Mutex(0)
            let view = YapDatabaseAutoView(
                grouping: .withObjectBlock { _, _, _, object in
                    groupings.withLock { $0 += 1 }
                    return (object as! Item).group
                }, sorting: Self.sorting { $0.sort < $1.sort }, versionTag: "1")
            try database.register(view, withName: "items")
            try fill(database, count)
            let follower = try ListFollower(database, view: "items", groups: ["A", "B"])
            groupings.withLock { $0 = 0 }
            try database.newConnection().readWrite { transaction throws in
                let view = try #require(transaction.ext("items") as? YapDatabaseAutoViewTransaction)
                try view.setSorting(Self.sorting { Int($0.text)! < Int($1.text)! }, versionTag: "2")
                #expect(view.versionTag() == "2")
            }
            #expect(groupings.withLock { $0 } == 0)
            let changes = try #require(try follower.advance())
            #expect(changes.sectionChanges.isEmpty)
            #expect(!changes.rowChanges.isEmpty && changes.rowChanges.allSatisfy { $0.type == .move })
            let texts = try database.newConnection().read { transaction throws in
                let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
                return try (0..<view.numberOfItems(inGroup: "B")).map {
                    Int((try view.object(at: $0, inGroup: "B") as! Item).text)!
                }
            }
            #expect(texts == texts.sorted())

            // One row out of order is one move.
            try database.newConnection().readWrite { transaction throws in
                let view = try #require(transaction.ext("items") as? YapDatabaseAutoViewTransaction)
                let first = try #require(try view.key(at: 0, inGroup: "B"))
                try view.setSorting(
                    .withObjectBlock { _, _, _, key1, a, _, key2, b in
                        let (a, b) = (Int((a as! Item).text)!, Int((b as! Item).text)!)
                        let (c, d) = (key1 == first ? 1_000_000 : a, key2 == first ? 1_000_000 : b)
                        return c < d ? .orderedAscending : c > d ? .orderedDescending : .orderedSame
                    }, versionTag: "3")
            }
            #expect(try follower.advance()?.rowChanges.count == 1)
            #expect((database.registeredExtension("items") as? YapDatabaseAutoView)?.versionTag == "3")
            // The same order under another name.
            try database.newConnection().readWrite { transaction throws in
                let view = try #require(transaction.ext("items") as? YapDatabaseAutoViewTransaction)
                let first = try #require(try view.key(at: view.numberOfItems(inGroup: "B") - 1, inGroup: "B"))
                try view.setSorting(
                    .withObjectBlock { _, _, _, key1, a, _, key2, b in
                        let (a, b) = (Int((a as! Item).text)!, Int((b as! Item).text)!)
                        let (c, d) = (key1 == first ? 1_000_000 : a, key2 == first ? 1_000_000 : b)
                        return c < d ? .orderedAscending : c > d ? .orderedDescending : .orderedSame
                    }, versionTag: "4")
            }
            #expect(try follower.advance() == nil)
            #expect((database.registeredExtension("items") as? YapDatabaseAutoView)?.versionTag == "4")
        }
    }

    @Test func anotherGroupingMovesRowsBetweenGroups() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            try fill(database, 30)
            let follower = try ListFollower(database, view: "items", groups: ["A", "B"])
            try database.newConnection().readWrite { transaction throws in
                // As in the wiki.
                if let viewTransaction = transaction.ext("items") as? YapDatabaseViewTransaction {
                    try viewTransaction.setGrouping(
                        .withObjectBlock { _, _, key, object in
                            key == "k3" ? "B" : key == "k4" ? nil : (object as! Item).group
                        }, sorting: Item.view().sorting, versionTag: "2")
                }
            }
            let changes = try #require(try follower.advance())
            let types = changes.rowChanges.map(\.type)
            #expect(types.count == 2 && Set(types) == [.delete, .move])
        }
    }

    @Test func rowsAreFoundByBinarySearch() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            try database.newConnection().readWrite { transaction throws in
                for number in 0..<100 {
                    try transaction.setObject(
                        Item(group: "A", sort: number / 10, text: ""), forKey: "k\(number)", inCollection: "c")
                }
            }
            try database.newConnection().read { transaction throws in
                let view = try #require(transaction.ext("items") as? YapDatabaseAutoViewTransaction)
                func find(_ sorts: ClosedRange<Int>) -> YapDatabaseViewFind {
                    .withObjectBlock { _, _, object in
                        let sort = (object as! Item).sort
                        return sort < sorts.lowerBound
                            ? .orderedAscending : sort > sorts.upperBound ? .orderedDescending : .orderedSame
                    }
                }
                #expect(try view.findRange(inGroup: "A", using: find(3...4)) == 30..<50)
                #expect(try view.findRange(inGroup: "A", using: find(-5...0)) == 0..<10)
                #expect(try view.findRange(inGroup: "A", using: find(9...9)) == 90..<100)
                #expect(try view.findRange(inGroup: "A", using: find(10...11)) == nil)
                #expect(try view.findFirstMatch(inGroup: "A", using: find(7...8)) == 70)
                #expect(try view.findFirstMatch(inGroup: "none", using: find(7...8)) == nil)
                let key = YapDatabaseViewFind.withKeyBlock { _, key in key == "k0" ? .orderedSame : .orderedDescending }
                #expect(try view.findFirstMatch(inGroup: "A", using: key) == 0)
            }
        }
    }
}
