import Foundation
import ListChanges
import Synchronization
import TestSupport
import Testing

@testable import YapDatabase

/// Another process writes while this one follows a list: the change-sets are as exact as those of its own commits.
@Suite(.serialized) struct ForeignChangeSetTests {
    /// Under attack it goes on until so many change-sets were exact.
    private static let wantedChanges = ProcessInfo.processInfo.environment["YAP_ATTACK_SECONDS"] == nil ? 0 : 100_000
    private static let transactions = wantedChanges > 0 ? 10_000_000 : 300

    private static let folder = ProcessFolder("foreign")

    @Test func aListFollowsTheWritesOfAnotherProcessExactly() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let url = folder.appending(path: "t.sqlite")
        let database = try YapDatabase(url: url, options: .forTests)
        database.registerItems()
        try await database.register(Item.view(), withName: "items")

        let isDone = Atomic(false)
        async let seen = Self.follow(database, until: isDone)
        await #expect(processExitsWith: .success) { try Self.writeElsewhere() }
        isDone.store(true, ordering: .releasing)
        let (changes, reloads) = try await seen

        #expect(changes > 0)
        // The other process registers the view, which tells of no rows.
        #expect(reloads <= 1 + changes / 10_000, "\(reloads) of \(changes + reloads) jumps were reloads.")
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
        // What processes tell each other is gone with the last but one of them.
        #expect(try tables(of: url) == ["database2", "view_items_map", "view_items_page", "yap2"])
    }

    /// A view in memory is rebuilt after a commit of another process that may concern it. What the rebuilding commits concerns no
    /// view of the other process, or the two would answer each other for ever.
    @Test func viewsInMemoryOfTwoProcessesComeToRest() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let url = folder.appending(path: "t.sqlite")
        let database = try YapDatabase(url: url, options: .forTests)
        database.registerItems()
        try await database.register(Item.view(persistent: false), withName: "items")
        await #expect(processExitsWith: .success) { try Self.restElsewhere() }
        let connection = try database.newConnection()
        // A commit for each registration, two for rows, and a rebuilding for each of the others' commits.
        try waitUntil("The view is rebuilt") {
            try connection.read { ($0.ext("items") as? YapDatabaseViewTransaction)?.numberOfItemsInAllGroups() == 2 }
        }
        #expect(database.snapshot < 20)
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }

    private static func restElsewhere() throws {
        let database = try YapDatabase(url: folder.ofParent.appending(path: "t.sqlite"), options: .forTests)
        database.registerItems()
        try database.register(Item.view(persistent: false), withName: "items")
        let connection = try database.newConnection()
        for number in 0..<2 {
            try connection.syncReadWrite {
                try $0.setObject(Item(group: "A", sort: number, text: ""), forKey: "\(number)", inCollection: "c")
            }
            // Time is the subject: the rebuildings of both would answer each other.
            usleep(500_000)
        }
        try waitUntil("The view has both rows") {
            try connection.read { ($0.ext("items") as? YapDatabaseViewTransaction)?.numberOfItemsInAllGroups() } == 2
        }
        try database.close()
    }

    /// A view in memory that shows no search costs no commit when another process writes.
    @Test func whereNothingIsSearchedForNothingIsRebuilt() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let url = folder.appending(path: "t.sqlite")
        let database = try YapDatabase(url: url, options: .forTests)
        try Self.registerSearch(in: database)
        await #expect(processExitsWith: .success) { try Self.writeSearchedRows() }
        let last = try #require(Int(try String(contentsOf: folder.appending(path: "last"), encoding: .utf8)))
        let connection = try database.newConnection()
        // A rebuilding would come soon: time is the subject.
        usleep(500_000)
        #expect(try await connection.read { try $0.numberOfKeys(inCollection: "c") } == 20)
        #expect(database.snapshot == last)
        // And the search finds what came meanwhile, and follows from then on.
        try await connection.readWrite { try $0.results().performSearch(for: "word") }
        #expect(try await connection.read { try $0.results().numberOfItemsInAllGroups() } == 20)
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }

    private static func registerSearch(in database: YapDatabase) throws {
        database.registerItems()
        try database.register(Item.search(), withName: "fts")
        try database.register(
            YapDatabaseSearchResultsView(
                fullTextSearchName: "fts", grouping: .withKeyBlock { _, _, _ in "all" },
                sorting: .withKeyBlock { _, _, _, a, _, b in
                    a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
                },
                versionTag: "1"), withName: "results")
    }

    private static func writeSearchedRows() throws {
        let database = try YapDatabase(url: folder.ofParent.appending(path: "t.sqlite"), options: .forTests)
        try registerSearch(in: database)
        let connection = try database.newConnection()
        for number in 0..<20 {
            try connection.syncReadWrite {
                try $0.setObject(Item(group: "A", sort: number, text: "word"), forKey: "\(number)", inCollection: "c")
            }
            // Its pace: each commit is one for the other process.
            usleep(20_000)
        }
        try Data("\(connection.snapshot)".utf8).write(to: folder.ofParent.appending(path: "last"))
        try database.close()
    }

    private static func writeElsewhere() throws {
        let database = try YapDatabase(url: folder.ofParent.appending(path: "t.sqlite"), options: .forTests)
        database.registerItems()
        try database.register(Item.view(), withName: "items")
        let connection = try database.newConnection()
        let isFollowed = folder.ofParent.appending(path: "followed").path
        try waitUntil("The other follows") { FileManager.default.fileExists(atPath: isFollowed) }
        var random = SplitMix64(seed: 77)
        for number in 0..<transactions {
            try connection.readWrite { transaction in
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let key = "k\(Int.random(in: 0..<30, using: &random))"
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        try transaction.removeObject(forKey: key, inCollection: "c")
                    } else {
                        let item = Item(
                            group: ["A", "B"].randomElement(using: &random)!,
                            sort: Int.random(in: 0..<50, using: &random), text: "\(number)")
                        try transaction.setObject(item, forKey: key, inCollection: "c")
                    }
                }
            }
            // Its pace and that of the other: sometimes one commit, sometimes several have come.
            if number % 2 == 0 { usleep(wantedChanges > 0 ? 1_000 : 4_000) }
            if number % 100 == 0,
                FileManager.default.fileExists(atPath: folder.ofParent.appending(path: "enough").path)
            {
                break
            }
        }
        try database.close()
    }

    private static func follow(
        _ database: YapDatabase, until isDone: borrowing Atomic<Bool>
    ) async throws -> (changes: Int, reloads: Int) {
        let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
        let mappings = YapDatabaseViewMappings(groups: ["A", "B"], view: "items")
        mappings.setIsDynamicSection(true, forGroup: "A")
        mappings.setRangeOptions(.flexibleRange(withLength: 5, offset: 0, from: .end), forGroup: "B")
        try coordinator.follow(mappings)
        let own = try database.newConnection()
        var before = try coordinator.rows(mappings)
        #expect(
            FileManager.default.createFile(atPath: folder.own.appending(path: "followed").path, contents: nil)
        )
        var (changes, reloads, turns) = (0, 0, 0)
        while true {
            let wasDone = isDone.load(ordering: .acquiring)
            turns += 1
            if turns % 40 == 0 {
                // Commits of our own in between, so that the chain of records is mixed.
                try await own.write {
                    try $0.setObject(Item(group: "A", sort: 1, text: ""), forKey: "own", inCollection: "c")
                }
            }
            let outcome = try coordinator.advance()[0].outcome
            let after = try coordinator.rows(mappings)
            switch outcome {
            case .none: #expect(before == after)
            case .reload: reloads += 1
            case .changes(let set):
                changes += 1
                #expect(try set.applying(to: before, inserted: { after[$0] }) == after)
            }
            before = after
            if wasDone { return (changes, reloads) }
            if wantedChanges > 0, changes == wantedChanges {
                print("attack change-sets between processes: \(changes) exact, \(reloads) reloads")
                try Data().write(to: folder.own.appending(path: "enough"))
            }
            if wantedChanges == 0 { try await Task.sleep(for: .milliseconds(2)) }
        }
    }
}
