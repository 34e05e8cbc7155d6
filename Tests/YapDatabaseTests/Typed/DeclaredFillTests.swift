import Foundation
import Testing

@testable import YapDatabase

/// Lists that are declared by fields are filled on several threads.
@Suite struct DeclaredFillTests {
    private static let lists = [
        YapList("one field", of: Novel.all, groupedBy: \.shelf, sortedBy: .descending(\.price)),
        YapList("a text", of: Novel.all, groupedBy: \.shelf, sortedBy: .ascending(\.title)),
        YapList("several", of: Novel.all, groupedBy: \.isOwned, sortedBy: .descending(\.year), .ascending(\.title)),
        YapList("unsorted", of: Novel.all, where: \.isOwned == true),
        YapList(
            "closures", of: Novel.all,
            sortedBy: .by { $0.id == $1.id ? .orderedSame : $0.id < $1.id ? .orderedAscending : .orderedDescending },
            versionTag: "1"
        ) {
            $0.price > 3 ? "dear" : nil
        },
    ]

    /// In the order in which they are written, in which a list without a decision has them.
    private static func novels(_ count: Int, _ random: inout SplitMix64) -> [Novel] {
        (0..<count).shuffled(using: &random).map { id in
            Novel(
                id + 10_000, ["ä", "b", "abcdefghij", "abcdefghik", ""][random.below(5)],
                [nil, .attic, .cellar, .hall][random.below(4)], price: Double(random.below(40)) / 4,
                year: random.percent(20) ? nil : random.below(9), isOwned: random.percent(70))
        }
    }

    private static func rows(_ list: YapList<Novel, Int, Never>, _ database: YapDatabase) throws -> [String: [Novel]] {
        try database.newConnection().read { transaction throws in
            let rows = try transaction[list]
            return try Dictionary(uniqueKeysWithValues: rows.groups.map { ($0, try rows.values(in: $0)) })
        }
    }

    @Test func everyWayToFillAListGivesTheSameRows() throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        let novels = Self.novels(3_000, &random)
        func withRows(_ body: (YapDatabase) throws -> Void) throws -> [[String: [Novel]]] {
            var rows: [[String: [Novel]]] = []
            try withTemporaryDatabase { database throws in
                try body(database)
                rows = try Self.lists.map { try Self.rows($0, database) }
            }
            return rows
        }
        func save(_ database: YapDatabase) throws {
            try database.newConnection().readWrite { try $0[Novel.all].save(novels) }
        }
        let alone = try withRows { database in
            try save(database)
            for list in Self.lists { try database.register(list) }
        }
        let together = try withRows { database in
            try save(database)
            try database.register(Self.lists.map { ($0.name, $0.makeExtension()) })
        }
        let kept = try withRows { database in
            for list in Self.lists { try database.register(list) }
            for novel in novels.prefix(200) { try database.newConnection().readWrite { try $0[Novel.all].save(novel) } }
            try save(database)
        }
        for (index, list) in Self.lists.enumerated() {
            let placement = list.placement
            let included = novels.filter { placement.condition?.holds($0) ?? true }
            let expected = Dictionary(grouping: included) { placement.ofValue.group($0) }
                .compactMap { group, novels in
                    group.map { group in
                        (
                            group,
                            novels.stablySorted { a, b in
                                for order in placement.orders {
                                    let result = order.compare(a, b)
                                    if result != .orderedSame { return result == .orderedAscending }
                                }
                                return false
                            }
                        )
                    }
                }
            let model = Dictionary(uniqueKeysWithValues: expected)
            #expect(alone[index] == model, "seed \(seed), \(list.name)")
            #expect(together[index] == model, "seed \(seed), \(list.name), together")
            #expect(kept[index] == model, "seed \(seed), \(list.name), kept")
        }
    }

    /// The collection was first used with another format: that one counts.
    @Test func rowsAreReadInTheFormatOfTheirCollection() throws {
        let stored = YapCollection("novels", of: Novel.self, as: .json)
        try withTemporaryDatabase { database throws in
            try database.newConnection().readWrite { try $0[stored].save((1...5).map { Novel($0, "n") }) }
            try database.register(Self.lists[1])
            #expect(try Self.rows(Self.lists[1], database)["hall"]?.map(\.id) == [1, 2, 3, 4, 5])
        }
    }

    /// Many rows are decoded on several threads.
    @Test func aRowThatCannotBeDecodedIsNamed() throws {
        func fill(_ database: YapDatabase) throws -> YapDatabaseConnection {
            let connection = try database.newConnection()
            try connection.readWrite { try $0[Novel.all].save((1...2_000).map { Novel($0, "n") }) }
            try connection.readWrite {
                try $0.setStored(RowKey(collection: "novels", key: "1777"), object: Data([1, 2]), metadata: nil)
            }
            return connection
        }
        var strict = YapDatabaseOptions.forTests
        strict.undecodableRows = .fail
        try withTemporaryDatabase(options: strict) { database throws in
            _ = try fill(database)
            for list in Self.lists.prefix(2) {
                expectError(.decodingFailed, mentioning: "1777") { try database.register(list) }
                #expect(database.registeredExtension(list.name) == nil)
            }
        }
        try withTemporaryDatabase { database throws in
            let connection = try fill(database)
            for list in Self.lists.prefix(2) {
                try database.register(list)
                try connection.read { transaction throws in
                    #expect(try transaction[list].problems.map(\.key) == ["1777"] && transaction[list].count == 1_999)
                }
            }
            try connection.readWrite { try $0[Novel.all].remove(1_777) }
        }
    }
}
