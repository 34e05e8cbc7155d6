import Foundation
import ListChanges
import Synchronization
import TestSupport
import Testing

@testable import YapDatabase

/// Another process writes, changes filter and order and edits by hand: the change-sets of filtered and manual views are as exact
/// as those of own commits.
@Suite(.serialized) struct ForeignFilteredViewTests {
    private static let folder = ProcessFolder("foreign-filtered")

    private static func open(in folder: URL) throws -> YapDatabase {
        let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
        database.registerItems()
        try database.register(Item.view(), withName: "items")
        try database.register(FilteredViewTests.filter { $0.sort % 3 > 0 }, withName: "filtered")
        try database.register(FilteredViewTests.filter(parent: "filtered") { $0.sort % 3 > 1 }, withName: "twice")
        try database.register(YapDatabaseManualView(), withName: "manual")
        return database
    }

    @Test func listsFollowTheWritesOfAnotherProcessExactly() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try Self.open(in: folder)
        let isDone = Atomic(false)
        async let seen: Void = Self.follow(database, until: isDone)
        await #expect(processExitsWith: .success) { try Self.writeElsewhere() }
        isDone.store(true, ordering: .releasing)
        try await seen
        let url = database.databaseURL
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }

    private static func follow(_ database: YapDatabase, until isDone: borrowing Atomic<Bool>) async throws {
        let followers = try ["filtered", "twice", "manual"].map {
            try ListFollower(database, view: $0, groups: ["A", "B"])
        }
        #expect(
            FileManager.default.createFile(atPath: folder.own.appending(path: "followed").path, contents: nil)
        )
        while true {
            let wasDone = isDone.load(ordering: .acquiring)
            for follower in followers { try follower.advance("\(follower.mappings.view)") }
            if wasDone { break }
            // Its pace and the writer's: sometimes one commit, sometimes several have come.
            try await Task.sleep(for: .milliseconds(2))
        }
        for follower in followers {
            #expect(follower.changes > 0 && follower.reloads <= 1, "\(follower.mappings.view)")
        }
    }

    private static func writeElsewhere() throws {
        let database = try open(in: folder.ofParent)
        let connection = try database.newConnection()
        let isFollowed = folder.ofParent.appending(path: "followed").path
        try waitUntil("The other follows") { FileManager.default.fileExists(atPath: isFollowed) }
        var random = SplitMix64(seed: 78)
        for number in 0..<200 {
            try connection.readWrite { transaction in
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let key = "k\(Int.random(in: 0..<30, using: &random))"
                    let manual = transaction.ext("manual") as! YapDatabaseManualViewTransaction
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: try transaction.removeObject(forKey: key, inCollection: "c")
                    case 1: try manual.addKey(key, inCollection: "c", toGroup: "A")
                    case 2: try manual.removeItem(at: 0, inGroup: "A")
                    default:
                        let item = Item(
                            group: ["A", "B"].randomElement(using: &random)!,
                            sort: Int.random(in: 0..<50, using: &random), text: "\(number)")
                        try transaction.setObject(item, forKey: key, inCollection: "c")
                    }
                }
            }
            if number % 2 == 0 { usleep(4_000) }
        }
        try database.close()
    }

    // MARK: Another filter

    private static let order = YapList(
        "order", of: Novel.all, groupedBy: \.shelf, sortedBy: .ascending(\.title), .ascending(\.id))
    private static let chosen = YapList("chosen", filtering: order, where: \.price < 10)

    /// A program sets another filter for a list of the file. One that has declared the first one does not show the list, and writes on: its rows are
    /// placed by the program that has the filter.
    @Test func aFilterThatIsSetIsNoObstacleToOthersWrites() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
        try await database.register(Self.order, Self.chosen)
        let isDone = Atomic(false)
        async let ended: Void = Self.setFilters(database, until: isDone)
        await #expect(processExitsWith: .success) { try await Self.writeNovels() }
        isDone.store(true, ordering: .releasing)
        try await ended
        let url = database.databaseURL
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }

    private static func setFilters(_ database: YapDatabase, until isDone: borrowing Atomic<Bool>) async throws {
        let connection = try database.newConnection()
        let follower = try ListFollower(database, view: "chosen", groups: ["hall", "attic"])
        let isReady = folder.own.appending(path: "ready").path
        try waitUntil("The other has registered") { FileManager.default.fileExists(atPath: isReady) }
        var random = SplitMix64(seed: 5)
        var limit = 0.0
        repeat {
            limit = Double(Int.random(in: 1..<20, using: &random))
            try await connection.write { [limit] in try $0[chosen].setFilter(\.price < limit) }
            try Data().write(to: folder.own.appending(path: "set"))
            // The declaration is registered already, and does not undo the filter.
            try await database.register(chosen)
            for _ in 0..<10 {
                try follower.advance("price < \(limit)")
                try expectFilter(connection, limit)
                try await Task.sleep(for: .milliseconds(2))
            }
        } while !isDone.load(ordering: .acquiring)
        try follower.advance("at the end")
        try expectFilter(connection, limit)
        #expect(follower.changes > 0 && follower.reloads <= 1)
    }

    private static func expectFilter(_ connection: YapDatabaseConnection, _ limit: Double) throws {
        try connection.syncRead { transaction throws in
            let rows = try transaction[chosen]
            for shelf in ["hall", "attic"] {
                let wanted = try transaction[order].values(in: shelf).filter { $0.price < limit }
                #expect(try rows.values(in: shelf) == wanted, "\(shelf), price < \(limit)")
            }
        }
    }

    /// A program that knows no lists moves a row to another group and out of the filter, at once.
    @Test(arguments: [true, false]) func aRowThatLeavesItsGroupAndTheFilterIsGone(isStored: Bool) async throws {
        try await withTemporaryDatabase { database async throws in
            let chosen = YapList("chosen", filtering: Self.order, where: \.price < 10, isStored: isStored)
            try await database.register(Self.order, chosen)
            let connection = try database.newConnection()
            try await connection.write { try $0[Novel.all].save((1...3).map { Novel($0, "\($0)", .hall, price: 2) }) }
            let stranger = try foreignProgram(database.databaseURL)
            try stranger.setRows(
                [(1, Novel(1, "1", .attic, price: 80)), (2, Novel(2, "2", .attic, price: 3))], inCollection: "novels")
            try await database.waitUntilIdle()
            try await connection.write { try $0[Novel.all].save(Novel(4, "4", .attic, price: 1)) }
            try await connection.read { transaction throws in
                #expect(try transaction[Self.order].values(in: "attic").map(\.id) == [1, 2, 4])
                #expect(try transaction[chosen].values(in: "attic").map(\.id) == [2, 4])
                #expect(try transaction[chosen].values(in: "hall").map(\.id) == [3])
            }
        }
    }

    /// Another program may begin while a filter is set that it has not declared. It shows the list when that program has ended and it registers again.
    @Test func aProgramBeginsBesideAFilterThatIsSet() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let database = try YapDatabase(url: folder.appending(path: "t.sqlite"), options: .forTests)
        try await database.register(Self.order, Self.chosen)
        let connection = try database.newConnection()
        try await connection.write { transaction throws in
            for id in 0..<20 { try transaction[Novel.all].save(Novel(id, "\(id)", price: Double(id))) }
            try transaction[Self.chosen].setFilter(\.price < 15)
        }
        async let ended: Void = Self.closeWhenAsked(database)
        await #expect(processExitsWith: .success) { try await Self.beginBesideAFilter() }
        try await ended
        #expect(try YapDatabase.check(url: database.databaseURL) == [])
    }

    private static func closeWhenAsked(_ database: YapDatabase) async throws {
        let isBegun = folder.own.appending(path: "begun").path
        try waitUntil("The other has begun") { FileManager.default.fileExists(atPath: isBegun) }
        let connection = try database.newConnection()
        let prices = try await connection.read { try $0[chosen].values(in: "hall").map(\.price) }
        #expect(prices.max() == 14 && prices.count == 16)
        try database.close()
        try Data().write(to: folder.own.appending(path: "closed"))
    }

    private static func beginBesideAFilter() async throws {
        let database = try YapDatabase(url: folder.ofParent.appending(path: "t.sqlite"), options: .forTests)
        let shelves = YapList("shelves", groupsOf: chosen, sortedBy: .ascending(\.name))
        try await database.register(order, chosen, shelves)
        #expect(database.registeredExtension("chosen") != nil)
        // Something else is not the same.
        await #expect(throws: YapDatabaseError.self) {
            try await database.register(YapList("chosen", filtering: order, where: \.price < 1))
        }
        let connection = try database.newConnection()
        try await connection.write { try $0[Novel.all].save(Novel(30, "30", price: 3)) }
        try await connection.read { transaction throws in
            #expect(try transaction[order].values(in: "hall").count == 21)
            expectError(.badExtension, mentioning: "\"chosen\"") { _ = try transaction[chosen] }
            expectError(.badExtension, mentioning: "\"shelves\"", "\"chosen\"") { _ = try transaction[shelves] }
        }
        try Data().write(to: folder.ofParent.appending(path: "begun"))
        let isClosed = folder.ofParent.appending(path: "closed").path
        try waitUntil("The other has closed") { FileManager.default.fileExists(atPath: isClosed) }
        try await database.register(chosen)
        try await connection.read { transaction throws in
            #expect(try transaction[chosen].values(in: "hall").map(\.price).max() == 9)
            #expect(try transaction[shelves].values().map(\.count) == [11])
        }
        try database.close()
    }

    private static func writeNovels() async throws {
        let database = try YapDatabase(url: folder.ofParent.appending(path: "t.sqlite"), options: .forTests)
        try await database.register(order, chosen)
        try Data().write(to: folder.ofParent.appending(path: "ready"))
        let connection = try database.newConnection()
        let isSet = folder.ofParent.appending(path: "set").path
        try waitUntil("The other has set its filter") { FileManager.default.fileExists(atPath: isSet) }
        var random = SplitMix64(seed: 79)
        var expected: [Int: Novel] = [:]
        for number in 0..<200 {
            let id = Int.random(in: 0..<30, using: &random)
            let novel = Novel(
                id, "\(number)", Bool.random(using: &random) ? .hall : .attic,
                price: Double(Int.random(in: 0..<20, using: &random)))
            let isRemoved = Int.random(in: 0..<4, using: &random) == 0
            expected[id] = isRemoved ? nil : novel
            try await connection.write { transaction throws in
                if isRemoved { try transaction[Novel.all].remove(id) } else { try transaction[Novel.all].save(novel) }
            }
            if number % 2 == 0 { try await Task.sleep(for: .milliseconds(4)) }
        }
        let stored = try await connection.read { try $0[Novel.all].values() }
        #expect(Set(stored) == Set(expected.values))
        try database.close()
    }
}
