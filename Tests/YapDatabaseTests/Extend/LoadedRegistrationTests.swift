import Foundation
import ListChanges
import SQLiteBridge
import SeededRandom
import Synchronization
import TestSupport
import Testing

@testable import YapDatabase

/// A program that registers what the file has already writes nothing, and waits for no writer of another program.
@Suite struct LoadedRegistrationTests {
    private static func open(_ url: URL, _ busyTimeout: Int = 200) throws -> YapDatabase {
        var options = YapDatabaseOptions.forTests
        options.busyTimeout = busyTimeout
        let database = try YapDatabase(url: url, options: options)
        database.registerItems()
        return database
    }

    /// The results are in memory.
    private static func extensions() -> [(name: String, extension: YapDatabaseExtension)] {
        [
            ("items", Item.view()), ("filtered", FilteredViewTests.filter { $0.sort % 3 > 0 }), ("fts", Item.search()),
            (
                "results",
                YapDatabaseSearchResultsView(fullTextSearchName: "fts", parentViewName: "items", versionTag: "1")
            ),
        ]
    }

    private static func register(in database: YapDatabase) throws {
        try database.register(extensions())
    }

    private static func fill(_ database: YapDatabase, _ numbers: Range<Int>) throws {
        try database.newConnection().readWrite { transaction throws in
            for number in numbers {
                let item = Item(group: number % 3 == 0 ? "B" : "A", sort: number * 7 % 101, text: "word \(number)")
                try transaction.setObject(item, forKey: "k\(number)", inCollection: "c")
            }
        }
    }

    private static func update(_ mappings: YapDatabaseViewMappings, _ connection: YapDatabaseConnection) throws {
        try connection.read { try mappings.update(with: $0) }
    }

    /// Each list that the state has shows its rows.
    private static func checkLists(_ connection: YapDatabaseConnection, _ seed: UInt64) throws {
        try connection.read { transaction throws in
            let rows = try transaction.numberOfKeys(inCollection: "c")
            for list in ["items", "filtered"] {
                guard let view = transaction.ext(list) as? YapDatabaseViewTransaction else { continue }
                let shown: Int = view.numberOfItemsInAllGroups()
                #expect(list == "items" ? shown == rows : shown <= rows, "seed \(seed)")
            }
        }
    }

    private static func make(_ url: URL) throws {
        let database = try open(url)
        try register(in: database)
        try fill(database, 0..<50)
        try database.close()
    }

    /// Calls the body with a closed file that has the extensions and 50 rows.
    private func withFile(_ body: (URL) throws -> Void) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            try Self.make(url)
            try body(url)
            #expect(try YapDatabase.check(url: url).isEmpty)
        }
    }

    /// The same for a body that waits.
    private func withFile(during body: (URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder async throws in
            let url = folder.appending(path: "t.sqlite")
            try Self.make(url)
            try await body(url)
            #expect(try YapDatabase.check(url: url).isEmpty)
        }
    }

    private func rows(_ database: YapDatabase, _ list: String = "items") throws -> Int {
        try database.newConnection().read {
            ($0.ext(list) as? YapDatabaseViewTransaction)?.numberOfItemsInAllGroups() ?? -1
        }
    }

    @Test func openingAndReadingListsWritesNothing() throws {
        try withFile { url throws in
            let before = try Data(contentsOf: url)
            let database = try Self.open(url)
            let number = database.snapshot
            try Self.register(in: database)
            #expect(try rows(database) == 50)
            #expect(try rows(database, "filtered") > 0)
            #expect(database.snapshot == number)
            #expect((try? Data(contentsOf: database.databaseURL_wal))?.isEmpty ?? true)
            try database.close()
            #expect(try Data(contentsOf: url) == before)
        }
    }

    @Test func aWriterOfAnotherProgramIsNotWaitedFor() throws {
        try withFile { url throws in
            let other = try SQLiteHandle(path: url.path, mode: .readWrite, busyTimeout: 1_000)
            try other.execute("BEGIN IMMEDIATE")
            let database = try Self.open(url)
            try Self.register(in: database)
            #expect(try rows(database) == 50)
            // What has to be filled waits.
            expectError(.locked) { try database.register(Item.view(), withName: "another") }
            try other.execute("ROLLBACK")
            try Self.fill(database, 50..<60)
            #expect(try rows(database) == 60)
            try database.close()
        }
    }

    @Test func oneThatHasToBeFilledIsFilledWithTheOthers() throws {
        try withFile { url throws in
            let database = try Self.open(url)
            let number = database.snapshot
            try database.register(Self.extensions() + [("another", Item.view())])
            #expect(database.snapshot == number + 1)
            #expect(try rows(database) == 50)
            #expect(try rows(database, "another") == 50)
            try database.close()
        }
    }

    @Test func whatFailsRegistersNothingAndSaysWhy() throws {
        try withFile { url throws in
            let database = try Self.open(url)
            expectError(.badExtension, mentioning: "missing") {
                try database.register(
                    Self.extensions() + [("x", FilteredViewTests.filter(parent: "missing") { _ in true })])
            }
            #expect(database.registeredExtensions().isEmpty)
            try Self.register(in: database)
            #expect(try rows(database) == 50)
            try database.close()
        }
    }

    @Test func aConnectionOnTheSameStateFindsTheExtensionsWithItsNextJump() async throws {
        try await withFile(during: { url in
            let database = try Self.open(url)
            let connection = try database.newConnection()
            try connection.jump()
            let commits = database.commits
            try Self.register(in: database)
            #expect(connection.ext("items") == nil)
            #expect(try await connection.read { $0.ext("items") == nil })
            let between = try connection.jump()
            #expect(between.count == 1 && between[0].extensions.isEmpty && !between[0].isExternal)
            #expect(between[0].snapshot == database.snapshot)
            #expect(try await connection.read { $0.ext("items") != nil })
            #expect(try connection.jump().isEmpty)
            // The registration is announced like a commit.
            var iterator = commits.makeAsyncIterator()
            #expect(await iterator.next()?.snapshot == database.snapshot)

            try database.close()
        })
    }

    @Test func aListThatIsShownIsNotConcernedByTheNextOne() throws {
        try withFile { url throws in
            let database = try Self.open(url)
            try database.register([Self.extensions()[0]])
            let connection = try database.newConnection()
            try connection.jump()
            let view = try #require(connection.ext("items") as? YapDatabaseViewConnection)
            let mappings = YapDatabaseViewMappings(groups: ["A", "B"], view: "items")
            try Self.update(mappings, connection)
            try database.register(Array(Self.extensions()[1...]))
            let commits = try connection.jump()
            #expect(try commits.count == 1 && view.outcome(for: commits, with: mappings) == .none)
            #expect(connection.ext("filtered") != nil)
            try Self.fill(database, 50..<51)
            let outcome = try view.outcome(for: connection.jump(), with: mappings)
            #expect(outcome.changeSet?.rowChanges.count == 1)
            try database.close()
        }
    }

    @Test func whoWaitsForAnExtensionGetsIt() async throws {
        try await withFile(during: { url in
            let database = try Self.open(url)
            async let waited = database.waitForExtension("items")
            // So that it mostly waits by then; it has to end either way.
            try await Task.sleep(for: .milliseconds(20))
            try await database.register(Self.extensions())
            #expect(try await waited is YapDatabaseAutoView)
            try await database.waitUntilIdle()
            try database.close()
        })
    }

    /// Registrations on one thread, writes on another one, reads on a third: no write misses a list, and no reader sees a list without its rows.
    @Test(arguments: 0..<8) func noWriteMissesAListThatIsLoadedMeanwhile(seed: UInt64) throws {
        try withFile { url throws in
            var random = SplitMix64(seed: seed)
            var number = 50
            for _ in 0..<5 {
                let database = try Self.open(url, 5_000)
                let (isDone, threads, first) = (Flag(), DispatchGroup(), number)
                let written = Locked(first)
                DispatchQueue.global().async(group: threads) {
                    while !isDone.value.load(ordering: .acquiring) {
                        let number = written.withLock { $0 }
                        #expect(throws: Never.self) { try Self.fill(database, number..<number + 1) }
                        written.withLock { $0 = number + 1 }
                    }
                }
                DispatchQueue.global().async(group: threads) {
                    #expect(throws: Never.self) {
                        let connection = try database.newConnection()
                        while !isDone.value.load(ordering: .acquiring) { try Self.checkLists(connection, seed) }
                    }
                }
                for one in Self.extensions() {
                    usleep(UInt32(random.below(3_000)))
                    try database.register([one])
                }
                usleep(3_000)
                isDone.value.store(true, ordering: .releasing)
                try threads.wait(for: "The writer and the reader have ended")
                number = written.withLock { $0 }
                #expect(try rows(database) == number, "seed \(seed)")
                try database.close()
            }
        }
    }

    private static let folder = ProcessFolder("loaded")

    /// Each session registers while another process commits, and readers load what it commits.
    @Test func listsAreRightWhereTheyAreLoadedBesideAnotherProcess() async throws {
        let url = try Self.folder.make().appending(path: "t.sqlite")
        defer { Self.folder.remove() }
        try Self.make(url)
        let isDone = Flag()
        let sessions = Task.detached { try Self.open(url, again: isDone) }
        await #expect(processExitsWith: .success) {
            let database = try Self.open(Self.folder.ofParent.appending(path: "t.sqlite"), 5_000)
            try Self.register(in: database)
            for number in 50..<350 {
                try Self.fill(database, number..<number + 1)
                usleep(500)
            }
            try database.close()
        }
        isDone.value.store(true, ordering: .releasing)
        #expect(try await sessions.value > 0)
        #expect(try YapDatabase.check(url: url).isEmpty)
    }

    /// - Returns: how often.
    private static func open(_ url: URL, again isDone: Flag) throws -> Int {
        var count = 0
        while !isDone.value.load(ordering: .acquiring) {
            let database = try open(url, 5_000)
            let (isOver, readers, number) = (Flag(), DispatchGroup(), UInt64(count))
            DispatchQueue.global().async(group: readers) {
                #expect(throws: Never.self) {
                    let connection = try database.newConnection()
                    while !isOver.value.load(ordering: .acquiring) { try checkLists(connection, number) }
                }
            }
            for one in extensions() { try database.register([one]) }
            try checkLists(database.newConnection(), number)
            usleep(2_000)
            isOver.value.store(true, ordering: .releasing)
            try readers.wait(for: "The reader has ended")
            try database.close()
            count += 1
        }
        return count
    }
}
