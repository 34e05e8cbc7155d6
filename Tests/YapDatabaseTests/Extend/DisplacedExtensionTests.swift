import Foundation
import SQLiteBridge
import TestSupport
import Testing

@testable import YapDatabase

/// Two programs register the same name with other blocks. The one that comes later arranges the view; the other one must
/// neither show nor edit what does not follow from its own blocks. Its writes go on: the list is left to the other program.
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
        // What changes no row leaves the list as it is.
        try connection.readWrite { $0.yapDatabaseModifiedNotificationCustomObject = "x" }
        #expect(try Self.storedTag(connection) == "2")
    }

    private func registerAgain(_ database: YapDatabase, _ connection: YapDatabaseConnection) throws {
        try database.register(Self.descending(tag: "2"), withName: "items")
        try connection.readWrite { try $0.setObject(1, forKey: "bb") }
        #expect(try connection.read { try Self.keys($0) } == ["c", "bb", "b", "a"])
        #expect(database.registeredExtensions().count == 1)
    }

    /// The list is the other program's to place the rows in. It is not running, so who registers it next fills it.
    @Test(arguments: ["insert", "replace", "remove", "remove all"]) func writesGoOn(_ write: String) throws {
        try withTemporaryDatabase { database in
            try database.register(Self.ascending(tag: "1"), withName: "items")
            let connection = try database.newConnection()
            try connection.readWrite { transaction in
                for key in ["a", "b", "c"] { try transaction.setObject(1, forKey: key) }
            }
            try setTag("2", database)
            try connection.readWrite { transaction in
                switch write {
                case "insert": try transaction.setObject(1, forKey: "d")
                case "replace": try transaction.replace(2, forKey: "a")
                case "remove": try transaction.removeObject(forKey: "a")
                default: try transaction.removeAllObjectsInAllCollections()
                }
            }
            #expect(try Self.storedTag(connection) == "stale:2")
            #expect(try connection.read { try Self.keys($0) } == nil)
            let keys = try connection.read { try $0.allKeys(inCollection: nil).sorted(by: >) }
            try database.register(Self.descending(tag: "2"), withName: "items")
            #expect(try connection.read { try Self.keys($0) } == keys)
        }
    }

    /// A list of the rows of one that is displaced has no rows to choose from. It returns with that one.
    @Test(arguments: [true, false]) func whatReadsFromItIsDisplacedToo(isStored: Bool) throws {
        try withTemporaryDatabase { database in
            try database.register(Self.ascending(tag: "1"), withName: "items")
            var options = YapViewOptions()
            options.isPersistent = isStored
            try database.register(
                YapDatabaseFilteredView(
                    parentViewName: "items", filtering: .withKeyBlock { _, _, _, key in key != "b" }, options: options),
                withName: "chosen")
            let connection = try database.newConnection()
            try connection.readWrite { transaction in
                for key in ["a", "b", "c"] { try transaction.setObject(1, forKey: key) }
            }
            func chosen() throws -> [String]? {
                try connection.read { transaction in
                    guard let view = transaction.ext("chosen") as? YapDatabaseViewTransaction else { return nil }
                    return try (0..<view.numberOfItems(inGroup: "g")).map {
                        try view.rowKey(at: $0, inGroup: "g")?.key ?? "-"
                    }
                }
            }
            #expect(try chosen() == ["a", "c"])
            try setTag("2", database)
            #expect(try chosen() == nil)
            expectError(.badExtension, mentioning: "\"chosen\" reads from \"items\"", "\"2\"") {
                let mappings = YapDatabaseViewMappings(groups: ["g"], view: "chosen")
                try connection.read { try mappings.update(with: $0) }
            }
            try connection.readWrite { try $0.setObject(1, forKey: "d") }
            expectError(.badExtension, mentioning: "\"chosen\"") {
                try database.unregisterExtension(withName: "items")
            }
            // The other program gives the name back, without the row that it lacks, or this one takes it.
            try setTag("stale:1", database)
            try connection.readWrite { try $0.setObject(1, forKey: "e") }
            #expect(try chosen() == ["a", "c", "d", "e"])
            try setTag("2", database)
            try connection.readWrite { try $0.setObject(1, forKey: "f") }
            try database.register(Self.descending(tag: "3"), withName: "items", replacing: true)
            #expect(try chosen() == ["f", "e", "d", "c", "a"])
            try connection.readWrite { try $0.setObject(1, forKey: "g") }
            #expect(try chosen() == ["g", "f", "e", "d", "c", "a"])
        }
    }

    /// So does a list of the groups of such a list, whose rows are stored.
    @Test func aListOfItsGroupsReturnsWithIt() async throws {
        try await withTemporaryDatabase { database async throws in
            let years = YapList(
                "years", groupsOf: Novel.order, figures: [YapFigure<Novel, Double>.sum(\.price)],
                sortedBy: .ascending(\.name))
            try await database.register(Novel.order, years)
            let connection = try database.newConnection()
            try await connection.write {
                try $0[Novel.all].save([Novel(1, "Dune", price: 4), Novel(2, "Emma", price: 3)])
            }
            func rows() async throws -> [String] {
                try await connection.read { try $0[years].values().map { "\($0.name) \($0.count)" } }
            }
            #expect(try await rows() == ["hall 2"])
            try elsewhere(
                database, "UPDATE yap2 SET data = 'other' WHERE extension = 'order' AND key = 'versionTag'")
            await #expect(throws: YapDatabaseError.self) { _ = try await rows() }
            try await connection.write { transaction throws in
                try transaction[Novel.all].save(Novel(3, "Persuasion"))
                try transaction[Novel.all].remove(1)
            }
            #expect(try await connection.read { try $0[Novel.all].values().map(\.id).sorted() } == [2, 3])
            try await database.register(Novel.order, replacing: true)
            #expect(try await rows() == ["hall 2"])
            try await connection.write { try $0[Novel.all].save(Novel(4, "Sanditon", .attic)) }
            #expect(try await rows() == ["attic 1", "hall 2"])
        }
    }

    /// The rows of groups are those of the list with which they were declared. Over another one under its name they would be wrong, and called right later.
    @Test func aListOfGroupsIsNotThatOfAnotherListOfTheName() async throws {
        try await withTemporaryDatabase { database async throws in
            let years = YapList("years", groupsOf: Novel.order, sortedBy: .ascending(\.name))
            let other = YapList("order", of: Novel.all, groupedBy: \.author.name, sortedBy: .ascending(\.id))
            try await database.register(Novel.order, years)
            let connection = try database.newConnection()
            try await connection.write { try $0[Novel.all].save([Novel(1, "Dune"), Novel(2, "Emma", .attic)]) }
            try elsewhere(
                database,
                "UPDATE yap2 SET data = '\(other.versionTag.replacing("'", with: "''"))' WHERE extension = 'order' AND key = 'versionTag'"
            )
            try await database.register(other, replacing: true)
            await #expect(throws: YapDatabaseError.self) { try await connection.read { _ = try $0[years] } }
            await #expect(throws: YapDatabaseError.self) { try await database.register(years, replacing: true) }
            try await connection.write { try $0[Novel.all].save(Novel(3, "Persuasion", .attic)) }
            // Nor after commits of others, with which all extensions are loaded again.
            try elsewhere(database, "INSERT INTO database2 (collection, key, data) VALUES ('notes', '1', x'00')")
            await #expect(throws: YapDatabaseError.self) { try await connection.read { _ = try $0[years] } }
            // With what belongs to it alone.
            try await database.unregister(years)
            try await database.unregister(other)
            #expect(database.registeredExtensions().isEmpty)
            try await database.register(Novel.order, years)
            #expect(
                try await connection.read { try $0[years].values().map { "\($0.name) \($0.count)" } }
                    == ["attic 2", "hall 1"])
        }
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
            #expect(try connection.read { try Self.keys($0) } == nil)
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
            try connection.readWrite { try $0.setObject(1, forKey: "b") }
            #expect(try Self.storedTag(connection) == "stale:2")
            #expect(try connection.read { try Self.keys($0) } == nil)
            // A registration rebuilds it.
            try database.register(Self.ascending(tag: "1"), withName: "items")
            #expect(try connection.read { try Self.keys($0) } == ["a", "b"])
            try setTag("2", database)
            try database.unregisterExtension(withName: "items")
            try connection.readWrite { try $0.setObject(1, forKey: "c") }
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
            #expect(
                try connection.read { $0.snapshot.displaced("items")?.error.message ?? "" }.contains(
                    "YapDatabaseRTreeIndex"))
            try connection.readWrite { try $0.setObject(1, forKey: "b") }
            #expect(try Self.storedTag(connection)?.hasPrefix("stale:") == true)
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
            let text = try connection.read { $0.snapshot.displaced("items")?.error.message ?? "" }
            #expect(text.contains("in memory") && text.contains("\"2\""))
            try connection.readWrite { try $0.setObject(1, forKey: "b") }
            #expect(try Self.storedTag(connection) == "stale:2")
            #expect(try connection.read { try $0.store.hasTable("secondaryIndex_items") })
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
