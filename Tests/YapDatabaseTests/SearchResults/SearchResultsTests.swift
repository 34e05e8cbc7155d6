import Foundation
import ListChanges
import Synchronization
import Testing

@testable import YapDatabase

@Suite struct SearchResultsTests {
    private func withResults(
        options: YapDatabaseSearchResultsViewOptions = .init(),
        _ body: (YapDatabase, YapDatabaseConnection) throws -> Void
    ) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            try database.register(Item.search(), withName: "fts")
            try database.register(
                YapDatabaseSearchResultsView(fullTextSearchName: "fts", parentViewName: "items", options: options),
                withName: "results")
            try body(database, try database.newConnection())
        }
    }

    private func keys(_ connection: YapDatabaseConnection, _ group: String) throws -> [String] {
        try connection.read { transaction throws in
            var keys: [String] = []
            try transaction.results().iterateKeys(inGroup: group) { _, key, _, _ in keys.append(key) }
            return keys
        }
    }

    private func search(_ connection: YapDatabaseConnection, _ text: String) throws {
        try connection.readWrite { try $0.results().performSearch(for: text) }
    }

    @Test func theResultsHaveTheGroupsAndTheOrderOfTheParent() throws {
        try withResults { database, connection throws in
            try database.writeItems(0..<30)
            #expect(try keys(connection, "A") == [])
            try search(connection, "number AND (1* OR 2*)")
            #expect(try keys(connection, "A") == ["k1", "k10", "k13", "k16", "k19", "k22", "k25", "k28"])
            #expect(try keys(connection, "B") == ["k2", "k11", "k14", "k17", "k20", "k23", "k26", "k29"])
            try connection.readWrite { transaction throws in
                #expect(try transaction.results().query() == "number AND (1* OR 2*)")
                var item = Item(group: "A", sort: 0, text: "number 15")
                try transaction.setObject(item, forKey: "new", inCollection: "c")
                item.text = "number 3"
                try transaction.setObject(item, forKey: "k10", inCollection: "c")
                item.sort = 100
                item.text = "number 1"
                try transaction.setObject(item, forKey: "k13", inCollection: "c")
                try transaction.removeObject(forKey: "k16", inCollection: "c")
            }
            #expect(try keys(connection, "A") == ["new", "k1", "k19", "k22", "k25", "k28", "k13"])
            try search(connection, "")
            #expect(try keys(connection, "A") == [])
        }
    }

    @Test func theResultsFollowAParentThatSortsDifferently() throws {
        try withResults { database, connection throws in
            try database.writeItems(0..<9)
            try search(connection, "hello")
            try connection.readWrite { transaction throws in
                let items = try #require(transaction.ext("items") as? YapDatabaseAutoViewTransaction)
                try items.setSorting(
                    .withKeyBlock { _, _, _, a, _, b in
                        a == b ? .orderedSame : a > b ? .orderedAscending : .orderedDescending
                    }, versionTag: "down")
                #expect(try transaction.results().key(at: 0, inGroup: "A") == "k7")
            }
            #expect(try keys(connection, "A") == ["k7", "k4", "k1"])
        }
    }

    @Test func aBadSearchLeavesTheResults() throws {
        try withResults { database, connection throws in
            try database.writeItems(0..<5)
            try connection.readWrite { transaction throws in
                let results = try transaction.results()
                try results.performSearch(for: "hello")
                expectError(.badQuery, mentioning: "at its end") { try results.performSearch(for: "hello AND") }
                #expect(results.query() == "hello" && results.numberOfItemsInAllGroups() == 4 - 1)
            }
            #expect(try keys(connection, "A") == ["k1", "k4"])
        }
    }

    @Test func anotherTextThatFindsTheSameRowsIsKept() throws {
        try withResults { database, connection throws in
            try database.writeItems(0..<5)
            try search(connection, "hello")
            try search(connection, "number")
            try connection.readWrite { transaction throws in
                #expect(try transaction.results().query() == "number")
                let item = Item(group: "A", sort: 3, text: "a number only")
                try transaction.setObject(item, forKey: "k3", inCollection: "c")
            }
            #expect(try keys(connection, "A") == ["k1", "k3", "k4"])
        }
    }

    @Test func snippetsFollowTheText() throws {
        let options = YapDatabaseSearchResultsViewOptions()
        options.snippetOptions = YapDatabaseFullTextSearchSnippetOptions()
        options.allowedGroups = YapWhitelistBlacklist(whitelist: ["A"])
        try withResults(options: options) { database, connection throws in
            try database.writeItems(0..<9)
            try search(connection, "hello")
            let reader = try database.newConnection()
            try reader.beginLongLivedReadTransaction()
            let mappings = YapDatabaseViewMappings(groups: ["A", "B"], view: "results")
            try reader.read { transaction throws in
                try mappings.update(with: transaction)
                #expect(try transaction.results().snippet(forKey: "k1", inCollection: "c") == "<b>hello</b> number 1")
                #expect(try transaction.results().snippet(forKey: "k2", inCollection: "c") == nil)
            }
            try search(connection, "number OR 4")
            let notifications = try reader.beginLongLivedReadTransaction()
            let view = try #require(reader.ext("results") as? YapDatabaseViewConnection)
            let changes = try view.getChanges(forNotifications: notifications, withMappings: mappings)
            #expect(changes.rowChanges.map(\.type) == [.update, .update, .update])
            #expect(changes.rowChanges.allSatisfy { $0.changes == .changedSnippets })
            try reader.read { transaction throws in
                #expect(
                    try transaction.results().snippet(forKey: "k4", inCollection: "c") == "hello <b>number</b> <b>4</b>"
                )
            }
        }
    }

    @Test func aPersistentViewIsLoadedWithItsSearchAndWithoutABlock() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "db.sqlite")
            let calls = Mutex(0)
            for round in 0..<3 {
                calls.withLock { $0 = 0 }
                let options = YapDatabaseSearchResultsViewOptions()
                options.isPersistent = true
                let database = try YapDatabase(url: url, options: .forTests)
                database.registerItems()
                try database.register(Item.search(), withName: "fts")
                let results = YapDatabaseSearchResultsView(
                    fullTextSearchName: "fts",
                    grouping: .withObjectBlock { _, _, _, object in
                        calls.withLock { $0 += 1 }
                        return (object as? Item)?.group
                    },
                    sorting: .withKeyBlock { _, _, _, a, _, b in
                        calls.withLock { $0 += 1 }
                        return a == b ? .orderedSame : a > b ? .orderedAscending : .orderedDescending
                    }, options: options)
                try database.register(results, withName: "results")
                let connection = try database.newConnection()
                if round == 0 {
                    try database.writeItems(0..<9)
                    try search(connection, "hello")
                } else {
                    #expect(calls.withLock { $0 } == 0)
                }
                #expect(try connection.read { try $0.results().query() } == "hello")
                #expect(try keys(connection, "A") == ["k7", "k4", "k1"])
                try database.close()
                #expect(try YapDatabase.check(url: url) == [])
            }
        }
    }

    @Test func ofAQueueTheNewestTextIsSearchedFor() throws {
        try withResults { database, connection throws in
            try database.writeItems(0..<9)
            let queue = YapDatabaseSearchQueue()
            for text in ["h*", "he*", "4"] { queue.enqueueQuery(text) }
            #expect(queue.enqueuedQueries() == ["h*", "he*", "4"] && queue.enqueuedQueryCount() == 3)
            try connection.readWrite { try $0.results().performSearch(with: queue) }
            #expect(queue.enqueuedQueryCount() == 0)
            #expect(try keys(connection, "A") == ["k4"])
            try connection.readWrite { try $0.results().performSearch(with: queue) }
            #expect(try keys(connection, "A") == ["k4"])
            queue.enqueueQuery("hello")
            queue.abortSearchInProgressAndRollback(true)
            queue.enqueueQuery("7")
            try connection.readWrite { try $0.results().performSearch(with: queue) }
            #expect(try keys(connection, "A") == ["k7"])
        }
    }

    @Test func aNewerTextEndsTheSearchInProgress() throws {
        for mode in 0..<3 {
            try withTemporaryDatabase { database throws in
                database.registerItems()
                let queue = YapDatabaseSearchQueue()
                let calls = Mutex(0)
                try database.register(Item.search(), withName: "fts")
                let results = YapDatabaseSearchResultsView(
                    fullTextSearchName: "fts",
                    grouping: .withKeyBlock { _, _, _ in
                        // While the first search inserts its rows, another comes.
                        let count = calls.withLock { calls -> Int in
                            calls += 1
                            return calls
                        }
                        if count == 100, mode == 0 { queue.enqueueQuery("4") }
                        if count == 100, mode > 0 { queue.abortSearchInProgressAndRollback(mode == 1) }
                        return "A"
                    }, sorting: .withKeyBlock { _, _, _, a, _, b in a < b ? .orderedAscending : .orderedDescending })
                try database.register(results, withName: "results")
                try database.writeItems(0..<900)
                let connection = try database.newConnection()
                queue.enqueueQuery("hello")
                try connection.readWrite { try $0.results().performSearch(with: queue) }
                let count = try keys(connection, "A").count
                #expect(mode == 0 ? count == 1 : mode == 1 ? count == 0 : (100..<200).contains(count))
                #expect(calls.withLock { $0 } < 200)
            }
        }
    }

    /// Results in memory that are registered again show what was last searched for and committed.
    @Test func aSearchWhoseCommitFailsIsNotRemembered() throws {
        struct Refusal: Error {}
        try withTemporaryDatabase { database throws in
            database.registerItems()
            let results = YapDatabaseSearchResultsView(fullTextSearchName: "fts", parentViewName: "items")
            try database.register([("items", Item.view()), ("fts", Item.search()), ("results", results)])
            try database.writeItems(0..<9)
            let connection = try database.newConnection()
            try search(connection, "7")
            #expect(throws: Refusal.self) {
                try connection.writePastAuthority {
                    try $0.results().performSearch(for: "hello")
                } confirming: { _ in
                    throw Refusal()
                }
            }
            try database.unregisterExtension(withName: "results")
            try database.register(results, withName: "results")
            #expect(try connection.read { try $0.results().query() } == "7")
            #expect(try keys(connection, "B") + keys(connection, "A") == ["k7"])
        }
    }

    @Test func whatItNeedsMustBeRegisteredAndStay() throws {
        try withTemporaryDatabase { database throws in
            let results = YapDatabaseSearchResultsView(fullTextSearchName: "fts", parentViewName: "items")
            expectError(.badExtension, mentioning: "\"fts\"") { try database.register(results, withName: "results") }
            try database.register(Item.search(), withName: "fts")
            expectError(.badExtension, mentioning: "\"items\"") { try database.register(results, withName: "results") }
            try database.register(Item.view(), withName: "items")
            try database.register(results, withName: "results")
            expectError(.badExtension, mentioning: "\"results\"") { try database.unregisterExtension(withName: "fts") }
            let wrong = YapDatabaseSearchResultsView(fullTextSearchName: "items", parentViewName: "items")
            expectError(.badExtension, mentioning: "full-text search") {
                try database.register(wrong, withName: "wrong")
            }
        }
    }
}

extension YapDatabaseReadTransaction {
    func results(_ name: String = "results") throws -> YapDatabaseSearchResultsViewTransaction {
        try #require(ext(name) as? YapDatabaseSearchResultsViewTransaction)
    }
}
