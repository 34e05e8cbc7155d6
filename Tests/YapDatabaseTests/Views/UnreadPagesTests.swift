import Foundation
import SQLiteBridge
import TestSupport
import TestTraits
import Testing

@testable import FileEngine
@testable import YapDatabase

/// The pages of a registered view are read by the first transaction that uses them, whatever was committed before.
@Suite(.serialized) struct UnreadPagesTests: SummarizedFiles {
    private static let folder = ProcessFolder("unread")

    private func isUnread(_ database: YapDatabase, _ name: String = "items") -> Bool {
        database.commitLog.latest.entry(name)?.state is UnreadPages
    }

    // MARK: When they are read

    @Test func pagesAreReadWhenTheListIsUsed() throws {
        try withSummary { url, wanted throws in
            try withItems(url) { database throws in
                #expect(isUnread(database))
                let connection = try database.newConnection()
                // Rows that are not in the list, and a commit that writes nothing, which gives the summary another number.
                for step in 0..<3 {
                    try connection.readWrite { try $0.setObject("\(step)", forKey: "\(step)", inCollection: "other") }
                    try connection.readWrite { $0.yapDatabaseModifiedNotificationCustomObject = "nothing" }
                }
                #expect(isUnread(database))
                #expect(try lists(database) == wanted)
                // Out of the summary, although the state has another number.
                let state = database.commitLog.latest.entry("items")?.state
                #expect((state as? ViewState)?.hasSummary == true)
                try connection.readWrite { try $0.setObject("x", forKey: "x", inCollection: "other") }
            }
            // A session that used no list leaves a summary as well.
            try withItems(url) { database throws in
                #expect(isUnread(database))
                try database.newConnection().readWrite { try $0.setObject("y", forKey: "y", inCollection: "other") }
                #expect(isUnread(database))
            }
            try withItems(url) { database throws in
                #expect(isUnread(database))
                #expect(try lists(database) == wanted)
            }
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// A vacuum may give the rows of `yap2` other rowids, so the summary is elsewhere, perhaps where another value was.
    @Test func aSummaryThatWasMovedIsFound() throws {
        try withSummary { url, _ throws in
            try withItems(url, fewest: .max) { database throws in
                let connection = try database.newConnection()
                let found = try #require(try connection.read { try $0.store.foundSummary(ofView: "items") })
                func isRead() throws -> Bool {
                    try connection.read { try $0.store.pageSummary(ofView: "items", found) } != nil
                }
                #expect(try isRead())
                let other = try foreignProgram(url)
                try other.execute("UPDATE yap2 SET rowid = rowid + 1000")
                #expect(try isRead())
                try other.execute(
                    "INSERT INTO yap2 (rowid, extension, key, data) "
                        + "SELECT rowid - 1000, 'none', rowid, zeroblob(100000) FROM yap2")
                #expect(try isRead())
                try other.execute("UPDATE yap2 SET data = 0 WHERE key = 'pagesSnapshot'")
                #expect(try !isRead())
            }
        }
    }

    // MARK: Beside commits

    private typealias Both = [String: Lists]

    /// Two lists, of one collection each.
    private func open(_ url: URL) throws -> YapDatabase {
        let database = try YapDatabase(url: url, options: .forTests)
        database.registerItems()
        for (name, collection) in [("items", "c"), ("twin", "d")] {
            let options = YapDatabaseViewOptions()
            options.allowedCollections = YapWhitelistBlacklist(whitelist: [collection])
            let view = Item.view()
            try database.register(
                YapDatabaseAutoView(grouping: view.grouping, sorting: view.sorting, versionTag: "1", options: options),
                withName: name)
        }
        return database
    }

    private func shown(_ connection: YapDatabaseConnection, _ names: [String] = ["items", "twin"]) throws -> Both {
        try connection.read { transaction throws in
            var both: Both = [:]
            for name in names {
                let view = try #require(transaction.ext(name) as? YapDatabaseViewTransaction)
                var lists: Lists = [:]
                for group in view.allGroups() {
                    try view.iterateKeys(inGroup: group) { _, key, _, _ in lists[group, default: []].append(key) }
                }
                both[name] = lists
            }
            return both
        }
    }

    /// What the rows say.
    private func wanted(_ connection: YapDatabaseConnection) throws -> Both {
        try connection.read { transaction throws in
            var both: Both = [:]
            for (name, collection) in [("items", "c"), ("twin", "d")] {
                var items: [(key: String, item: Item)] = []
                try transaction.iterateKeysAndObjects(inCollection: collection) { (key, item: Item, _) in
                    items.append((key, item))
                }
                both[name] = Dictionary(grouping: items.filter { $0.item.group != nil }) { $0.item.group! }.mapValues {
                    $0.sorted { ($0.item.sort, $0.key) < ($1.item.sort, $1.key) }.map(\.key)
                }
            }
            return both
        }
    }

    private func write(
        _ collection: String, _ count: Int, _ random: inout SplitMix64, _ connection: YapDatabaseConnection
    )
        throws
    {
        try connection.readWrite { transaction throws in
            for _ in 0..<count {
                let key = "k\(Int.random(in: 0..<300, using: &random))"
                if Int.random(in: 0..<4, using: &random) == 0 {
                    try transaction.removeObject(forKey: key, inCollection: collection)
                } else {
                    let group = ["A", "B", nil].randomElement(using: &random)!
                    let item = Item(
                        group: group, sort: Int.random(in: 0..<50, using: &random), text: "\(random.next())")
                    try transaction.setObject(item, forKey: key, inCollection: collection)
                }
            }
        }
    }

    /// Sessions in which lists are used early, late, on an old state or never, beside commits of all kinds, give what the rows say.
    @Test(arguments: Effort.some([UInt64](1...8))) func listsThatAreReadLateAreRight(seed: UInt64) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            var random = SplitMix64(seed: seed)
            let first = try open(url)
            for collection in ["c", "d"] { try write(collection, 400, &random, first.newConnection()) }
            try ViewState.$minSummarizedPages.withValue(1) { try first.close() }
            for session in 0..<5 {
                let database = try open(url)
                let (writer, frozen) = (try database.newConnection(), try database.newConnection())
                #expect(isUnread(database) && isUnread(database, "twin"), "seed \(seed), session \(session)")
                try frozen.jump()
                var atFrozen = try wanted(frozen)
                for step in 0..<Int.random(in: 1...12, using: &random) {
                    let context: Comment = "seed \(seed), session \(session), step \(step)"
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0: #expect(try shown(database.newConnection()) == wanted(database.newConnection()), context)
                    case 1:
                        let name = ["items", "twin"].randomElement(using: &random)!
                        #expect(try shown(frozen, [name])[name] == atFrozen[name], context)
                    case 2:
                        try frozen.jump()
                        atFrozen = try wanted(frozen)
                    case 3: try writer.readWrite { $0.yapDatabaseModifiedNotificationCustomObject = "nothing" }
                    case 4: try writer.readWrite { try $0.setObject("x", forKey: "k", inCollection: "other") }
                    case 5:
                        // A list that is used in a transaction that rolls back.
                        try writer.readWrite { transaction throws in
                            try transaction.removeAllObjects(inCollection: "d")
                            transaction.rollback()
                        }
                    default:
                        let collection = ["c", "d"].randomElement(using: &random)!
                        try write(collection, [1, 10].randomElement(using: &random)!, &random, writer)
                    }
                }
                #expect(try shown(frozen) == atFrozen, "seed \(seed), session \(session)")
                if Bool.random(using: &random) {
                    #expect(try shown(writer) == wanted(writer), "seed \(seed), session \(session)")
                }
                try ViewState.$minSummarizedPages.withValue(1) { try database.close() }
                #expect(try YapDatabase.check(url: url) == [], "seed \(seed), session \(session)")
            }
        }
    }

    /// Another process, with or without the lists, changes rows of a list that this one has registered and not used.
    @Test(arguments: [true, false]) func anotherProcessCommitsBeforeTheyAreRead(isRegistered: Bool) async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let url = folder.appending(path: "t.sqlite")
        var random = SplitMix64(seed: 11)
        let first = try open(url)
        for collection in ["c", "d"] { try write(collection, 400, &random, first.newConnection()) }
        try ViewState.$minSummarizedPages.withValue(1) { try Self.close(first) }
        let database = try open(url)
        #expect(isUnread(database) && isUnread(database, "twin"))
        let frozen = try database.newConnection()
        try Self.jump(frozen)
        let before = try wanted(frozen)
        if isRegistered {
            await #expect(processExitsWith: .success) { try UnreadPagesTests().writeAsAnother(isRegistered: true) }
        } else {
            await #expect(processExitsWith: .success) { try UnreadPagesTests().writeAsAnother(isRegistered: false) }
        }
        // Its own state of the file, in which the pages are as they were.
        #expect(try shown(frozen) == before)
        let connection = try database.newConnection()
        #expect(try wanted(connection)["items"] != before["items"])
        try waitUntil("The lists are right") { try shown(connection) == wanted(connection) }
        try write("c", 20, &random, connection)
        #expect(try shown(connection) == wanted(connection))
        try Self.jump(frozen)
        #expect(try shown(frozen) == wanted(frozen))
        try Self.close(database)
        #expect(try YapDatabase.check(url: url) == [])
    }

    private func writeAsAnother(isRegistered: Bool) throws {
        let url = Self.folder.ofParent.appending(path: "t.sqlite")
        let database = isRegistered ? try open(url) : try YapDatabase(url: url, options: .forTests)
        database.registerItems()
        var random = SplitMix64(seed: 12)
        for _ in 0..<3 { try write("c", 30, &random, database.newConnection()) }
        try database.close()
    }

    private static func close(_ database: YapDatabase) throws { try database.close() }
    private static func jump(_ connection: YapDatabaseConnection) throws { try connection.jump() }

    // MARK: Damage

    private static func damage(_ url: URL) throws {
        // The header is right, the rest is not; and the pages do not follow each other.
        var bytes = try UnreadPagesTests().summaryBytes(url)
        bytes[bytes.count - 1] ^= 1
        try UnreadPagesTests().setSummary(bytes, url)
        try foreignProgram(url).execute("UPDATE view_items_page SET prevPageKey = pageKey")
    }

    /// Rows that a process without the list adds have no place in pages that cannot be read: the list is filled again from the rows.
    @Test func aListThatCannotBeReadIsFilledAgain() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let url = folder.appending(path: "t.sqlite")
        var random = SplitMix64(seed: 13)
        let first = try open(url)
        try write("c", 400, &random, first.newConnection())
        try ViewState.$minSummarizedPages.withValue(1) { try Self.close(first) }
        try Self.damage(url)
        let database = try open(url)
        await #expect(processExitsWith: .success) { try UnreadPagesTests().addAsAnother() }
        let connection = try database.newConnection()
        #expect(try wanted(connection)["items"]?["new"]?.count == 3)
        // It is filled again, and never shown without the new rows.
        try waitUntil("The list is right") {
            let isThere = try connection.syncRead { $0.ext("items") != nil }
            guard isThere, let lists = try? shown(connection, ["items"]) else { return false }
            #expect(try lists["items"] == wanted(connection)["items"])
            return true
        }
        try Self.close(database)
        #expect(try YapDatabase.check(url: url) == [])
    }

    private func addAsAnother() throws {
        let database = try YapDatabase(url: Self.folder.ofParent.appending(path: "t.sqlite"), options: .forTests)
        database.registerItems()
        try database.newConnection().readWrite { transaction throws in
            for number in 0..<3 {
                let item = Item(group: "new", sort: number, text: "")
                try transaction.setObject(item, forKey: "new\(number)", inCollection: "c")
            }
        }
        try database.close()
    }

    /// Pages that cannot be read fail the transactions that use the list, also where a function cannot throw, and no others.
    @Test func pagesThatCannotBeReadFailTheTransaction() throws {
        try withSummary { url, _ throws in
            try Self.damage(url)
            let database = try YapDatabase(url: url, options: .forTests)
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            let (connection, frozen) = (try database.newConnection(), try database.newConnection())
            try frozen.jump()
            func count(_ transaction: YapDatabaseReadTransaction) -> Int {
                (transaction.ext("items") as? YapDatabaseViewTransaction)?.numberOfItemsInAllGroups() ?? -1
            }
            for one in [connection, frozen] {
                for _ in 0..<2 {
                    expectError(.corrupt) { _ = try one.read { count($0) } }
                    // Other reads of the same state.
                    #expect(try one.read { try $0.numberOfKeys(inCollection: "c") } > 0)
                }
            }
            #expect(throws: YapDatabaseError.self) {
                try connection.readWrite { transaction throws in
                    _ = count(transaction)
                    try transaction.setObject("x", forKey: "new", inCollection: "other")
                }
            }
            // A row of the list itself: what was placed is found again until the transaction throws, and the next write throws at once.
            let keys = try connection.read { try $0.allKeys(inCollection: "c") }
            func save(_ sort: Int, _ transaction: YapDatabaseReadWriteTransaction) throws {
                try transaction.setObject(Item(group: "A", sort: sort, text: "x"), forKey: "new", inCollection: "c")
            }
            let result = Result {
                try connection.readWrite { transaction throws in
                    try save(1, transaction)
                    for _ in 0..<3 { #expect(count(transaction) == 1) }
                    #expect(throws: YapDatabaseError.self) { try save(2, transaction) }
                }
            }
            #expect(throws: YapDatabaseError.self) { try result.get() }
            #expect(try connection.read { try $0.allKeys(inCollection: "c") } == keys)
            #expect(try connection.read { try !$0.hasObject(forKey: "new", inCollection: "other") })
            try connection.readWrite { try $0.setObject("x", forKey: "new", inCollection: "other") }
            #expect(try connection.read { try $0.hasObject(forKey: "new", inCollection: "other") })
            try database.close()
            #expect(try YapDatabase.check(url: url) != [])
        }
    }
}
