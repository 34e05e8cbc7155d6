import Dispatch
import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// Several extensions registered in one transaction.
@Suite struct BatchRegistrationTests {
    private func withItems(_ count: Int, _ body: (YapDatabase, _ decoded: @escaping () -> Int) throws -> Void) throws {
        try withTemporaryDatabase { database throws in
            let decoded = Locked(0)
            database.registerSerializer(
                { _, _, object in try JSONEncoder().encode(object as! Item) },
                deserializer: { _, _, bytes in
                    decoded.withLock { $0 += 1 }
                    return try JSONDecoder().decode(Item.self, from: bytes)
                }, forCollections: ["c", "d"])
            try database.newConnection().readWrite { transaction throws in
                for number in 0..<count {
                    try transaction.setObject(
                        Item(group: ["A", "B", nil][number % 3], sort: number * 7919 % 1000, text: ""),
                        forKey: "k\(number)", inCollection: number % 2 == 0 ? "c" : "d")
                }
            }
            try body(database) { decoded.withLock { $0 } }
        }
    }

    private func keys(_ database: YapDatabase, _ name: String) throws -> [[String]] {
        try database.newConnection().read { transaction throws in
            let view = try #require(transaction.ext(name) as? YapDatabaseViewTransaction)
            return try view.allGroups().map { group in
                var keys: [String] = []
                try view.iterateKeys(inGroup: group) { _, key, _, _ in keys.append(key) }
                return keys
            }
        }
    }

    private static func keyView(_ collections: Set<String>?) -> YapDatabaseAutoView {
        let options = YapDatabaseViewOptions()
        options.allowedCollections = collections.map { YapWhitelistBlacklist(whitelist: $0) }
        return YapDatabaseAutoView(
            grouping: .withKeyBlock { _, _, key in String(key.last!) },
            sorting: .withKeyBlock { _, _, _, a, _, b in a.compare(b) }, options: options)
    }

    /// With many rows the views take them on other threads.
    @Test(arguments: [500, 5_000]) func rowsAreDecodedOnceForAllOfThem(count: Int) throws {
        try withItems(count) { database, decoded in
            let progress = Progress(totalUnitCount: -1)
            let setup = YapDatabaseSecondaryIndexSetup()
            setup.addColumn("sort", with: .integer)
            let index = YapDatabaseSecondaryIndex(
                setup: setup,
                handler: .withObjectBlock { _, dict, _, _, object in dict["sort"] = (object as! Item).sort })
            try database.register(
                [
                    ("index", index),
                    ("items", Item.view()), ("again", Item.view()), ("c", Self.keyView(["c"])),
                    ("all", Self.keyView(nil)),
                ],
                progress: progress)
            #expect(decoded() == count)
            #expect(progress.isFinished)
            try database.register(Item.view(), withName: "alone")
            try database.register(Self.keyView(["c"]), withName: "c alone")
            #expect(try keys(database, "items") == keys(database, "alone"))
            #expect(try keys(database, "again") == keys(database, "alone"))
            #expect(try keys(database, "c") == keys(database, "c alone"))
            #expect(try keys(database, "all").joined().count == count)
            try database.newConnection().read { transaction throws in
                let index = try #require(transaction.ext("index") as? YapDatabaseSecondaryIndexTransaction)
                let query = YapDatabaseQuery(string: "WHERE sort < ?", parameters: [100])
                #expect(try index.numberOfRows(matching: query) == (0..<count).filter { $0 * 7919 % 1000 < 100 }.count)
            }
        }
    }

    @Test func oneThatDependsOnAnotherFollowsIt() throws {
        try withItems(500) { database, _ in
            try database.register([
                ("items", Item.view()), ("low", FilteredViewTests.filter { $0.sort < 500 }), ("all", Self.keyView(nil)),
                ("lower", FilteredViewTests.filter(parent: "low") { $0.sort < 100 }),
            ])
            let lower = try keys(database, "lower")
            #expect(lower.joined().count > 10)
            try database.unregisterExtension(withName: "lower")
            try database.register(FilteredViewTests.filter { $0.sort < 100 }, withName: "lower")
            #expect(try keys(database, "lower") == lower)
        }
    }

    /// Those that read from others are filled when these are complete, and take no second pass over the rows.
    @Test func rowsAreReadOnceAlsoWithSomeThatDependOnOthers() throws {
        try withItems(500) { database, decoded in
            let order = ["items", "fts", "graph", "results", "low", "own", "all", "lower", "idx"]
            let view = Item.view()
            try database.register([
                ("items", view), ("fts", Item.search()), ("graph", YapDatabaseRelationship()),
                ("results", YapDatabaseSearchResultsView(fullTextSearchName: "fts", parentViewName: "items")),
                (
                    "low",
                    YapDatabaseFilteredView(
                        parentViewName: "items", filtering: .withKeyBlock { _, _, _, key in key.hasSuffix("1") })
                ),
                (
                    "own",
                    YapDatabaseSearchResultsView(
                        fullTextSearchName: "fts", grouping: view.grouping, sorting: view.sorting)
                ), ("all", Self.keyView(nil)),
                (
                    "lower",
                    YapDatabaseFilteredView(
                        parentViewName: "low", filtering: .withKeyBlock { _, _, _, key in key.hasSuffix("01") })
                ), ("idx", Item.index()),
            ])
            #expect(decoded() == 500)
            #expect(database.commitLog.latest.registrations.map(\.name) == order)
            #expect(try keys(database, "lower") == [["k201"], ["k301"]])
            try database.newConnection().readWrite { transaction throws in
                let item = Item(group: "A", sort: 1, text: "found")
                try transaction.setObject(item, forKey: "new", inCollection: "c")
                for name in ["results", "own"] {
                    let results = try #require(transaction.ext(name) as? YapDatabaseSearchResultsViewTransaction)
                    try results.performSearch(for: "found")
                }
            }
            #expect(try keys(database, "results") == [["new"]] && keys(database, "own") == [["new"]])
        }
    }

    /// The blocks of views that take rows on other threads read the same state of the database.
    @Test func blocksReadWithTheirTransaction() throws {
        let count = Effort.isFull ? 5_000 : 2_000
        try withItems(count) { database, _ throws in
            func view(_ tag: String) -> YapDatabaseAutoView {
                YapDatabaseAutoView(
                    grouping: .withKeyBlock { transaction, collection, key in
                        let item = try transaction.object(forKey: key, inCollection: collection) as? Item
                        let count = try transaction.numberOfKeys(inCollection: "c")
                        return item?.group.map { "\($0) of \(count)" }
                    },
                    sorting: .withKeyBlock { transaction, _, collectionA, a, collectionB, b in
                        let first = try transaction.object(forKey: a, inCollection: collectionA) as! Item
                        let second = try transaction.object(forKey: b, inCollection: collectionB) as! Item
                        return first.sort < second.sort
                            ? .orderedAscending : first.sort > second.sort ? .orderedDescending : a.compare(b)
                    }, versionTag: tag)
            }
            try database.register([("a", view("1")), ("b", view("1")), ("c", view("1"))])
            try database.register(view("1"), withName: "alone")
            let expected = try keys(database, "alone")
            #expect(expected.joined().count > count * 3 / 5)
            for name in ["a", "b", "c"] { #expect(try keys(database, name) == expected, "\(name)") }
        }
    }

    @Test(arguments: ["grouping", "sorting"]) func aBlockThatThrowsOnAnotherThreadFailsAll(place: String) throws {
        struct Failure: Error {}
        try withItems(5_000) { database, _ throws in
            let failing = YapDatabaseAutoView(
                grouping: .withKeyBlock { _, _, key in
                    if place == "grouping", key == "k3000" { throw Failure() }
                    return "all"
                },
                sorting: .withKeyBlock { _, _, _, a, _, b in
                    if place == "sorting" { throw Failure() }
                    return a.compare(b)
                })
            #expect(throws: Failure.self) { () throws in
                try database.register([
                    ("items", Item.view()), ("failing", failing), ("all", Self.keyView(nil)),
                    ("c", Self.keyView(["c"])),
                ])
            }
            #expect(database.registeredExtensions().isEmpty)
            #expect(try database.previouslyRegisteredExtensionNames().isEmpty)
            try database.register([("items", Item.view()), ("all", Self.keyView(nil))])
            #expect(try keys(database, "all").joined().count == 5_000)
        }
    }

    @Test func cancellingEndsTheThreadsToo() throws {
        try withItems(5_000) { database, _ throws in
            let progress = Progress(totalUnitCount: -1)
            let slow = YapDatabaseAutoView(
                grouping: .withKeyBlock { _, _, key in
                    if key == "k2000" { progress.cancel() }
                    return "all"
                }, sorting: .withKeyBlock { _, _, _, a, _, b in a.compare(b) })
            #expect(throws: CocoaError.self) { () throws in
                try database.register(
                    [("items", Item.view()), ("slow", slow), ("all", Self.keyView(nil))], progress: progress)
            }
            #expect(database.registeredExtensions().isEmpty)
            #expect(try database.previouslyRegisteredExtensionNames().isEmpty)
        }
    }

    @Test func aBatchCanBeRegisteredWithoutWaiting() throws {
        try withItems(50) { database, _ in
            let results = Locked<[Bool]>([])
            let queue = DispatchQueue(label: "completions")
            let progress = database.asyncRegister(
                [("items", Item.view()), ("all", Self.keyView(nil))], completionQueue: queue
            ) { (result: Result<Void, any Error>) in
                results.withLock { $0.append((try? result.get()) != nil) }
            }
            database.asyncRegister([("again", Item.view()), ("items", Item.view())], completionQueue: queue) {
                (isReady: Bool) in results.withLock { $0.append(isReady) }
            }
            try waitUntil("both are done") { results.withLock { $0.count } == 2 }
            #expect(results.withLock { $0 } == [true, false])
            #expect(progress.isFinished)
            #expect(Set(database.registeredExtensions().keys) == ["items", "all"])

            let isBlocked = DispatchSemaphore(value: 0)
            database.registrations.async { isBlocked.wait() }
            let cancelled = database.asyncRegister([("b", Item.view()), ("c", Item.view())], completionQueue: queue) {
                (isReady: Bool) in results.withLock { $0.append(isReady) }
            }
            cancelled.cancel()
            isBlocked.signal()
            try waitUntil("it is cancelled") { results.withLock { $0.count } == 3 }
            #expect(results.withLock { $0.last } == false)
            #expect(Set(database.registeredExtensions().keys) == ["items", "all"])
        }
    }

    @Test func oneThatFailsRollsBackAll() throws {
        try withItems(10) { database, _ in
            expectError(.badExtension, mentioning: "none") {
                try database.register([
                    ("items", Item.view()), ("low", FilteredViewTests.filter(parent: "none") { _ in true }),
                ])
            }
            expectError(.badExtension, mentioning: "items") {
                try database.register([("items", Item.view()), ("items", Item.view())])
            }
            #expect(database.registeredExtensions().isEmpty)
            #expect(try database.previouslyRegisteredExtensionNames() == [])
            let progress = Progress(totalUnitCount: -1)
            progress.cancel()
            #expect(throws: CocoaError.self) {
                try database.register([("items", Item.view()), ("again", Item.view())], progress: progress)
            }
            try database.register([])
            try database.register([("items", Item.view())])
        }
    }
}
