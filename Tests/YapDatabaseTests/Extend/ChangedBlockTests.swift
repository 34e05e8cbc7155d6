import Foundation
import Synchronization
import TestSupport
import Testing

@testable import YapDatabase

/// Blocks that were changed without another version tag.
@Suite struct ChangedBlockTests {
    /// Opens a file that has been filled by `before`, runs the body, and checks the file.
    private func reopened(
        rows: Int = 250, _ before: @escaping (YapDatabase) throws -> Void, options: YapDatabaseOptions = .forTests,
        _ body: @escaping (YapDatabase) throws -> Void
    ) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "test.sqlite")
            for (options, work) in [(YapDatabaseOptions.forTests, before), (options, body)] {
                let database = try YapDatabase(url: url, options: options)
                database.registerItems()
                if try !database.newConnection().read({ try $0.store.hasRows() }) { try database.writeItems(0..<rows) }
                try work(database)
                try database.close()
            }
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    private static let all: [(name: String, extension: YapDatabaseExtension)] = [
        ("items", Item.view()), ("even", FilteredViewTests.filter { $0.sort % 2 == 0 }), ("idx", Item.index()),
        ("fts5", Item.search(version: "fts5")), ("fts4", Item.search(version: "fts4")),
        ("fts3", Item.search(version: "fts3")), ("tree", Item.tree()), ("types", Self.typed(1)),
    ]

    /// An index whose columns convert what the handler sets.
    private static func typed(_ factor: Int) -> YapDatabaseSecondaryIndex {
        let setup = YapDatabaseSecondaryIndexSetup()
        let types: [YapDatabaseSecondaryIndexType] = [.integer, .real, .numeric, .text, .blob]
        for type in types { for kind in 0..<6 { setup.addColumn("\(type)\(kind)", with: type) } }
        return YapDatabaseSecondaryIndex(
            setup: setup,
            handler: .withObjectBlock { _, dict, _, _, object in
                let number = (object as! Item).sort * factor
                let values: [Any] = [
                    number, Double(number), Double(number) + 0.1, "\(number)", "a\(number)", Data("\(number)".utf8),
                ]
                for type in types { for (kind, value) in values.enumerated() { dict["\(type)\(kind)"] = value } }
            }, versionTag: "1")
    }

    @Test func unchangedBlocksAgree() throws {
        try reopened({ try $0.register(Self.all) }) { database in
            try database.register(Self.all)
            for (name, _) in Self.all {
                let rowids = try database.newConnection().read {
                    try $0.hooks(ofExtension: name)!.rowsToAskAbout(limit: 100)
                }
                #expect(rowids.count == 100 && Set(rowids).count == 100, "\(name)")
                #expect(try database.changedBlock(of: name)?.description == nil, "\(name)")
            }
        }
    }

    @Test func theFirstRowThatDisagreesIsReported() throws {
        let reports = Locked<[YapDatabaseChangedBlock]>([])
        var options = YapDatabaseOptions.forTests
        options.changedBlockHandler = { report in reports.withLock { $0.append(report) } }
        let oddTree = YapDatabaseRTreeIndexSetup()
        oddTree.setColumns(["least", "greatest"])
        let text = YapDatabaseFullTextSearch(
            columnNames: ["text", "grp"], handler: .withKeyBlock { _, dict, _, key in dict["text"] = key },
            ftsVersion: "fts5", versionTag: "1")
        let changed: [(name: String, extension: YapDatabaseExtension)] = [
            (
                "items",
                YapDatabaseAutoView(
                    grouping: .withObjectBlock { _, _, _, object in (object as! Item).group.map { $0 + "!" } },
                    sorting: Item.view().sorting, versionTag: "1")
            ),
            ("even", FilteredViewTests.filter { $0.sort % 2 == 1 }), ("idx", Item.index()), ("types", Self.typed(2)),
            ("fts5", text),
            (
                "tree",
                YapDatabaseRTreeIndex(
                    setup: oddTree,
                    handler: .withKeyBlock { dict, _, _ in
                        dict["least"] = 5_000
                        dict["greatest"] = 6_000
                    },
                    versionTag: "1")
            ),
        ]
        try reopened({ try $0.register(Self.all) }, options: options) { database in
            try database.register(changed)
            try waitUntil("five blocks are reported") { reports.withLock { $0.count } == 5 }
            let found = reports.withLock { $0 }
            #expect(found.map(\.extensionName) == ["items", "even", "types", "fts5", "tree"])
            let view = found[0]
            #expect((view.collection, view.key) == ("c", "k2"))
            #expect((view.stored, view.answer) == (#"the group "B""#, #"the group "B!""#))
            #expect((found[1].stored, found[1].answer) == ("not the row", "true"))
            #expect(found[2].stored == #"2 in the column "integer0""# && found[2].answer == "4")
            #expect((found[3].stored, found[3].answer) == ("no columns", "columns"))
            #expect(view.description.contains("items") && view.description.contains("c/k2"))
        }
    }

    @Test func anotherOrderIsNoticed() throws {
        let item = Item.view()
        let reversed = YapDatabaseAutoView(
            grouping: item.grouping,
            sorting: .withObjectBlock { _, _, _, _, a, _, _, b in
                let (a, b) = ((a as! Item).sort, (b as! Item).sort)
                return a == b ? .orderedSame : a > b ? .orderedAscending : .orderedDescending
            }, versionTag: "1")
        try reopened({ try $0.register(item, withName: "items") }) { database in
            try database.register(reversed, withName: "items")
            #expect(try database.changedBlock(of: "items")?.stored == "a place before c/k5")
        }
    }

    @Test func aHundredRowsAreAskedAboutAndNoneWithoutAHandler() throws {
        let calls = Atomic(0)
        let counting = YapDatabaseAutoView(
            grouping: .withKeyBlock { _, _, _ in
                calls.add(1, ordering: .relaxed)
                return "all"
            }, sorting: .withKeyBlock { _, _, _, a, _, b in a.compare(b) }, versionTag: "1")
        try reopened(rows: 2_000, { try $0.register(counting, withName: "keys") }) { database in
            calls.store(0, ordering: .relaxed)
            try database.register(counting, withName: "keys")
            #expect(calls.load(ordering: .relaxed) == 0)
            #expect(try database.changedBlock(of: "keys")?.description == nil)
            #expect(calls.load(ordering: .relaxed) == 100)
        }
    }

    /// A block that is not called for every change may have answered about another object.
    @Test func aBlockThatDoesNotFollowItsRowsIsNotAsked() throws {
        let view = YapDatabaseAutoView(
            grouping: .withOptions(.onInsertOnly, objectBlock: { _, _, _, object in "\((object as! Item).sort)" }),
            sorting: Item.view().sorting, versionTag: "1")
        try reopened({ database in
            try database.register(view, withName: "items")
            try database.newConnection().readWrite {
                try $0.setObject(Item(group: "A", sort: -1, text: ""), forKey: "k5", inCollection: "c")
            }
        }) { database in
            try database.register(view, withName: "items")
            #expect(try database.changedBlock(of: "items")?.description == nil)
        }
    }

    @Test func rowsAreChosenFromAllowedCollectionsAndFromTheParent() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.newConnection().readWrite { transaction throws in
                for number in 0..<1_000 {
                    let item = Item(group: "A", sort: number, text: "")
                    try transaction.setObject(item, forKey: "k\(number)", inCollection: number % 20 == 0 ? "d" : "c")
                }
            }
            let options = YapDatabaseSecondaryIndexOptions()
            options.allowedCollections = YapWhitelistBlacklist(whitelist: ["d"])
            try database.register([
                ("d", Item.index(options: options)), ("items", Item.view()),
                ("few", FilteredViewTests.filter { $0.sort < 30 }),
                ("fewer", FilteredViewTests.filter(parent: "few") { $0.sort < 3 }),
            ])
            try database.newConnection().read { transaction throws in
                #expect(try transaction.hooks(ofExtension: "d")!.rowsToAskAbout(limit: 10).count == 9)
                #expect(try transaction.hooks(ofExtension: "d")!.rowsToAskAbout(limit: 100).count == 50)
                #expect(try transaction.hooks(ofExtension: "fewer")!.rowsToAskAbout(limit: 100).count == 30)
                #expect(try transaction.hooks(ofExtension: "fewer")!.rowsToAskAbout(limit: 10).count == 10)
            }
        }
    }
}
