import Foundation
import ListChanges
import Synchronization
import Testing

@testable import YapDatabase

@Suite struct ViewRegistrationTests {
    private func fill(_ database: YapDatabase, _ count: Int) throws {
        try database.newConnection().readWrite { transaction throws in
            for number in 0..<count {
                try transaction.setObject(
                    Item(group: number % 3 == 0 ? "A" : "B", sort: (number * 7919) % 1000, text: "t"),
                    forKey: "k\(number)", inCollection: "c")
            }
        }
    }

    private func order(_ database: YapDatabase, _ group: String) throws -> [String] {
        try database.newConnection().read { transaction throws in
            let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
            var keys: [String] = []
            try view.iterateKeys(inGroup: group) { _, key, _, _ in keys.append(key) }
            return keys
        }
    }

    @Test func registeringFillsTheViewFromTheRowsThatAreThere() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try fill(database, 5000)
            try database.register(Item.view(), withName: "items")
            let keys = try order(database, "A")
            #expect(keys.count == 1667)
            let sorts = keys.map { (Int($0.dropFirst())! * 7919) % 1000 }
            #expect(sorts == sorts.sorted())
        }
    }

    @Test func registeringAgainWithTheSameTagCallsNoBlockAndGivesTheSameOrder() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "db.sqlite")
            let first = try YapDatabase(url: url)
            first.registerItems()
            try first.register(Item.view(), withName: "items")
            try fill(first, 500)
            let before = try order(first, "B")
            try first.close()

            let calls = Mutex(0)
            let second = try YapDatabase(url: url)
            second.registerItems()
            try second.register(Item.view { calls.withLock { $0 += 1 } }, withName: "items")
            #expect(calls.withLock { $0 } == 0)
            #expect(try order(second, "B") == before)
            try second.close()

            let third = try YapDatabase(url: url)
            third.registerItems()
            try third.register(Item.view(tag: "2") { calls.withLock { $0 += 1 } }, withName: "items")
            #expect(calls.withLock { $0 } >= 500)
            #expect(try order(third, "B") == before)
            try third.close()
        }
    }

    @Test func aBlockIsAskedAgainOnlyAboutWhatItLooksAt() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            let calls = Mutex(0)
            let view = YapDatabaseAutoView(
                grouping: .withKeyBlock { _, _, _ in
                    calls.withLock { $0 += 1 }
                    return "all"
                }, sorting: .withKeyBlock { _, _, _, a, _, b in a < b ? .orderedAscending : .orderedDescending })
            try database.register(view, withName: "items")
            let connection = try database.newConnection()
            for text in ["one", "two", "three"] {
                try connection.readWrite {
                    try $0.setObject(Item(group: nil, sort: 0, text: text), forKey: "k", inCollection: "c")
                }
            }
            #expect(calls.withLock { $0 } == 1)
        }
    }

    @Test func setGroupingFillsTheViewAnewAndItsLogSaysSo() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            try fill(database, 100)
            let reader = try database.newConnection()
            try reader.beginLongLivedReadTransaction()
            let mappings = YapDatabaseViewMappings(groups: ["all", "A", "B"], view: "items")
            mappings.setIsDynamicSectionForAllGroups(true)
            try reader.read { try mappings.update(with: $0) }
            #expect(mappings.visibleGroups() == ["A", "B"])

            try database.newConnection().readWrite { transaction throws in
                let view = try #require(transaction.ext("items") as? YapDatabaseAutoViewTransaction)
                try view.setGrouping(
                    .withKeyBlock { _, _, _ in "all" },
                    sorting: .withKeyBlock { _, _, _, a, _, b in
                        a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
                    }, versionTag: "other")
            }
            let notifications = try reader.beginLongLivedReadTransaction()
            let view = try #require(reader.ext("items") as? YapDatabaseViewConnection)
            let changes = try view.getChanges(forNotifications: notifications, withMappings: mappings)
            #expect(changes.sectionChanges.count == 3)
            #expect(mappings.visibleGroups() == ["all"] && mappings.numberOfItemsInAllGroups() == 100)
        }
    }

    @Test func rollingBackLeavesTheViewAsItWas() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            try fill(database, 60)
            let before = try order(database, "A")
            try database.newConnection().readWrite { transaction throws in
                try transaction.removeAllObjectsInAllCollections()
                try transaction.setObject(Item(group: "A", sort: 1, text: ""), forKey: "new", inCollection: "c")
                transaction.rollback()
            }
            #expect(try order(database, "A") == before)
        }
    }
}
