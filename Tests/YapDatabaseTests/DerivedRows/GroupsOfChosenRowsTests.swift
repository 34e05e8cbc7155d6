import Foundation
import SQLiteBridge
import SeededRandom
import TestSupport
import Testing

@testable import YapDatabase

/// Groups of lists whose rows do not follow from the rows alone: one whose filter is replaced, one that filters that one, and one that is made by
/// hand. Their rows are what a fold over the groups gives.
@Suite struct GroupsOfChosenRowsTests {
    private typealias Message = GroupListTests.Message
    private typealias Row = GroupListTests.Row

    private static let messages = GroupListTests.messages
    private static let rooms = GroupListTests.rooms
    private static let large = YapList("large", filtering: rooms, where: \.size >= 0)
    private static let largeInbox = inbox("large inbox", of: large)
    private static let dear = YapList("dear", filtering: large, where: \.price > 5)
    private static let dearInbox = inbox("dear inbox", of: dear)
    private static let shelves = YapList.manual("shelves", of: messages)
    private static let shelvesInbox = inbox("shelves inbox", of: shelves)

    private static func inbox(
        _ name: String, of list: YapList<Message, Int, Never>
    ) -> YapList<YapGroupRow<Message>, String, Never> {
        YapList(
            name, groupsOf: list, figures: GroupListTests.figures, keeping: [.first, .last],
            sortedBy: .ascending(\.name))
    }

    /// All rows, the least size that the filter lets pass, and the list that is made by hand.
    private struct Model {
        var stored: [Int: Message] = [:]
        var least = 0
        var shelves: [String: [Int]] = [:]

        var large: [Message] { stored.values.filter { $0.room != nil && $0.size >= least } }
        var largeInbox: [Row] { rows(large) }
        var dearInbox: [Row] { rows(large.filter { $0.price > 5 }) }
        var shelvesInbox: [Row] {
            shelves.filter { !$0.value.isEmpty }.map { name, ids in
                let messages = ids.compactMap { stored[$0] }
                var row = Row(name, messages)
                (row.first, row.last) = (messages.first, messages.last)
                return row
            }.sorted { $0.name < $1.name }
        }

        private func rows(_ messages: [Message]) -> [Row] {
            Dictionary(grouping: messages) { $0.room ?? "" }.map { Row($0.key, $0.value) }.sorted { $0.name < $1.name }
        }

        mutating func removeFromShelves(_ id: Int) {
            for name in shelves.keys { shelves[name]?.removeAll { $0 == id } }
        }
    }

    private static func change(
        _ model: inout Model, _ random: inout SplitMix64, _ transaction: YapDatabaseReadWriteTransaction
    ) throws {
        let id = random.below(40)
        switch random.below(20) {
        case 0..<9:
            let message = GroupListTests.message(id, &random)
            model.stored[id] = message
            try transaction[messages].save(message)
        case 9..<12:
            model.stored[id] = nil
            model.removeFromShelves(id)
            try transaction[messages].remove(id)
        case 12:
            model.least = random.below(20) - 5
            try transaction[large].setFilter(\.size >= model.least)
        case 13..<18:
            let (shelf, all) = ("shelf \(random.below(3))", try transaction[shelves])
            guard model.stored[id] != nil else { return }
            let count = model.shelves[shelf]?.count ?? 0
            let place = random.below(count + 1)
            if try all.insert(id, at: place, in: shelf) {
                model.shelves[shelf, default: []].insert(id, at: place)
            } else if try all.move(id, to: min(place, max(0, count - 1)), in: shelf) {
                model.removeFromShelves(id)
                model.shelves[shelf, default: []].insert(id, at: min(place, max(0, count - 1)))
            }
        case 18:
            try transaction[shelves].remove(id)
            model.removeFromShelves(id)
        default:
            guard random.percent(10) else { return }
            let least = model.least
            model = Model()
            model.least = least
            try transaction.removeAllObjectsInAllCollections()
        }
    }

    private static func check(
        _ model: Model, _ transaction: YapDatabaseReadTransaction, _ context: Comment
    ) throws {
        for (list, expected) in [
            (largeInbox, model.largeInbox), (dearInbox, model.dearInbox), (shelvesInbox, model.shelvesInbox),
        ] {
            let rows = try transaction[list].values().map { Row($0) }
            try #require(rows == expected, "\(list.name), \(context)")
        }
    }

    /// Transactions that are kept or rolled back, starts after which the declared filter holds again, and programs that have the lists and not
    /// their groups.
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func groupsAreWhatAFoldGives(seed: UInt64) async throws {
        try await withTemporaryFolder { folder async throws in
            let url = folder.appending(path: "test.sqlite")
            var (random, model, step) = (SplitMix64(seed: seed), Model(), 0)
            let steps = Effort.cases(5_000)
            while step < steps {
                let database = try YapDatabase(url: url, options: .forTests)
                let hasGroups = random.percent(75)
                // A start has the declared filter.
                model.least = 0
                if hasGroups {
                    try await database.register(
                        Self.rooms, Self.large, Self.dear, Self.shelves, Self.largeInbox, Self.dearInbox,
                        Self.shelvesInbox)
                } else {
                    try await database.register(Self.rooms, Self.large, Self.dear, Self.shelves)
                }
                try await Self.run(
                    &model, &random, step..<min(steps, step + 200), hasGroups, database, "seed \(seed)")
                step += 200
                try database.close()
                let problems = try YapDatabase.check(url: url)
                #expect(problems.isEmpty, "seed \(seed), step \(step): \(problems)")
            }
        }
    }

    private static func run(
        _ model: inout Model, _ random: inout SplitMix64, _ steps: Range<Int>, _ hasGroups: Bool,
        _ database: YapDatabase, _ name: String
    ) async throws {
        let connection = try database.newConnection()
        let follower = UpdatesFollower<YapGroupRow<Message>>()
        let loop = hasGroups ? Task { try await follower.follow(connection.updates(of: largeInbox), "\(name)") } : nil
        defer { loop?.cancel() }
        if hasGroups { await follower.waitForFirst() }
        for step in steps {
            let context: Comment = "\(name), step \(step)"
            let isLost = random.percent(5)
            let (before, start, count) = (model, random, random.below(4) + 1)
            let looks = random.percent(30) && hasGroups
            (model, random) = try await connection.write { transaction throws in
                var (model, random) = (before, start)
                for _ in 0..<count {
                    try change(&model, &random, transaction)
                    if looks { try check(model, transaction, "in the transaction, \(context)") }
                }
                if isLost { transaction.rollback() }
                return (isLost ? before : model, random)
            }
            guard hasGroups, random.percent(50) else { continue }
            try await database.waitUntilIdle()
            let now = model
            try await connection.read { try check(now, $0, context) }
            try #require(await follower.rows.map { Row($0) } == now.largeInbox, "The loop, \(context)")
        }
    }

    // MARK: Another process

    private static let folder = ProcessFolder("chosen")

    /// It places rows by hand, and changes others. The groups are right with the next write.
    @Test func groupsFollowAProcessThatHasTheListsAlone() async throws {
        let folder = try Self.folder.make()
        defer { Self.folder.remove() }
        let url = folder.appending(path: "test.sqlite")
        let database = try YapDatabase(url: url, options: .forTests)
        try await database.register(
            Self.rooms, Self.large, Self.dear, Self.shelves, Self.largeInbox, Self.dearInbox, Self.shelvesInbox)
        let connection = try database.newConnection()
        var (random, model) = (SplitMix64(seed: 9), Model())
        for id in 0..<30 { model.stored[id] = GroupListTests.message(id, &random) }
        model.shelves = ["shelf 0": [1, 2]]
        try await connection.write { [model] transaction in
            try transaction[Self.messages].save(Array(model.stored.values))
            try transaction[Self.shelves].append(1, to: "shelf 0")
            try transaction[Self.shelves].append(2, to: "shelf 0")
        }
        try await connection.read { [model] in try Self.check(model, $0, "before") }
        await #expect(processExitsWith: .success) { try Self.writeElsewhere() }
        model.shelves = ["shelf 0": [2], "shelf 1": [3]]
        for id in [4, 5] { model.stored[id] = GroupListTests.message(id, &random) }
        let changed = [4, 5].compactMap { model.stored[$0] }
        try await connection.write { try $0[Self.messages].save(changed) }
        try await database.waitUntilIdle()
        try await connection.read { [model] in try Self.check(model, $0, "after") }
        try database.close()
        #expect(try YapDatabase.check(url: url) == [])
    }

    private static func writeElsewhere() throws {
        let database = try YapDatabase(url: folder.ofParent.appending(path: "test.sqlite"), options: .forTests)
        try database.register(rooms, large, dear, shelves)
        try database.newConnection().readWrite { transaction in
            try transaction[shelves].append(3, to: "shelf 1")
            try transaction[shelves].remove(1)
        }
        try database.close()
    }

    /// A list in memory is another one in each process, and its groups would be stored.
    @Test func onlyListsThatAreStoredHaveGroups() {
        let search = YapTextIndex("search", of: Self.messages, on: \.room)
        #expect(!YapList("found", searching: search, in: Self.rooms).source.isStored)
        #expect(!YapList("few", filtering: Self.rooms, where: \.size > 3, isStored: false).source.isStored)
        #expect(Self.dear.source.isStored && Self.shelves.source.isStored && GroupListTests.inbox.source.isStored)
    }
}
