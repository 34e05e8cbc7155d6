import Foundation
import Synchronization
import TestSupport
import Testing

@testable import YapDatabase

/// Lists over related rows that read fields out of stored bytes, against lists that decode whole values.
@Suite(.serialized) struct DerivedFieldsTests {
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func rowsHaveTheSameGroupsAndPlaces(seed: UInt64) throws {
        let (kept, other) = (
            try groups(seed) { Parcel<Kept>(id: $0, &$1) }, try groups(seed) { Parcel<NotGiven>(id: $0, &$1) }
        )
        #expect(kept.maintained.count >= 8, "seed \(seed)")
        for (name, ids) in kept.maintained {
            #expect(kept.filled[name] == ids, "seed \(seed), \(name)")
            #expect(other.maintained[name] == ids, "seed \(seed), \(name)")
        }
        #expect(kept.maintained.count == kept.filled.count && other.maintained == other.filled, "seed \(seed)")
        #expect(kept.maintained.count == other.maintained.count, "seed \(seed)")
    }

    /// The ids of each group of each list: of one that was there before the rows, and of one that was filled from them.
    private func groups<Promise>(
        _ seed: UInt64, _ make: (Int, inout SplitMix64) -> Parcel<Promise>
    ) throws -> (maintained: [String: [String]], filled: [String: [String]]) {
        var random = SplitMix64(seed: seed)
        let condition = Parcel<Promise>.condition(&random)
        let parcels = YapCollection("parcels", of: Parcel<Promise>.self)
        let hubs = YapCollection("hubs", of: Parcel<Promise>.self)
        let related = Related(parcels, hubs, condition)
        return try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            try related.register(in: database)
            for _ in 0..<20 {
                try connection.readWrite { transaction throws in
                    for _ in 0..<(1 + random.below(12)) {
                        if random.percent(20) {
                            let year = random.pick([.min, -1, 0, 1965, .max])
                            var hub = make(year, &random)
                            hub.id = year
                            try transaction[hubs].save(hub)
                            if random.percent(20) { try transaction[hubs].remove(year) }
                        } else if random.percent(15) {
                            try transaction[parcels].remove(random.below(60))
                        } else {
                            try transaction[parcels].save(make(random.below(60), &random))
                        }
                    }
                }
            }
            let maintained = try connection.read(related.ids)
            try related.unregister(in: database)
            try related.register(in: database)
            return (maintained, try connection.read(related.ids))
        }
    }

    // MARK: How much is decoded

    private func fill(_ database: YapDatabase) throws {
        try database.newConnection().readWrite { transaction throws in
            for id in 0..<1_000 { try transaction[Stamp.all].save(Stamp(id)) }
        }
    }

    /// Registers a declaration over 1,000 rows, moves 50 of them, and returns how many values were decoded for each.
    private func decodings(of declarations: (any YapDeclaration)...) throws -> (filled: Int, moved: Int) {
        try withTemporaryDatabase { database throws in
            try fill(database)
            let start = Stamp.decodings.load(ordering: .relaxed)
            for declaration in declarations { try database.register(declaration) }
            let filled = Stamp.decodings.load(ordering: .relaxed)
            var random = SplitMix64(seed: 4)
            let connection = try database.newConnection()
            for _ in 0..<50 {
                var stamp = Stamp(random.below(1_000))
                stamp.place += 0.5 + Double(random.below(500))
                try connection.readWrite { try $0[Stamp.all].save(stamp) }
            }
            return (filled - start, Stamp.decodings.load(ordering: .relaxed) - filled)
        }
    }

    /// Each row is decoded to derive others from it. To place those, few are.
    @Test func rowsInSeveralGroupsArePlacedByTheirFields() throws {
        let list = YapList("tagged", of: Stamp.all, groupedByEach: \.tags, sortedBy: .ascending(\.row.place))
        let count = try decodings(of: list)
        #expect(count.filled < 1_100 && count.moved < 250, "\(count)")
    }

    @Test func joinedRowsArePlacedByTheirFields() throws {
        let join = YapJoin("pairs", of: Stamp.all, joining: \.next, to: Stamp.all)
        let list = YapList(
            "pairs by place", of: join.rows, groupedBy: \.other.kind, sortedBy: .descending(\.row.place),
            where: \.other.place >= 0)
        let count = try decodings(of: join, list)
        // A joined row has two, and each stamp is named by one other.
        #expect(count.filled < 2_200 && count.moved < 700, "\(count)")
    }

    @Test func groupsArePlacedByTheirLastRows() throws {
        let rooms = YapList("rooms", of: Stamp.all, groupedBy: \.next, sortedBy: .ascending(\.place))
        let inbox = YapList("inbox", groupsOf: rooms, sortedBy: .descending(last: \.place))
        let count = try decodings(of: rooms, inbox)
        #expect(count.filled < 1_100 && count.moved < 350, "\(count)")
    }
}

/// A list of each kind over related rows.
private struct Related<Promise> {
    private typealias Row = Parcel<Promise>

    private let tagged: YapList<YapPlacedRow<Parcel<Promise>, String>, YapPlacedKey<Int>, Never>
    private let join: YapJoin<Parcel<Promise>, Int, Never, Parcel<Promise>>
    private let timed: YapTimed<Parcel<Promise>, Int, Never>
    private let joined: [YapList<YapJoinedRow<Parcel<Promise>, Parcel<Promise>>, Int, Never>]
    private let days: YapList<YapTimedRow<Parcel<Promise>>, Int, Never>
    private let shelves: YapList<Parcel<Promise>, Int, Never>
    private let newest, least: YapList<YapGroupRow<Parcel<Promise>>, String, Never>

    init(
        _ parcels: YapCollection<Parcel<Promise>, Int, Never>, _ hubs: YapCollection<Parcel<Promise>, Int, Never>,
        _ condition: YapCondition<Parcel<Promise>>
    ) {
        tagged = YapList(
            "tagged", of: parcels, groupedByEach: \.labels, sortedBy: .ascending(\.row.price), .ascending(\.row.id),
            where: \.row.receiver.house.number < 1.5)
        join = YapJoin("join", of: parcels, joining: \.year, to: hubs)
        joined = [
            YapList(
                "by hub", of: join.rows, groupedBy: \.other.receiver.name, sortedBy: .descending(\.row.id),
                where: \.other.price >= 0 && \.row.receiver.house.floor != 1),
            YapList(
                "by time", of: join.rows, groupedBy: \.row.oldLevel, sortedBy: .ascending(\.other.day),
                .ascending(\.row.id)),
        ]
        timed = YapTimed("timed", of: parcels, at: \.day, in: .gmt)
        days = YapList(
            "days", of: timed.rows, groupedBy: \.row.shelf, sortedBy: .ascending(\.row.id), where: \.isPast == true)
        shelves = YapList("shelves", of: parcels, groupedBy: \.title, sortedBy: .ascending(\.id), where: condition)
        newest = YapList("newest", groupsOf: shelves, sortedBy: .descending(last: \.id))
        least = YapList(
            "least", groupsOf: shelves, keeping: [.first, .last], sortedBy: .ascending(first: \.receiver.house.number),
            .ascending(\.name))
    }

    func register(in database: YapDatabase) throws {
        try database.register(tagged, join, timed, days, shelves, newest, least)
        for list in joined { try database.register(list) }
    }

    func unregister(in database: YapDatabase) throws {
        for name in joined.map(\.name) + [least, newest].map(\.name) + [
            shelves.name, days.name, timed.name, join.name, tagged.name,
        ] {
            try database.unregisterExtension(withName: name)
        }
    }

    func ids(_ transaction: YapDatabaseReadTransaction) throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        func add<Value, Key>(_ list: YapList<Value, Key, Never>, _ id: (Value) -> String) throws {
            let rows = try transaction[list]
            for group in rows.groups { found["\(list.name) \(group)"] = try rows.values(in: group).map(id) }
        }
        try add(tagged) { "\($0.row.id)" }
        for list in joined { try add(list) { "\($0.row.id) \($0.other.id)" } }
        try add(days) { "\($0.row.id)" }
        for list in [newest, least] { try add(list) { $0.name } }
        return found
    }
}

/// A row that counts how often one is decoded.
private struct Stamp: YapPlainCodable, Sendable, Identifiable {
    static let all = YapCollection("stamps", of: Stamp.self)
    static let decodings = Atomic(0)

    var id: Int
    var place: Double
    var kind: String
    var next: Int
    var tags: [String]

    init(_ id: Int) {
        (self.id, place, kind, next) = (id, Double(id % 500), "kind \(id % 3)", (id + 1) % 1_000)
        tags = ["a", "b", "c"].filter { _ in id % 7 != 0 }
    }

    init(from decoder: any Decoder) throws {
        Self.decodings.add(1, ordering: .relaxed)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        place = try container.decode(Double.self, forKey: .place)
        kind = try container.decode(String.self, forKey: .kind)
        next = try container.decode(Int.self, forKey: .next)
        tags = try container.decode([String].self, forKey: .tags)
    }
}
