import Foundation
import ListChanges
import Synchronization
import Testing

@testable import YapDatabase

@Suite struct FilteredViewTests {
    static func filter(
        parent: String = "items", tag: String = "1", persistent: Bool = true,
        _ isIncluded: @escaping @Sendable (Item) -> Bool
    ) -> YapDatabaseFilteredView {
        let options = YapDatabaseViewOptions()
        options.isPersistent = persistent
        return YapDatabaseFilteredView(
            parentViewName: parent, filtering: .withObjectBlock { _, _, _, _, object in isIncluded(object as! Item) },
            versionTag: tag, options: options)
    }

    private func fill(_ database: YapDatabase, _ count: Int) throws {
        try database.newConnection().readWrite { transaction throws in
            for number in 0..<count {
                try transaction.setObject(
                    Item(group: number % 3 == 0 ? "A" : "B", sort: (number * 7919) % 1000, text: "\(number)"),
                    forKey: "k\(number)", inCollection: "c")
            }
        }
    }

    private func keys(_ database: YapDatabase, _ view: String, _ group: String) throws -> [String] {
        try database.newConnection().read { transaction throws in
            let view = try #require(transaction.ext(view) as? YapDatabaseViewTransaction)
            var keys: [String] = []
            try view.iterateKeys(inGroup: group) { _, key, _, _ in keys.append(key) }
            return keys
        }
    }

    /// A filter that looks at the group is asked again when the group is another one, also where Swift takes both for equal.
    @Test func aRowThatMovesToAGroupOfAnotherUnicodeFormIsAskedAboutAgain() throws {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        try withTemporaryDatabase { database in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            let filter = YapDatabaseFilteredView(
                parentViewName: "items", filtering: .withKeyBlock { _, group, _, _ in group.utf8.count == 5 },
                versionTag: "1")
            try database.register(filter, withName: "filtered")
            for (group, count) in [(composed, 1), (decomposed, 0), (composed, 1)] {
                try database.newConnection().readWrite {
                    try $0.setObject(Item(group: group, sort: 1, text: "x"), forKey: "k", inCollection: "c")
                }
                #expect(try keys(database, "filtered", composed).count == count)
                #expect(try keys(database, "filtered", decomposed).isEmpty)
            }
        }
    }

    @Test func aFilteredViewHasTheParentsPassingRowsInTheParentsOrder() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            try fill(database, 1000)
            try database.register(Self.filter { $0.sort % 2 == 0 }, withName: "even")
            let expected = try keys(database, "items", "A").filter { Int($0.dropFirst())! * 7919 % 1000 % 2 == 0 }
            #expect(try keys(database, "even", "A") == expected && expected.count > 100)
            #expect((database.registeredExtension("even") as? YapDatabaseFilteredView)?.parentViewName == "items")
        }
    }

    @Test func anotherFilterChangesOnlyRowsWhoseAnswerChanged() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            try fill(database, 300)
            try database.register(Self.filter { $0.sort < 500 }, withName: "low")
            try database.register(Self.filter(parent: "low") { $0.sort % 2 == 0 }, withName: "lowEven")
            let low = try ListFollower(database, view: "low", groups: ["A", "B"])
            let lowEven = try ListFollower(database, view: "lowEven", groups: ["A", "B"])
            try database.newConnection().readWrite { transaction throws in
                let view = try #require(transaction.ext("low") as? YapDatabaseFilteredViewTransaction)
                try view.setFiltering(
                    .withObjectBlock { _, _, _, _, object in 100..<505 ~= (object as! Item).sort }, versionTag: "2")
            }
            let changes = try #require(try low.advance())
            let sorts = (0..<300).map { ($0 * 7919) % 1000 }
            #expect(changes.rowChanges.filter { $0.type == .delete }.count == sorts.filter { $0 < 100 }.count)
            #expect(changes.rowChanges.filter { $0.type == .insert }.count == sorts.filter { 500..<505 ~= $0 }.count)
            #expect(changes.rowChanges.count == sorts.filter { $0 < 100 || 500..<505 ~= $0 }.count)
            #expect(
                try lowEven.advance()?.rowChanges.count
                    == sorts.filter { ($0 < 100 || 500..<505 ~= $0) && $0 % 2 == 0 }.count)
            #expect((database.registeredExtension("low") as? YapDatabaseView)?.versionTag == "2")
        }
    }

    @Test func anotherSortingOfTheParentIsMovesHere() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            try fill(database, 200)
            try database.register(Self.filter { $0.sort < 500 }, withName: "low")
            let low = try ListFollower(database, view: "low", groups: ["A", "B"])
            try database.newConnection().readWrite { transaction throws in
                let view = try #require(transaction.ext("items") as? YapDatabaseAutoViewTransaction)
                try view.setSorting(.withKeyBlock { _, _, _, a, _, b in a.compare(b) }, versionTag: "2")
            }
            let changes = try #require(try low.advance())
            #expect(!changes.rowChanges.isEmpty && changes.rowChanges.allSatisfy { $0.type == .move })
            #expect(try keys(database, "low", "A") == keys(database, "low", "A").sorted())
        }
    }

    @Test func loadingCallsNoBlockAndAParentThatIsFilledAgainFillsIt() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "db.sqlite")
            let calls = Mutex(0)
            func open(parentTag: String, parent: @escaping @Sendable () -> Void = {}) throws -> YapDatabase {
                let database = try YapDatabase(url: url)
                database.registerItems()
                try database.register(Item.view(tag: parentTag, onBlock: parent), withName: "items")
                try database.register(
                    Self.filter { item in
                        calls.withLock { $0 += 1 }
                        return item.sort < 500
                    }, withName: "low")
                return database
            }
            let first = try open(parentTag: "1")
            try fill(first, 100)
            let before = try keys(first, "low", "A")
            try first.close()
            #expect(calls.withLock { $0 } == 100)
            let second = try open(parentTag: "1")
            #expect(calls.withLock { $0 } == 100)
            #expect(try keys(second, "low", "A") == before)
            try second.close()
            let third = try open(parentTag: "2")
            #expect(calls.withLock { $0 } == 200)
            #expect(try keys(third, "low", "A") == before)
            try third.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func aParentThatChangesAloneIsFollowedLater() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "db.sqlite")
            func open() throws -> YapDatabase {
                let database = try YapDatabase(url: url)
                database.registerItems()
                return database
            }
            let first = try open()
            try first.register([
                ("list", YapDatabaseManualView()), ("low", Self.filter(parent: "list") { $0.sort < 500 }),
            ])
            try fill(first, 100)
            try first.close()
            let second = try open()
            try second.register(YapDatabaseManualView(), withName: "list")
            try second.newConnection().readWrite { transaction throws in
                let list = try #require(transaction.ext("list") as? YapDatabaseManualViewTransaction)
                for number in 0..<100 { try list.addKey("k\(number)", inCollection: "c", toGroup: "A") }
            }
            try second.close()
            let third = try open()
            try third.register([
                ("list", YapDatabaseManualView()), ("low", Self.filter(parent: "list") { $0.sort < 500 }),
            ])
            let low = (0..<100).filter { $0 * 7919 % 1000 < 500 }
            #expect(try keys(third, "low", "A") == low.map { "k\($0)" })
            try third.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    @Test func theParentMustBeAStoredViewThatStays() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            expectError(.badExtension, mentioning: "items") {
                try database.register(Self.filter { _ in true }, withName: "all")
            }
            try database.register(RecordingExtension(), withName: "recorder")
            expectError(.badExtension, mentioning: "no view") {
                try database.register(Self.filter(parent: "recorder") { _ in true }, withName: "all")
            }
            try database.register(Item.view(persistent: false), withName: "items")
            expectError(.badExtension, mentioning: "in memory", "isPersistent") {
                try database.register(Self.filter { _ in true }, withName: "all")
            }
            try database.register(Self.filter(persistent: false) { _ in true }, withName: "all")
            expectError(.badExtension, mentioning: "all") { try database.unregisterExtension(withName: "items") }
            try database.unregisterExtension(withName: "all")
            try database.unregisterExtension(withName: "items")
        }
    }

    @Test func aRowThatEntersTheParentLateIsAskedAbout() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            let filtered = YapDatabaseFilteredView(
                parentViewName: "items", filtering: .withKeyBlock { _, group, _, key in key != "no" && group == "A" })
            try database.register(filtered, withName: "keys")
            let connection = try database.newConnection()
            for group in [nil, "A", "B", "A", nil, "A"] {
                try connection.readWrite { transaction throws in
                    for key in ["yes", "no"] {
                        try transaction.setObject(
                            Item(group: group, sort: 0, text: ""), forKey: key, inCollection: "c")
                    }
                }
                #expect(try keys(database, "keys", "A") == (group == "A" ? ["yes"] : []))
            }
        }
    }

    @Test func touchingARowOfTheViewUpdatesItsCell() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            try fill(database, 30)
            try database.register(Self.filter { _ in true }, withName: "all")
            let all = try ListFollower(database, view: "all", groups: ["A", "B"])
            let connection = try database.newConnection()
            for view in ["all", "items"] {
                try connection.readWrite { transaction throws in
                    let view = try #require(transaction.ext(view) as? YapDatabaseViewTransaction)
                    try view.touchRow(forKey: "k3", inCollection: "c")
                    try view.touchRow(forKey: "none", inCollection: "c")
                }
                #expect(try all.advance()?.rowChanges.map(\.type) == [.update])
            }
        }
    }

    @Test func aFileOfTheOriginalLoadsAndIsWritten() throws {
        try withCopy(of: "books") { url throws in
            let database = try YapDatabase(url: url, options: .forTests)
            database.registerSerializer(
                YapDatabase.propertyListSerializer(), deserializer: YapDatabase.propertyListDeserializer(),
                forCollections: ["books"])
            let calls = Mutex(0)
            let order = YapDatabaseAutoView(
                grouping: .withObjectBlock { _, _, _, object in
                    calls.withLock { $0 += 1 }
                    return (object as? [String: Any])?["genre"] as? String
                },
                sorting: .withObjectBlock { _, _, _, _, a, _, _, b in
                    calls.withLock { $0 += 1 }
                    let (a, b) = ((a as! [String: Any])["title"] as! String, (b as! [String: Any])["title"] as! String)
                    return a.compare(b)
                }, versionTag: "2013-01")
            try database.register(order, withName: "order")
            let inStock = YapDatabaseFilteredView(
                parentViewName: "order",
                filtering: .withObjectBlock { _, _, _, _, object in
                    calls.withLock { $0 += 1 }
                    return (object as? [String: Any])?["inStock"] as? Bool == true
                }, versionTag: "stock")
            try database.register(inStock, withName: "inStock")
            #expect(calls.withLock { $0 } == 0)
            let connection = try database.newConnection()
            func count(_ view: String) throws -> Int {
                try connection.read { transaction throws in
                    try #require(transaction.ext(view) as? YapDatabaseViewTransaction).numberOfItemsInAllGroups()
                }
            }
            let (all, before) = (try count("order"), try count("inStock"))
            #expect(all == 481 && before > 0 && before < all)
            try connection.readWrite { transaction throws in
                for (key, isInStock) in [("new-1", true), ("new-2", false)] {
                    try transaction.setObject(
                        ["genre": "mystery", "title": "M \(key)", "inStock": isInStock], forKey: key,
                        inCollection: "books")
                }
                try transaction.removeObject(forKey: "book-000", inCollection: "books")
            }
            #expect(try count("order") == all + 1 && count("inStock") == before)
            try database.close()
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}
