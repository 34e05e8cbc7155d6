import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import YapDatabase

/// Two programs register the same name with other blocks. The one that comes later arranges the view; the other one must
/// neither show nor edit what does not follow from its own blocks.
@Suite(.serialized) struct DisplacedExtensionTests {
    private static let folder = ProcessFolder("displaced")

    private static func descending(tag: String) -> YapDatabaseAutoView {
        YapDatabaseAutoView(
            grouping: .withKeyBlock { _, _, _ in "g" },
            sorting: .withKeyBlock { _, _, _, a, _, b in
                a == b ? .orderedSame : a > b ? .orderedAscending : .orderedDescending
            }, versionTag: tag)
    }

    private static func ascending(tag: String) -> YapDatabaseAutoView {
        YapDatabaseAutoView(
            grouping: .withKeyBlock { _, _, _ in "g" },
            sorting: .withKeyBlock { _, _, _, a, _, b in
                a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
            }, versionTag: tag)
    }

    private static func keys(_ transaction: YapDatabaseReadTransaction) throws -> [String]? {
        guard let view = transaction.ext("items") as? YapDatabaseViewTransaction else { return nil }
        return try (0..<view.numberOfItems(inGroup: "g")).map { try view.rowKey(at: $0, inGroup: "g")?.key ?? "-" }
    }

    private static func storedTag(_ connection: YapDatabaseConnection) throws -> String? {
        try connection.read { try $0.store.registeredExtension("items")?.versionTag }
    }

    @Test func anotherProgramsArrangementIsNeitherShownNorEdited() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let url = folder.appending(path: "t.sqlite")
        let database = try YapDatabase(url: url, options: .forTests)
        let connection = try database.newConnection()
        try await database.register(Self.ascending(tag: "1"), withName: "items")
        try await connection.write { for key in ["a", "b", "c"] { try $0.setObject(1, forKey: key) } }

        await #expect(processExitsWith: .success) {
            let url = Self.folder.ofParent.appending(path: "t.sqlite")
            let database = try YapDatabase(url: url, options: .forTests)
            // Not without saying so, while the other program runs.
            expectError(.badExtension, mentioning: "\"items\"", "\"1\"", "\"2\"", "replacing: true") {
                try database.register(Self.descending(tag: "2"), withName: "items")
            }
            #expect(try Self.storedTag(database.newConnection()) == "1")
            try await database.register(Self.descending(tag: "2"), withName: "items", replacing: true)
            try database.close()
        }

        try useDisplaced(connection)
        // Nothing is rebuilt automatically, or the two would do so in turn.
        await withCheckedContinuation { done in database.flushExtensionRequests { done.resume() } }
        #expect(try Self.storedTag(connection) == "2")
        try registerAgain(database, connection)
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }

    private func useDisplaced(_ connection: YapDatabaseConnection) throws {
        #expect(try connection.read { try Self.keys($0) } == nil)
        let mappings = YapDatabaseViewMappings(groups: ["g"], view: "items")
        expectError(.badExtension, mentioning: "\"items\"", "\"1\"", "\"2\"", "same class, blocks and version tag") {
            try connection.read { try mappings.update(with: $0) }
        }
        for write in [
            { try $0.setObject(1, forKey: "d") }, { try $0.replace(2, forKey: "a") },
            { try $0.removeObject(forKey: "a") }, { try $0.removeAllObjectsInAllCollections() },
        ] as [(YapDatabaseReadWriteTransaction) throws -> Void] {
            expectError(.badExtension, mentioning: "\"1\"", "\"2\"") { try connection.readWrite(write) }
        }
        expectError(.transactionFailed) {
            try connection.readWrite { transaction in
                try? transaction.setObject(1, forKey: "d")
                try transaction.setObject(1, forKey: "e")
            }
        }
        #expect(try connection.read { try $0.allKeys(inCollection: nil).sorted() } == ["a", "b", "c"])
        // What changes no row still works.
        try connection.readWrite { $0.yapDatabaseModifiedNotificationCustomObject = "x" }
        #expect(try connection.read { try Self.keys($0) } == nil)
    }

    private func registerAgain(_ database: YapDatabase, _ connection: YapDatabaseConnection) throws {
        try database.register(Self.descending(tag: "2"), withName: "items")
        try connection.readWrite { try $0.setObject(1, forKey: "bb") }
        #expect(try connection.read { try Self.keys($0) } == ["c", "bb", "b", "a"])
        #expect(database.registeredExtensions().count == 1)
    }

    /// Runs SQL as another program that counts its commit up.
    private func elsewhere(_ database: YapDatabase, _ sql: String...) throws {
        let handle = try SQLiteHandle(path: database.databaseURL.path, mode: .readWrite, busyTimeout: 30_000)
        try handle.execute("BEGIN IMMEDIATE")
        for sql in sql { try handle.execute(sql) }
        try handle.execute("UPDATE yap2 SET data = data + 1 WHERE extension = '' AND key = 'snapshot'")
        try handle.execute("COMMIT")
    }

    private static let setTag = "UPDATE yap2 SET data = '%' WHERE extension = 'items' AND key = 'versionTag'"

    private func setTag(_ tag: String, _ database: YapDatabase) throws {
        try elsewhere(database, Self.setTag.replacing("%", with: tag))
    }

    @Test func aDisplacedExtensionReturnsWhenTheOtherProgramRestoresIt() throws {
        try withTemporaryDatabase { database in
            try database.register(Self.ascending(tag: "1"), withName: "items")
            let connection = try database.newConnection()
            try connection.readWrite { try $0.setObject(1, forKey: "a") }
            try setTag("2", database)
            expectError(.badExtension) { try connection.readWrite { try $0.setObject(1, forKey: "b") } }
            try setTag("1", database)
            try connection.readWrite { try $0.setObject(1, forKey: "b") }
            #expect(try connection.read { try Self.keys($0) } == ["a", "b"])
        }
    }

    @Test func whatAnotherProgramArrangedIsNotTakenOverWhenItIsStale() throws {
        try withTemporaryDatabase { database in
            try database.register(Self.ascending(tag: "1"), withName: "items")
            let connection = try database.newConnection()
            try connection.readWrite { try $0.setObject(1, forKey: "a") }
            try setTag("stale:2", database)
            expectError(.badExtension, mentioning: "\"1\"", "\"2\"") {
                try connection.readWrite { try $0.setObject(1, forKey: "b") }
            }
            #expect(try Self.storedTag(connection) == "stale:2")
            // A registration rebuilds it.
            try database.register(Self.ascending(tag: "1"), withName: "items")
            #expect(try connection.read { try Self.keys($0) } == ["a"])
            try setTag("2", database)
            try database.unregisterExtension(withName: "items")
            try connection.readWrite { try $0.setObject(1, forKey: "b") }
            #expect(try database.registeredExtensions().isEmpty && Self.storedTag(connection) == nil)
        }
    }

    @Test func anotherClassDisplacesToo() throws {
        try withTemporaryDatabase { database in
            try database.register(RecordingExtension(), withName: "items")
            let connection = try database.newConnection()
            #expect(try connection.read { $0.ext("items") } != nil)
            try elsewhere(
                database, "UPDATE yap2 SET data = 'YapDatabaseRTreeIndex' WHERE extension = 'items' AND key = 'class'",
                "ALTER TABLE secondaryIndex_items RENAME TO rTreeIndex_items")
            #expect(try connection.read { $0.ext("items") } == nil)
            expectError(.badExtension, mentioning: "YapDatabaseRTreeIndex", "YapDatabaseSecondaryIndex") {
                try connection.readWrite { try $0.setObject(1, forKey: "b") }
            }
        }
    }

    @Test func oneInMemoryDoesNotDropWhatAnotherProgramKeepsInTheFile() throws {
        try withTemporaryDatabase { database in
            try database.register(RecordingExtension(isPersistent: false), withName: "items")
            let connection = try database.newConnection()
            try elsewhere(
                database, "CREATE TABLE secondaryIndex_items (rowid INTEGER PRIMARY KEY)",
                "INSERT INTO yap2 VALUES ('items', 'class', 'YapDatabaseSecondaryIndex')",
                "INSERT INTO yap2 VALUES ('items', 'versionTag', '2')")
            expectError(.badExtension, mentioning: "in memory", "\"2\"") {
                try connection.readWrite { try $0.setObject(1, forKey: "b") }
            }
            #expect(try Self.storedTag(connection) == "2")
        }
    }

    @Test func aFollowedListSaysWhyItIsEmpty() throws {
        try withTemporaryDatabase { database in
            try database.register(Self.ascending(tag: "1"), withName: "items")
            try setTag("2", database)
            let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
            expectError(.badExtension, mentioning: "\"2\"") {
                try coordinator.follow(YapDatabaseViewMappings(groups: ["g"], view: "items"))
            }
        }
    }

    /// What `setGrouping` made is this program's own, also after others committed.
    @Test(arguments: [true, false]) func aNewArrangementStaysAfterAForeignCommit(isPersistent: Bool) throws {
        try withTemporaryDatabase { database in
            let options = YapDatabaseViewOptions()
            options.isPersistent = isPersistent
            let (before, after) = (Self.ascending(tag: "1"), Self.descending(tag: "2"))
            try database.register(
                YapDatabaseAutoView(
                    grouping: before.grouping, sorting: before.sorting, versionTag: "1", options: options),
                withName: "items")
            let connection = try database.newConnection()
            try connection.readWrite { transaction in
                for key in ["a", "b", "c"] { try transaction.setObject(1, forKey: key) }
            }
            func setGrouping(_ isRolledBack: Bool) throws {
                try connection.readWrite { transaction in
                    let view = try #require(transaction.ext("items") as? YapDatabaseAutoViewTransaction)
                    try view.setGrouping(after.grouping, sorting: after.sorting, versionTag: "2")
                    if isRolledBack { transaction.rollback() }
                }
            }
            func expectTag(_ tag: String, _ keys: [String]) throws {
                try connection.readWrite { transaction in
                    let view = try #require(transaction.ext("items") as? YapDatabaseAutoViewTransaction)
                    #expect(view.versionTag() == tag)
                    #expect(try Self.keys(transaction) == keys)
                }
            }
            try setGrouping(true)
            try expectTag("1", ["a", "b", "c"])
            try setGrouping(false)
            try expectTag("2", ["c", "b", "a"])
            let handle = try SQLiteHandle(path: database.databaseURL.path, mode: .readWrite, busyTimeout: 30_000)
            // Once as a program that knows of no extensions, once as one of ours.
            try handle.execute("CREATE TABLE x(a)")
            try expectTag("2", ["c", "b", "a"])
            try elsewhere(database, "DROP TABLE x")
            try expectTag("2", ["c", "b", "a"])
            try connection.readWrite { try $0.setObject(1, forKey: "bb") }
            try expectTag("2", ["c", "bb", "b", "a"])
            #expect(try Self.storedTag(connection) == (isPersistent ? "2" : nil))
            #expect((database.registeredExtension("items") as? YapDatabaseAutoView)?.versionTag == "2")
        }
    }

    /// Who shows a list that another program has taken over is told why, and keeps the rows.
    @MainActor @Test func whatShowsADisplacedListEndsWithTheReason() async throws {
        try await withTemporaryDatabase { database in
            let list = try await database.register(Novel.order)
            let connection = try database.newConnection()
            try await connection.readWrite { try $0[Novel.all].save([Novel(1, "Dune"), Novel(2, "Emma")]) }
            var updates = connection.updates(of: list).makeAsyncIterator()
            #expect(try await updates.next()?.rows.count == 2)
            let model = try YapListModel(list, in: database)
            let following = Task { try await model.follow() }
            let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
            let mappings = list.mappings()
            try coordinator.follow(mappings)
            try elsewhere(
                database, "UPDATE yap2 SET data = 'other' WHERE extension = 'order' AND key = 'versionTag'")
            do {
                _ = try await updates.next()
                Issue.record("The loop goes on.")
            } catch let error as YapDatabaseError {
                #expect(error.code == .badExtension)
            }
            await #expect(throws: YapDatabaseError.self) { try await following.value }
            #expect((model.failure as? YapDatabaseError)?.message.contains("\"other\"") == true)
            #expect(model.count == 2 && model[0, 1]?.title == "Emma")
            expectError(.badExtension, mentioning: "\"order\"") { _ = try coordinator.advance() }
            #expect(mappings.numberOfItemsInAllGroups() == 2)
            let key = try coordinator.connection.syncRead {
                try $0[list].value(at: RowPath(section: 0, row: 0), with: mappings)
            }
            #expect(key?.title == "Dune")
            coordinator.unfollow(mappings)
            #expect(try coordinator.advance().isEmpty)
        }
    }
}
