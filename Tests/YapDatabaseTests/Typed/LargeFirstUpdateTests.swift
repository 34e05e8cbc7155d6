import Foundation
import SeededRandom
import Testing

@testable import YapDatabase

/// Many rows are read in the order of the file, and shown in that of the list.
@Suite struct LargeFirstUpdateTests {
    private struct Item: Codable, Hashable, Sendable, Identifiable {
        var id: Int
        var group: Int
        var rank: Int
    }

    private static let items = YapCollection("items", of: Item.self)
    private static let list = YapList(
        "list", of: items, groupedBy: \.group, sortedBy: .ascending(\.rank), .ascending(\.id))

    @Test(arguments: [1, 2] as [UInt64]) func rowsAreInTheOrderOfTheList(seed: UInt64) async throws {
        try await withTemporaryFolder { folder async throws in
            let url = folder.appending(path: "test.sqlite")
            var random = SplitMix64(seed: seed)
            var stored = (0..<6_000).map { Item(id: $0, group: random.below(4), rank: random.below(500)) }
            let database = try YapDatabase(url: url, options: .forTests)
            try await database.register(Self.list)
            let shuffled = stored.shuffled(using: &random)
            try await database.newConnection().write { try $0[Self.items].save(shuffled) }
            try await Self.check(stored, database, problems: 0, "seed \(seed)")
            try database.close()
            // Another program damages two rows.
            let damaged = [random.below(3_000), 3_000 + random.below(3_000)]
            let handle = try foreignProgram(url)
            for id in damaged {
                try handle.execute("UPDATE database2 SET data = x'00' WHERE collection = 'items' AND key = '\(id)'")
            }
            stored.removeAll { damaged.contains($0.id) }
            let again = try YapDatabase(url: url, options: .forTests)
            try await again.register(Self.list)
            try await Self.check(stored, again, problems: 2, "seed \(seed), damaged")
            try again.close()
        }
    }

    private static func check(
        _ stored: [Item], _ database: YapDatabase, problems: Int, _ context: Comment
    ) async throws {
        let groups = Dictionary(grouping: stored, by: \.group).sorted { $0.key < $1.key }
            .map { $0.value.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) } }
        var all = try database.newConnection().updates(of: list).makeAsyncIterator()
        let first = try #require(try await all.next())
        #expect(first.sections.map(\.rows) == groups, context)
        #expect(first.problems.count == problems, context)
        guard problems == 0 else { return }
        for (window, shown) in [
            (YapShown.first(1_200), groups.map { Array($0.prefix(1_200)) }),
            (.last(1_200), groups.map { Array($0.suffix(1_200)) }),
        ] {
            var updates = try database.newConnection().updates(of: list, window).makeAsyncIterator()
            #expect(try await updates.next()?.sections.map(\.rows) == shown, context)
        }
    }
}
