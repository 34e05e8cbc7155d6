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

    /// Commits of this process, of others that register nothing and know only SQLite, and transactions that roll back.
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func followedRequestsAreWhatAScanFinds(seed: UInt64)
        async throws
    {
        try await withTemporaryDatabase { database async throws in
            var random = SplitMix64(seed: seed)
            try await database.register(Novel.fields)
            let (limit, offset) = (random.below(8) + 1, random.below(4))
            let connection = try database.newConnection()
            let requests = Self.requests(limit, offset: offset)
            var streams = requests.map { connection.updates(of: $0).makeAsyncIterator() }
            var shown: [[ListSection<Novel>]] = []
            for number in requests.indices { shown.append(try #require(try await streams[number].next()).sections) }
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
                if how == 0 {
                    try stranger.execute("BEGIN IMMEDIATE")
                    for id in Set(stored.keys).union(after.keys) where stored[id] != after[id] {
                        try stranger.execute("DELETE FROM database2 WHERE key = '\(id)'")
                        guard let novel = after[id] else { continue }
                        let statement = try stranger.statement(
                            "INSERT INTO database2 (collection, key, data) VALUES ('novels', '\(id)', ?)")
                        try statement.bind([UInt8](YapDatabaseCodableFormat.propertyList.encode(novel)), at: 1)
                        try statement.run()
                    }
                    try stranger.execute("COMMIT")
                } else {
                    try await connection.write { [before = stored, after] transaction throws in
                        if how == 1 { transaction.rollback() }
                        if after.isEmpty { return try transaction[Novel.all].removeAll() }
                        for id in Set(before.keys).union(after.keys) where before[id] != after[id] {
                            if let novel = after[id] {
                                try transaction[Novel.all].save(novel)
                            } else {
                                try transaction[Novel.all].remove(id)
                            }
                        }
                    }
                }
                if how == 1 { continue }
                stored = after
                let expected = Self.expected(stored, limit, offset: offset)
                try waitUntil("The index is complete") { try connection.syncRead { !$0.snapshot.isBehind } }
                for number in requests.indices {
                    let found = try connection.syncRead { try $0[requests[number]].values() }
                    try #require(found == expected[number], "request \(number), \(how), \(context)")
                }
                for number in requests.indices {
                    while shown[number].flatMap(\.rows) != expected[number] {
                        let update = try #require(try await streams[number].next(), context)
                        guard case .changes(let changes) = update.outcome else {
                            Issue.record("\(update.outcome), request \(number), \(context)")
                            return
                        }
                        let before = Dictionary(uniqueKeysWithValues: shown[number].flatMap(\.rows).map { ($0.id, $0) })
                        try changes.apply(to: &shown[number]) { update.sections[$0.section].rows[$0.row] }
                        #expect(shown[number].map(\.rows) == update.sections.map(\.rows), context)
                        for change in changes.rowChanges where change.type == .update {
                            let novel = update.sections[0].rows[change.after!.row]
                            #expect(before[novel.id] != novel, context)
                        }
                    }
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
