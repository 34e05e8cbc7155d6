import Foundation
import ListChanges
import SQLiteBridge
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabase

/// A followed request has the rows that a scan finds, after each commit, and its change-sets lead from one state to the next.
@Suite struct RequestUpdatesTests {
    private static func requests(_ limit: Int, offset: Int) -> [YapRequest<Novel, Int, Never>] {
        let ordered = Novel.all.where(\.price < 10).order(.descending(\.year), .ascending(\.title))
        return [ordered, ordered.limit(limit, offset: offset), Novel.all.order(.ascending(\.title)).limit(limit)]
    }

    private static func expected(_ stored: [Int: Novel], _ limit: Int, offset: Int) -> [[Novel]] {
        let cheap = stored.values.filter { $0.price < 10 }.sorted { a, b in
            a.year != b.year
                ? (a.year ?? .min) > (b.year ?? .min) : a.title.utf8.lexicographicallyPrecedes(b.title.utf8)
        }
        let titles = stored.values.sorted { $0.title.utf8.lexicographicallyPrecedes($1.title.utf8) }
        return [cheap, Array(cheap.dropFirst(offset).prefix(limit)), Array(titles.prefix(limit))]
    }

    /// Commits of this process, of others that register nothing and know only SQLite, and transactions that roll back. The loops wait for some
    /// commits and have several at once at other times.
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func followedRequestsAreWhatAScanFinds(seed: UInt64)
        async throws
    {
        try await withTemporaryDatabase { database async throws in
            var random = SplitMix64(seed: seed)
            try await database.register(Novel.fields)
            let (limit, offset) = (random.below(8) + 1, random.below(4))
            let connection = try database.newConnection()
            let requests = Self.requests(limit, offset: offset)
            let followers = requests.indices.map { Follower("request \($0), seed \(seed)") }
            let loops = zip(requests, followers).map { request, follower in
                Task { try await follower.follow(connection.updates(of: request)) }
            }
            defer { for loop in loops { loop.cancel() } }
            // From its first update on, the database waits for a loop.
            for follower in followers { while await follower.sections.isEmpty { await Task.yield() } }
            let stranger = try foreignProgram(database.databaseURL)
            var stored: [Int: Novel] = [:]
            for step in 0..<Effort.cases(5_000) {
                let context: Comment = "seed \(seed), step \(step)"
                var after = stored
                for _ in 0...random.below(3) {
                    let id = random.below(25)
                    after[id] =
                        random.percent(25)
                        ? nil
                        : Novel(
                            id, "t\(random.below(40))-\(id)", price: Double(random.below(20)),
                            year: random.percent(20) ? nil : random.below(6))
                }
                if random.percent(2) { after = [:] }
                let how = random.below(20)
                try await Self.write(after, over: stored, how, on: connection, stranger)
                if how != 1 { stored = after }
                if random.percent(30) { continue }
                try await database.waitUntilIdle()
                let expected = Self.expected(stored, limit, offset: offset)
                for (number, request) in requests.enumerated() {
                    let found = try await connection.read { try $0[request].values() }
                    try #require(found == expected[number], "request \(number), \(how), \(context)")
                    let shown = await followers[number].rows
                    try #require(shown == expected[number], "loop \(number), \(how), \(context)")
                }
            }
        }
    }

    /// Writes what differs: as a program that knows only SQLite (0), rolled back (1), or as usual.
    private static func write(
        _ after: [Int: Novel], over before: [Int: Novel], _ how: Int, on connection: YapDatabaseConnection,
        _ stranger: SQLiteHandle
    ) async throws {
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
        if how == 0 {
            return try stranger.setRows(changed.map { ($0, after[$0]) }, inCollection: "novels")
        }
        try await connection.write { transaction throws in
            if how == 1 { transaction.rollback() }
            if after.isEmpty { return try transaction[Novel.all].removeAll() }
            for id in changed {
                if let novel = after[id] {
                    try transaction[Novel.all].save(novel)
                } else {
                    try transaction[Novel.all].remove(id)
                }
            }
        }
    }

    /// A loop that applies each change-set to the rows that it has.
    private actor Follower {
        private(set) var sections: [ListSection<Novel>] = []
        private let name: Comment

        init(_ name: Comment) { self.name = name }

        var rows: [Novel] { sections.flatMap(\.rows) }

        func follow(_ updates: YapUpdates<YapListUpdate<Novel>>) async throws {
            for try await update in updates {
                if sections.isEmpty {
                    sections = update.sections
                    continue
                }
                guard case .changes(let changes) = update.outcome else {
                    Issue.record("\(update.outcome), \(name)")
                    return
                }
                let before = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
                try changes.apply(to: &sections) { update.sections[$0.section].rows[$0.row] }
                #expect(sections.map(\.rows) == update.sections.map(\.rows), name)
                for change in changes.rowChanges where change.type == .update {
                    let novel = update.sections[0].rows[change.after!.row]
                    #expect(before[novel.id] != novel, name)
                }
            }
        }
    }

    @Test func aRequestWithoutAnIndexSaysSo() async throws {
        try await withTemporaryDatabase { database async throws in
            let connection = try database.newConnection()
            var updates = connection.updates(of: Novel.all.where(\.price < 1)).makeAsyncIterator()
            await #expect(throws: YapDatabaseError.self) { _ = try await updates.next() }
        }
    }

    /// A loop that waits is asked about each commit, and sleeps on if it does not concern it.
    @Test func aLoopIsWokenForWhatConcernsIt() async throws {
        try await withTemporaryDatabase { database async throws in
            let asked = Locked<[Int]>([])
            let commits = database.broadcast.stream(ifConcerned: { commit in
                asked.withLock { $0.append(commit.version.number) }
                return commit.version.number.isMultiple(of: 3)
            }).beginning()
            let following = Task { await commits.reduce(into: []) { $0.append($1.snapshot) } }
            try await database.waitUntilIdle()
            let connection = try database.newConnection()
            for number in 1...10 {
                try await connection.write { try $0.setObject(number, forKey: "k") }
                try await database.waitUntilIdle()
            }
            try database.close()
            #expect(await following.value == [3, 6, 9])
            #expect(asked.withLock { $0 } == Array(1...10))
        }
    }

    /// A commit that concerns no wanted row is no update, and its rows are not decoded twice.
    @Test func whatIsNotWantedIsNoUpdate() async throws {
        try await withTemporaryDatabase { database async throws in
            try await database.register(Novel.fields)
            let connection = try database.newConnection()
            try await connection.write {
                try $0[Novel.all].save((0..<10).map { Novel($0, "t\($0)", price: Double($0)) })
            }
            var updates = connection.updates(of: Novel.all.where(\.price < 5).order(.ascending(\.price)))
                .makeAsyncIterator()
            #expect(try await updates.next()?.rows.map(\.id) == [0, 1, 2, 3, 4])
            try await connection.write { try $0[Novel.all].save(Novel(7, "other", price: 8)) }
            try await connection.write { try $0.setObject("x", forKey: "k", inCollection: "other") }
            try await connection.write { try $0[Novel.all].save(Novel(2, "t2", price: 2)) }
            try await connection.write { try $0[Novel.all].save(Novel(9, "t9", price: 1.5)) }
            let update = try #require(try await updates.next())
            #expect(update.rows.map(\.id) == [0, 1, 9, 2, 3, 4])
            guard case .changes(let changes) = update.outcome else {
                Issue.record("\(update.outcome)")
                return
            }
            #expect(changes.rowChanges.map(\.type) == [.insert])
        }
    }
}
