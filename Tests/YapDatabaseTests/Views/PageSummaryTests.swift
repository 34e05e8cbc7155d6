import Foundation
import SQLiteBridge
import TestSupport
import TestTraits
import Testing

@testable import FileEngine
@testable import YapDatabase

/// The summary of a view's pages, which a database leaves in the file when it is closed.
@Suite struct PageSummaryTests: SummarizedFiles {
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64]))
    func aViewFromASummaryIsTheSameView(seed: UInt64) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            var random = SplitMix64(seed: seed)
            try withItems(url) { try write(200, &random, $0) }
            for step in 0..<6 {
                let context: Comment = "seed \(seed), step \(step)"
                try withItems(url) { database throws in
                    #expect(isFromSummary(database), context)
                    // Some sessions write before they read, some look first, some do nothing.
                    if step % 3 == 0 { #expect(try lists(database) == sorted(database), context) }
                    if step % 3 < 2 { try write([1, 20, 300].randomElement(using: &random)!, &random, database) }
                    #expect(try lists(database) == sorted(database), context)
                }
                #expect(try YapDatabase.check(url: url) == [], context)
                let copy = folder.appending(path: "copy\(step).sqlite")
                try FileManager.default.copyItem(at: url, to: copy)
                let wanted = try withItems(url) { try sorted($0) }
                #expect(try plainLists(copy) == wanted, context)
            }
        }
    }

    @Test func aProcessThatOnlyRegistersLeavesTheSummaryValid() throws {
        try withSummary { url, wanted throws in
            for _ in 0..<3 {
                let database = try YapDatabase(url: url, options: .forTests)
                database.registerItems()
                try database.register(YapDatabaseHooks(), withName: "hooks")
                try database.register(Item.view(), withName: "items")
                #expect(isFromSummary(database))
                #expect(try lists(database) == wanted)
                // Nothing is written at the end.
                try ViewState.$minSummarizedPages.withValue(.max) { try database.close() }
            }
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// A program that is killed after it has written or filled most of a list leaves a summary too; after another commit it does not.
    @Test(arguments: [false, true]) func aCommitThatChangesMostPagesLeavesOne(isFilled: Bool) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            var random = SplitMix64(seed: 8)
            try withItems(url, fewest: .max) { if isFilled { try write(100, &random, $0) } }
            let database = try YapDatabase(url: url, options: .forTests)
            database.registerItems()
            try ViewState.$minSummarizedPages.withValue(1) {
                try database.register(Item.view(tag: isFilled ? "2" : "1"), withName: "items")
                if !isFilled { try write(100, &random, database) }
            }
            func killed(_ name: String) throws -> URL {
                let copy = folder.appending(path: "\(name).sqlite")
                for end in ["", "-wal"] {
                    try FileManager.default.copyItem(atPath: url.path + end, toPath: copy.path + end)
                }
                return copy
            }
            let wanted = try lists(database)
            let tag = isFilled ? "2" : "1"
            let first = try killed("first")
            try withItems(first, fewest: .max, tag: tag) { database throws in
                #expect(isFromSummary(database))
                #expect(try lists(database) == wanted)
            }
            // One page of many.
            try database.newConnection().readWrite { transaction throws in
                try transaction.setObject(Item(group: "A", sort: -1, text: "x"), forKey: "one", inCollection: "c")
            }
            let second = try killed("second")
            try withItems(second, fewest: .max, tag: tag) { database throws in
                #expect(!isFromSummary(database))
                #expect(try lists(database) == sorted(database))
            }
            try database.close()
            for file in [url, first, second] { #expect(try YapDatabase.check(url: file) == []) }
        }
    }

    @Test func aCommitThatChangesNoPageOfTheViewEndsIt() throws {
        try withSummary { url, wanted throws in
            try withItems(url, fewest: .max) { database throws in
                try database.newConnection().readWrite { try $0.setObject("x", forKey: "k", inCollection: "other") }
            }
            try withItems(url) { database throws in
                #expect(!isFromSummary(database))
                #expect(try lists(database) == wanted)
            }
            try withItems(url) { #expect(isFromSummary($0)) }
        }
    }

    /// Another program raises the number with each commit, as the original does, and may change the pages.
    @Test func anotherProgramsCommitEndsIt() throws {
        try withSummary { url, _ throws in
            let other = try foreignProgram(url)
            try other.execute("UPDATE yap2 SET data = data + 1 WHERE extension = '' AND key = 'snapshot'")
            for table in ["view_items_map", "view_items_page", "database2"] {
                try other.execute("DELETE FROM \(table)")
            }
            try withItems(url) { database throws in
                #expect(!isFromSummary(database))
                #expect(try lists(database) == [:])
            }
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// A number that is set back, and reached again by commits, makes no old summary valid.
    @Test func aNumberThatIsReachedAgainIsNoProof() throws {
        try withSummary { url, _ throws in
            var random = SplitMix64(seed: 5)
            let number = try withItems(url, fewest: .max) { database throws in
                #expect(isFromSummary(database))
                // The number that the registration has given the summary.
                let number = database.snapshot
                try write(5, &random, database)
                return number
            }
            try foreignProgram(url).execute(
                "UPDATE yap2 SET data = \(number) WHERE extension = '' AND key = 'snapshot'")
            try withItems(url) { database throws in
                #expect(!isFromSummary(database))
                #expect(try lists(database) == sorted(database))
            }
        }
    }

    @Test func pageSummaryIsNotWrittenWhileAnotherProcessHasTheFile() throws {
        try withSummary { url, _ throws in
            var random = SplitMix64(seed: 6)
            let other = try Presence(path: url.path)
            try withItems(url) { try write(5, &random, $0) }
            withExtendedLifetime(other) {}
            #expect(try count("key = 'pagesSnapshot'", url) == 0)
            try withItems(url) { #expect(!isFromSummary($0)) }
        }
    }

    /// A lock of another program, or a state that this process does not know, prevents it. Closing succeeds all the same.
    @Test func pageSummaryIsNotWrittenIfTheFileIsLockedOrHasAnotherState() throws {
        try withSummary { url, _ throws in
            var random = SplitMix64(seed: 7)
            let other = try foreignProgram(url)
            try withItems(url) { database throws in
                try write(5, &random, database)
                try other.execute("BEGIN IMMEDIATE")
            }
            try other.execute("COMMIT")
            #expect(try count("key = 'pagesSnapshot'", url) == 0)
            let (database, known) = try withItems(url) { database throws in
                try write(5, &random, database)
                let known = database.commitLog.latest.version
                try other.execute("UPDATE database2 SET metadata = x'00'")
                return (database, known)
            }
            // The watch may have seen the other program's commit before the end, then there may be one, or just after it.
            let isKnown = database.commitLog.latest.version != known
            #expect(try isKnown || count("key = 'pagesSnapshot'", url) == 0)
        }
    }

    /// A vacuum may give the records of pages other rowids, so a rowid is where to look first and no more.
    @Test(arguments: ["-rowid", "rowid + 1000", "1000 - rowid"])
    func recordsAreFoundWhereTheyWerePutMeanwhile(rowid: String) throws {
        try withSummary { url, wanted throws in
            var random = SplitMix64(seed: 10)
            try withItems(url) { database throws in
                #expect(isFromSummary(database))
                try write(20, &random, database)
                // Without another number, as a vacuum does it; the states of this process stay.
                try foreignProgram(url).execute("UPDATE view_items_page SET rowid = rowid + 1000000")
                try foreignProgram(url).execute("UPDATE view_items_page SET rowid = \(rowid) - 1000000")
                try write(20, &random, database)
                #expect(try lists(database) == sorted(database))
            }
            #expect(try YapDatabase.check(url: url) == [])
            try withItems(url) { database throws in #expect(try lists(database) == sorted(database)) }
        }
    }

    @Test func smallViewsHaveNone() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            var random = SplitMix64(seed: 8)
            try withItems(url, fewest: ViewState.minSummarizedPages) { try write(300, &random, $0) }
            #expect(try count("key LIKE 'pages%'", url) == 0)
        }
    }

    @Test func pageSummaryIsRemovedWithItsView() throws {
        try withSummary { url, _ throws in
            #expect(try count("key LIKE 'pages%' AND extension = 'items'", url) == 2)
            try withItems(url, fewest: .max, tag: "2") { #expect(!isFromSummary($0)) }
            #expect(try count("key LIKE 'pages%'", url) == 0)
        }
        try withSummary { url, _ throws in
            let database = try YapDatabase(url: url, options: .forTests)
            try database.unregisterExtension(withName: "items")
            try database.close()
            #expect(try count("extension = 'items'", url) == 0)
        }
        try withSummary { url, _ throws in
            try withItems(url, fewest: .max) { database throws in
                try database.newConnection().readWrite { try $0.removeAllObjectsInAllCollections() }
            }
            #expect(try count("key LIKE 'pages%'", url) == 0)
        }
    }

    /// A page whose key is no UUID has no name in a summary.
    @Test func aViewWithOtherKeysHasNone() throws {
        try withSummary { url, wanted throws in
            let other = try foreignProgram(url)
            for column in [
                "view_items_page SET pageKey", "view_items_page SET prevPageKey", "view_items_map SET pageKey",
            ] {
                let name = column.split(separator: " ")[2]
                try other.execute("UPDATE \(column) = 'p' || \(name) WHERE \(name) IS NOT NULL")
            }
            try other.execute("UPDATE yap2 SET data = data + 1 WHERE extension = '' AND key = 'snapshot'")
            for _ in 0..<2 {
                try withItems(url) { database throws in
                    #expect(!isFromSummary(database))
                    #expect(try lists(database) == wanted)
                }
            }
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// Groups are in the order of their bytes, which is another one than Swift's where names are in other Unicode forms.
    @Test func groupsInTwoUnicodeFormsHaveOneToo() throws {
        let names = ["cafe\u{301}", "caf\u{e9}", "cafez", "caff"]
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            for round in 0..<3 {
                let database = try YapDatabase(url: url, options: .forTests)
                if round == 0 {
                    try database.newConnection().readWrite { transaction in
                        for name in names { try transaction.setObject(1, forKey: "k", inCollection: name) }
                    }
                }
                // A view that is filled has its state from a summary too.
                let view = YapDatabaseAutoView(
                    grouping: .withKeyBlock { _, collection, _ in collection },
                    sorting: .withKeyBlock { _, _, _, _, _, _ in .orderedSame }, versionTag: "1")
                try database.register(view, withName: "items")
                #expect(isFromSummary(database) == (round > 0))
                try database.newConnection().read { transaction throws in
                    let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
                    #expect(Set(view.allGroups().map { Array($0.utf8) }) == Set(names.map { Array($0.utf8) }))
                    for name in names { #expect(view.numberOfItems(inGroup: name) == 1) }
                }
                try ViewState.$minSummarizedPages.withValue(1) { try database.close() }
                #expect(try YapDatabase.check(url: url) == [])
            }
        }
    }

    @Test func searchResultsHaveOneToo() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            var random = SplitMix64(seed: 9)
            for round in 0..<3 {
                try withItems(url) { database throws in
                    try database.register(Item.search(), withName: "fts")
                    let options = YapDatabaseSearchResultsViewOptions()
                    options.isPersistent = true
                    try database.register(
                        YapDatabaseSearchResultsView(
                            fullTextSearchName: "fts", parentViewName: "items", versionTag: "1", options: options),
                        withName: "results")
                    let state = try #require(database.commitLog.latest.entry("results")?.state as? SearchState)
                    #expect(state.view.hasSummary == (round > 0))
                    if round == 0 { try write(300, &random, database) }
                    try database.newConnection().readWrite { transaction throws in
                        let results = try #require(
                            transaction.ext("results") as? YapDatabaseSearchResultsViewTransaction)
                        if round == 0 { try results.performSearch(for: "grp:A") }
                        let wanted = try sorted(transaction.connection.database)["A"]?.count
                        #expect(round == 0 || Int(results.numberOfItems(inGroup: "A")) == wanted)
                    }
                }
                #expect(try YapDatabase.check(url: url) == [])
            }
        }
    }
}
