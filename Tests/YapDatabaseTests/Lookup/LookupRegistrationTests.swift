import Foundation
import SQLiteBridge
import Synchronization
import TestSupport
import Testing

@testable import YapDatabase

/// What secondary indexes, full-text searches and R-trees have in common: they are filled once and belong to the file.
@Suite(.serialized) struct LookupRegistrationTests {
    private func register(_ database: YapDatabase, tag: String = "1", onBlock: @escaping @Sendable () -> Void = {})
        throws
    {
        database.registerItems()
        try database.register(Item.index(tag: tag, onBlock: onBlock), withName: "idx")
        try database.register(Item.search(tag: tag, onBlock: onBlock), withName: "fts")
        try database.register(Item.tree(tag: tag, onBlock: onBlock), withName: "tree")
    }

    private func expectItem4(_ transaction: YapDatabaseReadTransaction) throws {
        #expect(try transaction.index().keys("WHERE sort = 4") == ["k4"])
        #expect(try transaction.search().keys("4") == ["k4"])
        #expect(try transaction.tree().keys("WHERE least = 4") == ["k4"])
    }

    @Test func registeringFillsFromTheRowsThatAreThereAndAgainCallsNoBlock() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "db.sqlite")
            let calls = Mutex(0)
            for (tag, expected) in [("1", 90), ("1", 0), ("2", 90)] {
                calls.withLock { $0 = 0 }
                let database = try YapDatabase(url: url, options: .forTests)
                database.registerItems()
                if try database.previouslyRegisteredExtensionNames().isEmpty { try database.writeItems(0..<30) }
                try register(database, tag: tag) { calls.withLock { $0 += 1 } }
                #expect(calls.withLock { $0 } == expected)
                try database.newConnection().read(expectItem4)
                try database.close()
                #expect(try YapDatabase.check(url: url) == [])
            }
        }
    }

    @Test func registeredTogetherTheyReadTheRowsOnce() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.writeItems(0..<30)
            try database.register([
                (name: "idx", extension: Item.index()), (name: "fts", extension: Item.search()),
                (name: "items", extension: Item.view()), (name: "tree", extension: Item.tree()),
                (
                    name: "results",
                    extension: YapDatabaseSearchResultsView(fullTextSearchName: "fts", parentViewName: "items")
                ),
            ])
            try database.newConnection().readWrite { transaction throws in
                try expectItem4(transaction)
                try transaction.results().performSearch(for: "4")
                #expect(try transaction.results().numberOfItemsInAllGroups() == 1)
            }
        }
    }

    @Test func cancellingLeavesNothing() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.writeItems(0..<1_000)
            let progress = Progress(totalUnitCount: -1)
            let index = Item.index { if progress.completedUnitCount > 200 { progress.cancel() } }
            #expect(throws: CocoaError.self) { try database.register(index, withName: "idx", progress: progress) }
            #expect(try database.previouslyRegisteredExtensionNames() == [])
            #expect(try tables(of: database.databaseURL) == ["database2", "yap2"])
        }
    }

    @Test func unregisteringDropsTheTables() throws {
        try withTemporaryDatabase { database throws in
            try register(database)
            try database.writeItems(0..<10)
            for name in ["idx", "fts", "tree"] { try database.unregisterExtension(withName: name) }
            #expect(try tables(of: database.databaseURL) == ["database2", "yap2"])
        }
    }

    @Test func rowsWrittenWithoutTheExtensionsAreFoundAfterTheNextRegistration() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "db.sqlite")
            for isRegistered in [true, false, true] {
                let database = try YapDatabase(url: url, options: .forTests)
                database.registerItems()
                if isRegistered { try register(database) } else { try database.writeItems(0..<10) }
                if try database.newConnection().read({ try $0.hasObject(forKey: "k4", inCollection: "c") }),
                    isRegistered
                {
                    try database.newConnection().read(expectItem4)
                }
                try database.close()
                #expect(try YapDatabase.check(url: url) == [])
            }
        }
    }

    @Test(arguments: [
        #"DROP INDEX "sort"; CREATE UNIQUE INDEX "evil" ON "secondaryIndex_idx" ("sort")"#,
        #"CREATE INDEX "evil" ON "secondaryIndex_idx" (abs("sort"))"#,
        #"CREATE INDEX "evil" ON "secondaryIndex_idx" ("sort") WHERE "sort" > 3"#,
        #"DROP TABLE "secondaryIndex_idx"; CREATE TABLE "secondaryIndex_idx" ("rowid" INTEGER PRIMARY KEY, "sort" INTEGER CHECK(abs("sort") < 0), "grp" TEXT)"#,
        #"DROP TABLE "secondaryIndex_idx"; CREATE VIEW "v" AS SELECT 1; CREATE TABLE "secondaryIndex_idx" ("rowid" INTEGER PRIMARY KEY, "sort" INTEGER, "grp" TEXT, "more" TEXT)"#,
        #"DROP TABLE "fts_fts"; CREATE VIRTUAL TABLE "fts_fts" USING fts5("text", "grp", content="database2")"#,
        #"DROP TABLE "fts_fts"; CREATE TABLE "fts_fts" ("text", "grp")"#,
        #"DROP TABLE "rTreeIndex_tree"; CREATE TABLE "rTreeIndex_tree" ("rowid" INTEGER PRIMARY KEY, "least" REAL, "greatest" REAL)"#,
    ])
    func aTableOfAnotherDefinitionIsMadeAgain(sql: String) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "db.sqlite")
            let first = try YapDatabase(url: url, options: .forTests)
            try register(first)
            try first.writeItems(0..<10)
            try first.close()
            let program = try foreignProgram(url)
            for statement in sql.split(separator: "; ") { try program.execute(String(statement)) }

            let second = try YapDatabase(url: url, options: .forTests)
            try register(second)
            try second.writeItems(3..<12)
            try second.newConnection().read(expectItem4)
            try second.close()
            #expect(try YapDatabase.check(url: url).filter { !$0.description.contains("view \"v\"") } == [])
        }
    }

    @Test func theCheckFindsEntriesOfRowsThatAreGone() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "db.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            try register(database)
            try database.writeItems(0..<10)
            try database.close()
            try foreignProgram(url).execute(#"DELETE FROM "database2" WHERE "key" = 'k4'"#)
            let problems = try YapDatabase.check(url: url)
            #expect(Set(problems.compactMap(\.extensionName)) == ["idx", "fts", "tree"])
            #expect(problems.allSatisfy { $0.canBeRebuilt && $0.description.contains("row 5, which does not exist") })

            let second = try YapDatabase(url: url, options: .forTests)
            try register(second)
            try second.newConnection().read { transaction throws in
                expectError(.corrupt, mentioning: "\"idx\"", "row 5") { _ = try transaction.index().keys("") }
                expectError(.corrupt, mentioning: "\"fts\"", "row 5") { _ = try transaction.search().keys("hello") }
            }
            try second.close()
        }
    }

    // MARK: Another process

    private static let folder = ProcessFolder("lookup")

    @Test func anotherProcessKeepsTheSameTables() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let url = folder.appending(path: "t.sqlite")
        let database = try YapDatabase(url: url, options: .forTests)
        try register(database)
        try database.writeItems(0..<4)
        let reader = try database.newConnection()
        try reader.beginLongLivedReadTransaction()
        await #expect(processExitsWith: .success) { try Self.writeElsewhere() }
        try expectOtherWrites(database, reader)
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }

    private static func writeElsewhere() throws {
        let database = try YapDatabase(url: folder.ofParent.appending(path: "t.sqlite"), options: .forTests)
        try LookupRegistrationTests().register(database)
        try database.writeItems(4..<10)
        try database.newConnection().readWrite { try $0.removeObject(forKey: "k1", inCollection: "c") }
        try database.close()
    }

    private func expectOtherWrites(_ database: YapDatabase, _ reader: YapDatabaseConnection) throws {
        try reader.read { transaction throws in #expect(try transaction.index().keys("ORDER BY sort") == ["k1", "k2"]) }
        try reader.beginLongLivedReadTransaction()
        try reader.read(expectItem4)
        try reader.read { transaction throws in
            #expect(try transaction.index().keys("ORDER BY sort") == ["k2", "k4", "k5", "k7", "k8"])
        }
        try database.writeItems(10..<12)
        try database.newConnection().read { transaction throws in
            #expect(try transaction.search().keys("hello").count == 7)
        }
    }
}
