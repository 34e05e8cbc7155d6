import Foundation
import Synchronization
import TestSupport
import Testing

@testable import YapDatabase

/// A list whose order one field decides stays in that order, whichever connection writes and whatever it remembers.
@Suite(.serialized) struct DeclaredOrderTests {
    private static let list = YapList("by price", of: Novel.all, groupedBy: \.shelf, sortedBy: .ascending(\.price))
    private static let owned = YapList(
        "owned", of: Novel.all, sortedBy: .descending(\.id), where: \.isOwned == true)

    private struct Undone: Error {}

    @Test(arguments: Effort.some([1, 2, 3])) func randomWritesOfSeveralConnectionsKeepTheOrder(number: UInt64) throws {
        let seed = UInt64.random(in: 0...(.max) >> 2) + number
        var random = SplitMix64(seed: seed)
        try withTemporaryDatabase { database throws in
            try database.register(Self.list)
            try database.register(Self.owned)
            let connections = [try database.newConnection(), try database.newConnection()]
            var model: [Int: Novel] = [:]
            for step in 0..<250 {
                let connection = connections[random.percent(70) ? 0 : 1]
                // What was remembered of the rows is not of those that are written while the list is away.
                let isAway = random.percent(5)
                if isAway { try database.unregisterExtension(withName: Self.list.name) }
                // More rows than are placed one by one.
                let writes = random.percent(15) ? 40 + random.below(120) : 1 + random.below(4)
                var changed = model
                let isUndone = random.percent(10)
                do {
                    try connection.readWrite { transaction throws in
                        for _ in 0..<writes {
                            let id = random.below(400)
                            if random.percent(20) {
                                try transaction[Novel.all].remove(id)
                                changed[id] = nil
                            } else {
                                var novel = Novel.random(id, &random)
                                // Few prices that many rows have, or as many as there are rows.
                                novel.price = number == 1 ? Double(random.next() >> 20) : Double(random.below(60)) / 4
                                try transaction[Novel.all].save(novel)
                                changed[id] = novel
                            }
                        }
                        if isUndone { throw Undone() }
                    }
                    model = changed
                } catch is Undone {}
                if isAway { try database.register(Self.list) }
                try connections[1].read { transaction throws in
                    let rows = try transaction[Self.list]
                    #expect(rows.count == model.values.count { $0.shelf != nil }, "seed \(seed), step \(step)")
                    for group in rows.groups {
                        let prices = try rows.values(in: group, 0..<rows.count(in: group)).map(\.price)
                        let expected = model.values.filter { $0.shelf?.groupName == group }.map(\.price).sorted()
                        #expect(prices == expected, "seed \(seed), step \(step), \(group)")
                    }
                    let owned = try transaction[Self.owned].values().map(\.id)
                    let expected = model.values.filter(\.isOwned).map(\.id).sorted(by: >)
                    #expect(owned == expected, "seed \(seed), step \(step)")
                }
            }
        }
    }

    /// Of the rows that are compared the numbers are remembered for all writers, and the place on a page is estimated.
    @Test func aMoveReadsFewRowsWhicheverConnectionMakesIt() throws {
        try withTemporaryDatabase { database throws in
            try database.register(Counted.list)
            let connections = [try database.newConnection(), try database.newConnection()]
            let count = 2_000
            try connections[0].readWrite { transaction throws in
                for id in 0..<count {
                    try transaction[Counted.all].save(Counted(id: id, place: Double(id * 7919 % count)))
                }
            }
            // After a transaction that was undone nothing is remembered.
            #expect(throws: Undone.self) { try connections[0].readWrite { _ in throw Undone() } }
            var random = SplitMix64(seed: 1)
            let before = Counted.decodings.load(ordering: .relaxed)
            let moves = 200
            for move in 0..<moves {
                let row = Counted(id: random.below(count), place: Double(random.next() >> 12) / Double(1 << 52) * 2_000)
                try connections[move % 2].readWrite { try $0[Counted.all].save(row) }
            }
            // Of 12 comparisons to halve 2,000 rows down to one, those with the first rows of pages are soon remembered.
            let readings = Counted.decodings.load(ordering: .relaxed) - before
            #expect(readings < 4 * moves, "\(readings) rows were read for \(moves) moves.")
            try connections[1].read { transaction throws in
                let places = try transaction[Counted.list].values().map(\.place)
                #expect(places.count == count && places == places.sorted())
            }
        }
    }

    /// A search compares with first rows of pages, and then with rows of one page: those of a page are all that a move reads.
    /// Numbers estimate the place on it.
    @Test(arguments: zip([Counted.list, Counted.twice], [3, 7]))
    fileprivate func aListThatWasJustFilledKnowsTheFirstRowsOfItsPages(
        _ list: YapList<Counted, Int, Never>, readings most: Int
    ) throws {
        try withTemporaryDatabase { database throws in
            let connection = try database.newConnection()
            let count = 9_000
            try connection.readWrite { transaction throws in
                for id in 0..<count {
                    try transaction[Counted.all].save(Counted(id: id, place: Double(id * 7919 % count)))
                }
            }
            try database.register(list)
            var random = SplitMix64(seed: 2)
            let moves = 20
            let before = Counted.decodings.load(ordering: .relaxed)
            for _ in 0..<moves {
                let row = Counted(id: random.below(count), place: Double(random.below(count)) + 0.5)
                try connection.readWrite { try $0[Counted.all].save(row) }
            }
            let readings = Counted.decodings.load(ordering: .relaxed) - before
            #expect(readings <= most * moves, "\(readings) rows were read for \(moves) moves.")
            try connection.read { transaction throws in
                let places = try transaction[list].values().map(\.place)
                #expect(places.count == count && places == places.sorted())
            }
        }
    }
}

/// A row that counts how often one is decoded.
private struct Counted: Codable, Sendable, Identifiable {
    static let all = YapCollection("counted", of: Counted.self)
    static let list = YapList("by place", of: all, sortedBy: .ascending(\.place))
    /// The same order, which one number does not decide alone.
    static let twice = YapList("by place and id", of: all, sortedBy: .ascending(\.place), .ascending(\.id))
    static let decodings = Atomic(0)

    var id: Int
    var place: Double

    init(id: Int, place: Double) { (self.id, self.place) = (id, place) }

    init(from decoder: any Decoder) throws {
        Self.decodings.add(1, ordering: .relaxed)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        place = try container.decode(Double.self, forKey: .place)
    }
}
