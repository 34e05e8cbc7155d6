import Foundation
import ListChanges
import SQLiteBridge
import Synchronization
import TestSupport
import Testing

@testable import YapDatabase

/// A process that registers nothing writes beside one that has lists, an index and a search: these are right at each moment.
@Suite(.serialized) struct ListsBesideStrangersTests {
    private static let folder = ProcessFolder("strangers")
    private static let calls = Locked(0)

    private static func open(_ folder: URL) throws -> YapDatabase {
        let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
        database.registerItems()
        return database
    }

    private static func register(in database: YapDatabase) throws {
        let options = YapDatabaseViewOptions()
        options.allowedCollections = YapWhitelistBlacklist(whitelist: ["c", "d"])
        let view = Item.view(onBlock: { calls.withLock { $0 += 1 } })
        try database.register(
            YapDatabaseAutoView(grouping: view.grouping, sorting: view.sorting, versionTag: "1", options: options),
            withName: "items")
        try database.register(FilteredViewTests.filter { $0.sort % 3 > 0 }, withName: "filtered")
        try database.register(Item.search(), withName: "fts")
        try database.register(
            YapDatabaseSearchResultsView(fullTextSearchName: "fts", parentViewName: "items", versionTag: "1"),
            withName: "results")
        try database.register(Item.view(persistent: false), withName: "memory")
    }

    private static func fill(_ database: YapDatabase, _ count: Int) throws {
        try database.newConnection().readWrite { transaction in
            for number in 0..<count { try transaction.setObject(item(number), forKey: "k\(number)", inCollection: "c") }
            try transaction.results().performSearch(for: "word")
        }
    }

    private static func item(_ number: Int) -> Item {
        Item(group: number % 3 == 0 ? "B" : "A", sort: number * 7 % 101, text: number % 2 == 0 ? "word" : "other")
    }

    // MARK: Another process of the library

    @Test func commitsElsewhereInTheFileConcernNoList() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try Self.open(folder)
        try Self.register(in: database)
        try Self.fill(database, 300)
        let isDone = Atomic(false)
        let before = Self.calls.withLock { $0 }
        async let reads = Self.readAllTheTime(database, 300, until: isDone)
        await #expect(processExitsWith: .success) { try Self.writeElsewhere(collection: "other") }
        isDone.store(true, ordering: .releasing)
        #expect(try await reads > 0)
        let connection = try database.newConnection()
        #expect(try await connection.read { try $0.numberOfKeys(inCollection: "other") } == 40)
        // No block was called for it, and no view was marked as stale.
        for name in ["items", "filtered"] {
            #expect(try await connection.read { try $0.store.registeredExtension(name)?.isStale } == false, "\(name)")
        }
        try waitUntil("The search is complete") { try connection.syncRead { !$0.snapshot.isBehind } }
        // The view in memory may have rows of any collection.
        #expect(Self.calls.withLock { $0 } - before < 200)
        try Self.checkAndClose(database)
    }

    private static func writeElsewhere(collection: String) throws {
        let database = try open(folder.ofParent)
        let connection = try database.newConnection()
        for number in 0..<40 {
            try connection.readWrite { try $0.setObject("\(number)", forKey: "x\(number)", inCollection: collection) }
        }
        try database.close()
    }

    private static func readAllTheTime(
        _ database: YapDatabase, _ count: Int, until isDone: borrowing Atomic<Bool>
    ) async throws -> Int {
        let connection = try database.newConnection()
        var reads = 0
        while !isDone.load(ordering: .acquiring) {
            try connection.syncRead { transaction throws in
                for name in ["items", "memory"] {
                    let view = try #require(transaction.ext(name) as? YapDatabaseViewTransaction, "\(name) is missing")
                    #expect(view.numberOfItemsInAllGroups() >= count, "\(name)")
                }
                #expect(try transaction.results().numberOfItemsInAllGroups() > 0)
                #expect(transaction.ext("filtered") != nil && transaction.ext("fts") != nil)
            }
            reads += 1
            await Task.yield()
        }
        return reads
    }

    /// The law, and at each moment the rows that belong there.
    @Test func listsFollowAProcessThatHasNone() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try Self.open(folder)
        try Self.register(in: database)
        try Self.fill(database, 200)
        let isDone = Atomic(false)
        async let seen: Void = Self.follow(database, until: isDone)
        await #expect(processExitsWith: .success) { try Self.writeAtRandom() }
        isDone.store(true, ordering: .releasing)
        try await seen
        // What is complete in memory is stored with the close, so nothing is filled again.
        try Self.checkAndClose(database)
        let again = try Self.open(folder)
        let before = Self.calls.withLock { $0 }
        let options = YapDatabaseViewOptions()
        options.allowedCollections = YapWhitelistBlacklist(whitelist: ["c", "d"])
        let view = Item.view(onBlock: { Self.calls.withLock { $0 += 1 } })
        try await again.register(
            YapDatabaseAutoView(grouping: view.grouping, sorting: view.sorting, versionTag: "1", options: options),
            withName: "items")
        #expect(Self.calls.withLock { $0 } == before)
        try again.close()
    }

    private static func follow(_ database: YapDatabase, until isDone: borrowing Atomic<Bool>) async throws {
        let followers = try ["items", "filtered", "memory", "results"].map {
            try ListFollower(database, view: $0, groups: ["A", "B"])
        }
        let (own, checker) = (try database.newConnection(), try database.newConnection())
        #expect(FileManager.default.createFile(atPath: folder.own.appending(path: "followed").path, contents: nil))
        var turns = 0
        while true {
            let wasDone = isDone.load(ordering: .acquiring)
            turns += 1
            if turns % 50 == 0 {
                try await own.write {
                    try $0.setObject(Item(group: "A", sort: 1, text: "word"), forKey: "own", inCollection: "c")
                }
            }
            for follower in followers { try follower.advance("\(follower.mappings.view)") }
            try checker.syncRead { try checkLists($0) }
            if wasDone { break }
            await Task.yield()
        }
        try await own.write { try $0.removeObject(forKey: "own", inCollection: "c") }
        try waitUntil("The search is complete") { try checker.syncRead { !$0.snapshot.isBehind } }
        for follower in followers { try follower.advance("\(follower.mappings.view)") }
        try checker.syncRead { try checkLists($0, withSearch: true) }
        for follower in followers {
            #expect(follower.changes > 0 && follower.reloads == 0, "\(follower.mappings.view)")
            let rows = try database.newConnection().syncRead { try keys($0, follower.mappings.view) }
            #expect(follower.rows.sections.map(\.rows).flatMap { $0 }.map(\.key) == rows["A"]! + rows["B"]!)
        }
    }

    private static func keys(_ transaction: YapDatabaseReadTransaction, _ name: String) throws -> [String: [String]] {
        let view = try #require(transaction.ext(name) as? YapDatabaseViewTransaction, "\(name) is missing")
        var keys: [String: [String]] = ["A": [], "B": []]
        for group in view.allGroups() {
            var found: [String] = []
            try view.iterateKeys(inGroup: group) { _, key, _, _ in found.append(key) }
            #expect(found.count == view.numberOfItems(inGroup: group), "\(name), \(group)")
            keys[group] = found
        }
        return keys
    }

    /// What the lists should have in this very state.
    private static func checkLists(_ transaction: YapDatabaseReadTransaction, withSearch: Bool = false) throws {
        var items: [(key: String, item: Item)] = []
        for collection in ["c", "d"] {
            try transaction.iterateKeysAndObjects(inCollection: collection) { (key, item: Item, _) in
                items.append((key, item))
            }
        }
        items.sort { ($0.item.sort, $0.key) < ($1.item.sort, $1.key) }
        func expected(_ isIncluded: (Item) -> Bool) -> [String: [String]] {
            var expected: [String: [String]] = ["A": [], "B": []]
            for (key, item) in items where isIncluded(item) { expected[item.group!, default: []].append(key) }
            return expected
        }
        let (all, some) = (expected { _ in true }, expected { $0.sort % 3 > 0 })
        let number = transaction.snapshot.number
        #expect(try keys(transaction, "items") == all, "items in \(number)")
        #expect(try keys(transaction, "memory") == all, "memory in \(number)")
        #expect(try keys(transaction, "filtered") == some, "filtered in \(number)")
        guard withSearch else { return _ = try keys(transaction, "results") }
        #expect(try keys(transaction, "results") == expected { $0.text == "word" }, "results in \(number)")
    }

    private static func writeAtRandom() throws {
        let database = try open(folder.ofParent)
        let connection = try database.newConnection()
        let isFollowed = folder.ofParent.appending(path: "followed").path
        try waitUntil("The other follows") { FileManager.default.fileExists(atPath: isFollowed) }
        var random = SplitMix64(seed: UInt64(getpid()))
        print("seed \(getpid())")
        for number in 0..<150 {
            try connection.readWrite { transaction in
                if number == 100 { try transaction.removeAllObjects(inCollection: "d") }
                if number == 120 { try transaction.removeAllObjectsInAllCollections() }
                for _ in 0..<Int.random(in: 1...(number % 30 == 0 ? 80 : 4), using: &random) {
                    let key = "k\(Int.random(in: 0..<250, using: &random))"
                    let collection = Int.random(in: 0..<8, using: &random) == 0 ? "d" : "c"
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0, 1: try transaction.removeObject(forKey: key, inCollection: "c")
                    default:
                        let keyOfCollection = collection == "d" ? "d\(key)" : key
                        let item = item(Int.random(in: 0..<1_000, using: &random))
                        try transaction.setObject(item, forKey: keyOfCollection, inCollection: collection)
                    }
                }
            }
            if number % 3 == 0 { usleep(2_000) }
        }
        try database.close()
    }

    private static func checkAndClose(_ database: YapDatabase) throws {
        let url = database.databaseURL
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
        let handle = try foreignProgram(url)
        let stale = try handle.statement("SELECT count(*) FROM yap2 WHERE data LIKE 'stale:%'")
        defer { stale.reset() }
        #expect(try stale.step() && stale.int64(at: 0) == 0)
    }

    // MARK: A program that knows only SQLite

    @Test(arguments: [50, 3_000]) func listsFollowAProgramThatKnowsOnlySQLite(count: Int) async throws {
        try await withTemporaryDatabase { database in
            database.registerItems()
            try Self.register(in: database)
            try Self.fill(database, count)
            let followers = try ["items", "filtered", "memory", "results"].map {
                try ListFollower(database, view: $0, groups: ["A", "B"])
            }
            let (reader, handle) = (try database.newConnection(), try foreignProgram(database.databaseURL))
            func write(_ sql: String, _ item: Item) throws {
                let statement = try handle.statement(sql)
                defer { statement.reset() }
                try statement.bind([UInt8](YapDatabaseCodableFormat.propertyList.encode(item)), at: 1)
                try statement.run()
            }
            let steps: [() throws -> Void] = [
                { try handle.execute("CREATE TABLE x(a)") },
                { try write("INSERT INTO database2 (collection, key, data) VALUES ('c', 'new', ?)", Self.item(4)) },
                { try write("UPDATE database2 SET data = ? WHERE key = 'k7'", Self.item(60)) },
                { try handle.execute("DELETE FROM database2 WHERE key = 'k8'") },
                {
                    try handle.execute("DELETE FROM database2 WHERE key = 'new'")
                    try write("INSERT INTO database2 (collection, key, data) VALUES ('d', 'other', ?)", Self.item(8))
                },
            ]
            for (number, step) in steps.enumerated() {
                try step()
                try waitUntil("The lists are right again") {
                    try reader.syncRead { transaction in
                        for name in ["items", "filtered", "memory", "results"] { _ = try Self.keys(transaction, name) }
                        return !transaction.snapshot.isBehind
                    }
                }
                try reader.syncRead { try Self.checkLists($0, withSearch: true) }
                for follower in followers { try follower.advance("\(follower.mappings.view), step \(number)") }
            }
            // Nothing tells what such a program changed: the rows that are shown are compared, and never is a list without its rows.
            for follower in followers {
                #expect(follower.reloads == 0 && follower.changes > 0, "\(follower.mappings.view)")
            }
        }
    }

    /// Rows come, go, change and move; rowids and keys are used again. Each change-set leads from what was shown to what is, and names the
    /// rows whose stored bytes changed, and no others.
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func aCoordinatorIsExactBesideAProgramThatKnowsOnlySQLite(
        seed: UInt64
    ) async throws {
        try await withTemporaryDatabase { database in
            var random = SplitMix64(seed: seed)
            database.registerItems()
            try Self.register(in: database)
            try Self.fill(database, 40)
            let followers = try ["items", "filtered", "memory"].map {
                try ListFollower(database, view: $0, groups: ["A", "B"])
            }
            if seed % 2 == 0 { for follower in followers { try follower.show(last: 6, ofGroup: "A") } }
            let (reader, handle) = (try database.newConnection(), try foreignProgram(database.databaseURL))
            var last = try reader.syncRead { try Self.storedRows($0) }
            for step in 0..<Effort.cases(100) {
                try handle.execute("BEGIN IMMEDIATE")
                for _ in 0...random.below(4) { try Self.writeRandomRow(handle, &random) }
                try handle.execute("COMMIT")
                try waitUntil("The lists are right again") { try reader.syncRead { !$0.snapshot.isBehind } }
                let stored = try reader.syncRead { try Self.storedRows($0) }
                for follower in followers {
                    let before = follower.rows
                    let context: Comment = "\(follower.mappings.view), seed \(seed), step \(step)"
                    let changes = try follower.advance(context)?.rowChanges ?? []
                    #expect(follower.reloads == 0, context)
                    let flags = Dictionary(uniqueKeysWithValues: changes.map { ($0.key!, $0) })
                    for key in follower.rows.sections.flatMap(\.rows) where before.paths[key] != nil {
                        let change = flags[key]
                        #expect(
                            (last[key]!.object != stored[key]!.object) == (change?.flags.contains(.object) ?? false),
                            context)
                        #expect(
                            (last[key]!.metadata != stored[key]!.metadata)
                                == (change?.flags.contains(.metadata) ?? false), context)
                    }
                }
                last = stored
            }
            #expect(followers.allSatisfy { $0.changes > 0 })
        }
    }

    private static func writeRandomRow(_ handle: SQLiteHandle, _ random: inout SplitMix64) throws {
        let id = random.below(60)
        if random.percent(50) { try handle.execute("DELETE FROM database2 WHERE key = 'k\(id)'") }
        if random.percent(20) { return }
        let statement = try handle.statement(
            """
            INSERT INTO database2 (collection, key, data, metadata) VALUES ('c', 'k\(id)', ?, ?) \
            ON CONFLICT (collection, key) DO UPDATE SET data = excluded.data, metadata = excluded.metadata
            """)
        defer { statement.reset() }
        let object = try YapDatabaseCodableFormat.propertyList.encode(item(random.below(12)))
        try statement.bind([UInt8](object), at: 1)
        let metadata = try YapDatabaseCodableFormat.propertyList.encode(item(random.below(2)))
        try statement.bind([UInt8](metadata), at: 2)
        try statement.run()
    }

    private static func storedRows(
        _ transaction: YapDatabaseReadTransaction
    ) throws -> [RowKey: (object: [UInt8], metadata: [UInt8])] {
        let rows = try transaction.store.all("SELECT key, data, metadata FROM database2 WHERE collection = 'c'") {
            (RowKey(collection: "c", key: $0.text(at: 0) ?? ""), (object: $0.bytes(at: 1), metadata: $0.bytes(at: 2)))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// One update with the rows as they are, and never an empty one.
    @Test func aStreamSaysWhatAProgramThatKnowsOnlySQLiteDid() async throws {
        try await withTemporaryDatabase { database in
            let novels = Novel.all
            let list = try await database.register(YapList("titles", of: novels, sortedBy: .ascending(\.title)))
            let connection = try database.newConnection()
            try await connection.write { transaction in
                for (id, title) in ["a", "b", "c", "d"].enumerated() { try transaction[novels].save(Novel(id, title)) }
            }
            var updates = connection.updates(of: list).makeAsyncIterator()
            #expect(try await updates.next()?.rows.map(\.title) == ["a", "b", "c", "d"])
            let handle = try foreignProgram(database.databaseURL)
            try handle.execute("DELETE FROM database2 WHERE key = '1'")
            let update = try #require(try await updates.next())
            #expect(update.rows.map(\.title) == ["a", "c", "d"])
            guard case .changes(let changes) = update.outcome else {
                Issue.record("\(update.outcome)")
                return
            }
            #expect(
                changes.rowChanges.map(\.type) == [.delete]
                    && changes.rowChanges[0].before == RowPath(section: 0, row: 1))
        }
    }

    /// Rows come, go, change and move; rowids and keys are used again. Each update has the rows that are stored, and its change-set leads
    /// there from the update before and names each row whose value changed, and no other.
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func aStreamIsExactBesideAProgramThatKnowsOnlySQLite(
        seed: UInt64
    ) async throws {
        try await withTemporaryDatabase { database in
            var random = SplitMix64(seed: seed)
            let list = try await database.register(YapList("titles", of: Novel.all, sortedBy: .ascending(\.title)))
            let connection = try database.newConnection()
            var stored: [Int: Novel] = [:]
            for id in 0..<30 { stored[id] = Novel.random(id, &random) }
            try await connection.write { [stored] in for novel in stored.values { try $0[Novel.all].save(novel) } }
            let shown = seed % 2 == 0 ? YapShown.last(8) : .all
            var updates = connection.updates(of: list, shown).makeAsyncIterator()
            var before = try #require(try await updates.next()).sections
            let handle = try foreignProgram(database.databaseURL)
            for step in 0..<Effort.cases(100) {
                let last = stored
                try handle.execute("BEGIN IMMEDIATE")
                for _ in 0...random.below(4) {
                    let id = random.below(40)
                    try handle.execute("DELETE FROM database2 WHERE key = '\(id)'")
                    stored[id] = nil
                    if random.percent(30) { continue }
                    let novel = Novel.random(id, &random)
                    stored[id] = novel
                    let statement = try handle.statement(
                        "INSERT INTO database2 (collection, key, data) VALUES ('novels', '\(id)', ?)")
                    try statement.bind([UInt8](YapDatabaseCodableFormat.propertyList.encode(novel)), at: 1)
                    try statement.run()
                }
                try handle.execute("COMMIT")
                func rows(_ novels: [Int: Novel]) -> [String] {
                    let titles = novels.values.map(\.title).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                    return seed % 2 == 0 ? titles.suffix(8) : titles
                }
                if last == stored { continue }
                // What is not shown is no update: the stream goes on with the next one.
                if seed % 2 == 0, rows(last) == rows(stored) { continue }
                while before.flatMap(\.rows).map(\.title) != rows(stored) {
                    let update = try #require(try await updates.next())
                    let context: Comment = "seed \(seed), step \(step)"
                    guard case .changes(let changes) = update.outcome else {
                        Issue.record("\(update.outcome): \(context)")
                        return
                    }
                    // Rows that are not named stay; the others are taken from the update.
                    var found = before
                    try changes.apply(to: &found) { update.sections[$0.section].rows[$0.row] }
                    #expect(found.map(\.rows) == update.sections.map(\.rows), context)
                    let values = Dictionary(uniqueKeysWithValues: before.flatMap(\.rows).map { ($0.id, $0) })
                    for change in changes.rowChanges where change.type == .update {
                        let novel = update.sections[change.after!.section].rows[change.after!.row]
                        #expect(values[novel.id] != novel, context)
                    }
                    before = update.sections
                }
            }
        }
    }

    /// What such a program committed a moment before the close, which nothing here has noticed yet, is in the lists that the close leaves.
    @Test func closingKnowsACommitThatWasNotNoticedYet() throws {
        for _ in 0..<10 {
            try withTemporaryDatabase { database in
                try database.register(YapList("titles", of: Novel.all, sortedBy: .ascending(\.title)))
                try database.newConnection().readWrite { try $0[Novel.all].save((0..<3).map { Novel($0, "t\($0)") }) }
                try foreignProgram(database.databaseURL).execute("DELETE FROM database2 WHERE key = '1'")
            }
        }
    }

    /// A program without lists is followed by one that registers the same list and stores what is complete in memory here.
    @Test func aStreamGoesOnWhenAnotherProcessStoresTheList() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
        let list = try await database.register(YapList("titles", of: Novel.all, sortedBy: .ascending(\.title)))
        let connection = try database.newConnection()
        try await connection.write { transaction in
            for id in 0..<2_000 { try transaction[Novel.all].save(Novel(id, "t\(10_000 + id)")) }
        }
        var updates = connection.updates(of: list, .last(5)).makeAsyncIterator()
        #expect(try await updates.next()?.rows.last?.title == "t11999")
        await #expect(processExitsWith: .success) { try Self.writeNovels(20_000, registers: false) }
        while try await updates.next()?.rows.last?.title != "t20099" {}
        await #expect(processExitsWith: .success) { try Self.writeNovels(30_000, registers: true) }
        while try await updates.next()?.rows.last?.title != "t30099" {}
        try database.close()
        #expect(try YapDatabase.check(url: database.databaseURL) == [])
    }

    private static func writeNovels(_ first: Int, registers: Bool) throws {
        let database = try YapDatabase(url: folder.ofParent.appending(path: "t.sqlite"), options: .forTests)
        if registers {
            try database.register(YapList("titles", of: Novel.all, sortedBy: .ascending(\.title)))
        }
        let connection = try database.newConnection()
        for id in first..<first + 100 {
            try connection.readWrite { try $0[Novel.all].save(Novel(id, "t\(id)")) }
            usleep(500)  // the pace of a program
        }
        try database.close()
    }
}
