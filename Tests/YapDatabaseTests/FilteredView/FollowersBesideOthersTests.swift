import Foundation
import ListChanges
import SQLiteBridge
import TestSupport
import Testing

@testable import YapDatabase

/// Lists over another list, where processes that register other lists, or none, commit: this one meets their commits one by one or many at once.
///
/// At each moment such a list has the rows of its parent that it should have, its change-sets are exact, and what it stores is right.
@Suite(.serialized) struct FollowersBesideOthersTests {
    private static let folder = ProcessFolder("followers-beside-others")

    /// Without lists.
    private static func open(_ folder: URL) throws -> YapDatabase {
        let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
        database.registerItems()
        return database
    }

    private static func register(_ database: YapDatabase) throws {
        try database.register(Item.view(), withName: "items")
        try database.register(FilteredViewTests.filter { $0.text == "word" }, withName: "stored")
        try database.register(FilteredViewTests.filter(persistent: false) { $0.text == "word" }, withName: "memory")
        try database.register(FilteredViewTests.filter(parent: "stored") { $0.sort % 4 == 0 }, withName: "twice")
    }

    private static func set(_ database: YapDatabase, _ numbers: Range<Int>, moved: Int = 0) throws {
        try database.newConnection().readWrite { transaction throws in
            for number in numbers {
                let text = number % 2 == 0 ? "word" : "other"
                let item = Item(group: number < 10 ? "A" : "B", sort: number + moved, text: text)
                try transaction.setObject(item, forKey: "k\(number)", inCollection: "c")
            }
        }
    }

    private static func remove(_ database: YapDatabase, _ numbers: Range<Int>) throws {
        try database.newConnection().readWrite { transaction throws in
            for number in numbers { try transaction.removeObject(forKey: "k\(number)", inCollection: "c") }
        }
    }

    private static func keys(_ database: YapDatabase, _ name: String) throws -> [String]? {
        try database.newConnection().read { transaction throws in
            guard let view = transaction.ext(name) as? YapDatabaseViewTransaction else { return nil }
            var keys: [String] = []
            for group in view.allGroups() { try view.iterateKeys(inGroup: group) { _, key, _, _ in keys.append(key) } }
            return keys
        }
    }

    private static func expectRight(_ database: YapDatabase, _ context: String) throws {
        var rows: [(key: String, item: Item)] = []
        try database.newConnection().read { transaction throws in
            try transaction.iterateKeysAndObjects(inCollection: "c") { (key, item: Item, _) in rows.append((key, item))
            }
        }
        let words = rows.filter { $0.item.text == "word" }.sorted {
            ($0.item.group!, $0.item.sort, $0.key) < ($1.item.group!, $1.item.sort, $1.key)
        }
        for name in ["stored", "memory"] {
            let found = try keys(database, name)
            #expect(found == words.map(\.key), "\(context): \(name)")
        }
        let found = try keys(database, "twice")
        #expect(found == words.filter { $0.item.sort % 4 == 0 }.map(\.key), "\(context): twice")
    }

    /// Opens the file with all lists and 20 rows, has another process write, and expects right lists at once, after a write, and in the file.
    private func run(_ body: @Sendable () async -> Void) async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try Self.open(folder)
        try Self.register(database)
        try Self.set(database, 0..<20)
        let followers = try ["stored", "memory", "twice"].map {
            try ListFollower(database, view: $0, groups: ["A", "B", "C"])
        }
        await body()
        for follower in followers { try follower.advance("\(follower.mappings.view)") }
        try Self.expectRight(database, "at once")
        try await database.waitUntilIdle()
        try Self.set(database, 90..<92)
        for follower in followers { try follower.advance("\(follower.mappings.view)") }
        try Self.expectRight(database, "after a write")
        let url = database.databaseURL
        try Self.close(database)
        #expect(try YapDatabase.check(url: url) == [])
        let again = try Self.open(folder)
        try Self.register(again)
        try Self.expectRight(again, "opened again")
        try Self.close(again)
    }

    private static func close(_ database: YapDatabase) throws { try database.close() }

    /// Writes while the other process is stopped, so that it meets all commits at once.
    private static func whileOtherIsStopped(_ body: (URL) throws -> Void) throws {
        kill(getppid(), SIGSTOP)
        defer { kill(getppid(), SIGCONT) }
        // One of its threads takes the signal when it runs next. Until then the others may meet the first commit, and begin a write that
        // would wait with them.
        while !(try hasStopped(getppid())) { usleep(1_000) }
        try body(folder.ofParent)
    }

    private static func hasStopped(_ process: pid_t) throws -> Bool {
        let tasks = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).allSatisfy { task in
            guard let status = try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8) else {
                return true
            }
            return status.contains("State:\tT")
        }
    }

    private static func with(_ folder: URL, lists: (YapDatabase) throws -> Void, _ body: (YapDatabase) throws -> Void)
        throws
    {
        let database = try open(folder)
        try lists(database)
        try body(database)
        try database.close()
    }

    private static func items(_ database: YapDatabase) throws { try database.register(Item.view(), withName: "items") }

    // MARK: A program with the parent, then one without any list

    @Test func rowsThatOneProgramPlacedAndRowsThatAnotherDidNot() async throws {
        try await run {
            await #expect(processExitsWith: .success) {
                try Self.whileOtherIsStopped { folder throws in
                    try Self.with(folder, lists: Self.items) { try Self.set($0, 30..<34, moved: -25) }
                    try Self.with(folder, lists: { _ in }) { try Self.set($0, 40..<42) }
                }
            }
        }
    }

    @Test func rowsThatOneProgramRemovedAndRowsThatAnotherDidNotPlace() async throws {
        try await run {
            await #expect(processExitsWith: .success) {
                try Self.whileOtherIsStopped { folder throws in
                    try Self.with(folder, lists: Self.items) { database throws in
                        try Self.remove(database, 0..<5)
                        try Self.set(database, 15..<18, moved: -100)
                    }
                    try Self.with(folder, lists: { _ in }) { try Self.set($0, 40..<44) }
                }
            }
        }
    }

    @Test func rowsThatOneProgramRemovedAndRowsOfPlainSQLite() async throws {
        try await run {
            await #expect(processExitsWith: .success) {
                try Self.whileOtherIsStopped { folder throws in
                    try Self.with(folder, lists: Self.items) { database throws in
                        try Self.remove(database, 0..<5)
                        try Self.set(database, 18..<19, moved: -100)
                    }
                    let changed = Item(group: "A", sort: 3, text: "word"), new = Item(group: "A", sort: 5, text: "word")
                    try foreignProgram(folder.appending(path: "t.sqlite"))
                        .setRows([("k12", changed as Item?), ("new", new)], inCollection: "c")
                }
            }
        }
    }

    // MARK: All rows are removed, and others come

    private static func clear(_ database: YapDatabase, group: String) throws {
        try database.newConnection().readWrite { transaction throws in
            try transaction.removeAllObjectsInAllCollections()
            // Has the rowid of a row that is shown elsewhere, and goes again.
            try transaction.setObject(Item(group: group, sort: 0, text: "word"), forKey: "brief", inCollection: "c")
            try transaction.removeObject(forKey: "brief", inCollection: "c")
            for number in 0..<3 {
                let text = number % 2 == 1 ? "word" : "other"
                let item = Item(group: group, sort: 100 + number, text: text)
                try transaction.setObject(item, forKey: "n\(number)", inCollection: "c")
            }
        }
    }

    @Test func aProgramWithTheParentRemovesAllRows() async throws {
        try await run {
            await #expect(processExitsWith: .success) {
                try Self.with(Self.folder.ofParent, lists: Self.items) { try Self.clear($0, group: "C") }
            }
        }
        try await run {
            await #expect(processExitsWith: .success) {
                try Self.with(Self.folder.ofParent, lists: Self.items) { try Self.clear($0, group: "B") }
            }
        }
    }

    @Test func aProgramWithAllListsRemovesAllRows() async throws {
        try await run {
            await #expect(processExitsWith: .success) {
                try Self.with(Self.folder.ofParent, lists: Self.register) { try Self.clear($0, group: "C") }
            }
        }
    }

    @Test func aProgramWithoutListsRemovesAllRows() async throws {
        try await run {
            await #expect(processExitsWith: .success) {
                try Self.with(Self.folder.ofParent, lists: { _ in }) { try Self.clear($0, group: "B") }
            }
        }
    }

    // MARK: A rowid is used again

    private static func replaceLast(_ database: YapDatabase) throws {
        try database.newConnection().readWrite { transaction throws in
            // Those with the greatest rowids, which the next row gets.
            for key in ["k18", "k19"] { try transaction.removeObject(forKey: key, inCollection: "c") }
            try transaction.setObject(Item(group: "A", sort: 1, text: "word"), forKey: "new", inCollection: "c")
        }
    }

    @Test func aNewRowHasTheRowidOfARemovedOne() async throws {
        try await run {
            await #expect(processExitsWith: .success) {
                try Self.with(Self.folder.ofParent, lists: Self.register) { try Self.replaceLast($0) }
            }
        }
        try await run {
            await #expect(processExitsWith: .success) {
                try Self.with(Self.folder.ofParent, lists: Self.items) { try Self.replaceLast($0) }
            }
        }
        try await run {
            await #expect(processExitsWith: .success) {
                try Self.with(Self.folder.ofParent, lists: { _ in }) { try Self.replaceLast($0) }
            }
        }
    }

    // MARK: The parent changes and no row does

    private static func registerPins(_ database: YapDatabase) throws {
        try database.register(YapDatabaseManualView(), withName: "pins")
        try database.register(FilteredViewTests.filter(parent: "pins") { $0.text == "word" }, withName: "stored pins")
        try database.register(
            FilteredViewTests.filter(parent: "pins", persistent: false) { $0.text == "word" }, withName: "memory pins")
        try database.register(Item.search(), withName: "search")
        let options = YapDatabaseSearchResultsViewOptions()
        options.isPersistent = false
        let results = YapDatabaseSearchResultsView(
            fullTextSearchName: "search", parentViewName: "pins", versionTag: "1", options: options)
        try database.register(results, withName: "found pins")
        try database.newConnection().readWrite { transaction throws in
            try (transaction.ext("found pins") as! YapDatabaseSearchResultsViewTransaction).performSearch(for: "word")
        }
    }

    private static func pin(_ database: YapDatabase, _ numbers: Range<Int>, unpinned: [String] = []) throws {
        try database.newConnection().readWrite { transaction throws in
            let pins = transaction.ext("pins") as! YapDatabaseManualViewTransaction
            for number in numbers { try pins.addKey("k\(number)", inCollection: "c", toGroup: "g") }
            for key in unpinned { try pins.removeKey(key, inCollection: "c", fromGroup: "g") }
        }
    }

    private func runPins(_ body: @Sendable () async -> Void) async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try Self.open(folder)
        try Self.set(database, 0..<20)
        try Self.registerPins(database)
        try Self.pin(database, 0..<4)
        await body()
        let wanted = ["k2", "k10", "k12"]
        #expect(try Self.keys(database, "stored pins") == wanted)
        #expect(try Self.keys(database, "memory pins") == wanted)
        try await database.waitUntilIdle()
        try Self.set(database, 90..<91)
        #expect(try Self.keys(database, "found pins") == wanted)
        #expect(try Self.keys(database, "stored pins") == wanted)
        let url = database.databaseURL
        try Self.close(database)
        #expect(try YapDatabase.check(url: url) == [])
        let again = try Self.open(folder)
        try Self.registerPins(again)
        #expect(try Self.keys(again, "stored pins") == wanted && Self.keys(again, "memory pins") == wanted)
        try Self.close(again)
    }

    @Test func aProgramWithAllListsPinsRows() async throws {
        try await runPins {
            await #expect(processExitsWith: .success) {
                try Self.with(Self.folder.ofParent, lists: Self.registerPins) {
                    try Self.pin($0, 10..<14, unpinned: ["k0"])
                }
            }
        }
    }

    @Test func aProgramWithoutTheFiltersPinsRows() async throws {
        try await runPins {
            await #expect(processExitsWith: .success) {
                try Self.with(
                    Self.folder.ofParent, lists: { try $0.register(YapDatabaseManualView(), withName: "pins") }
                ) { try Self.pin($0, 10..<14, unpinned: ["k0"]) }
            }
        }
    }

    // MARK: A list is made again, without rows

    @Test func aListThatWasMadeAgainHasNoRowOfBefore() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try Self.open(folder)
        try Self.set(database, 0..<20)
        try Self.items(database)
        #expect(try Self.keys(database, "items")?.count == 20)
        await #expect(processExitsWith: .success) {
            let database = try Self.open(Self.folder.ofParent)
            let connection = try database.newConnection()
            try Self.whileOtherIsStopped { _ in
                try database.unregisterExtension(withName: "items")
                try connection.readWrite { try $0.removeAllObjectsInAllCollections() }
                try Self.items(database)
            }
            try Self.close(database)
        }
        #expect(try Self.keys(database, "items") == [])
        try Self.set(database, 0..<2)
        #expect(try Self.keys(database, "items") == ["k0", "k1"])
        let url = database.databaseURL
        try Self.close(database)
        #expect(try YapDatabase.check(url: url) == [])
    }
}
