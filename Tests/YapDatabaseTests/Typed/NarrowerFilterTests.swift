import Foundation
import ListChanges
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabase

/// A filter that changes while the program runs shows what a scan finds, however the rows that pass are found out.
@Suite struct NarrowerFilterTests {
    private static func condition(_ random: inout SplitMix64, depth: Int = 2) -> YapCondition<Novel> {
        let (price, year) = (Double(random.below(6)), random.below(4))
        switch random.below(depth == 0 ? 11 : 15) {
        case 0: return \.price < price
        case 1: return \.price <= price
        case 2: return \.price > price
        case 3: return \.price >= price
        case 4: return \.price == price
        case 5: return \.year < year
        case 6: return \.year == (random.percent(30) ? nil : year)
        case 7: return \.year ~= (random.percent(50) ? [year] : [Int?.some(year), nil])
        case 8: return \.title >= "t\(random.below(6))"
        case 9: return \.title == "t\(random.below(6))"
        case 10: return \.year != year
        case 11, 12: return condition(&random, depth: depth - 1) && condition(&random, depth: depth - 1)
        case 13: return condition(&random, depth: depth - 1) || condition(&random, depth: depth - 1)
        default: return !condition(&random, depth: depth - 1)
        }
    }

    private static func novel(_ id: Int, _ random: inout SplitMix64) -> Novel {
        let price = random.percent(5) ? Double.nan : Double(random.below(6))
        return Novel(
            id, "t\(random.below(6))", price: price, year: random.percent(20) ? nil : random.below(4))
    }

    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func whatImpliesAnotherConditionDoes(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var count = 0
        for step in 0..<Effort.cases(20_000) {
            let (a, b) = (Self.condition(&random), Self.condition(&random))
            let together = a && b
            #expect(together.clause!.implies(a.clause!) && together.clause!.implies(b.clause!), "seed \(seed), \(step)")
            guard a.clause!.implies(b.clause!) else { continue }
            count += 1
            for id in 0..<40 {
                let novel = Self.novel(id, &random)
                if a.holds(novel), !b.holds(novel) {
                    Issue.record("seed \(seed), step \(step): \(a.clause!), \(b.clause!), \(novel)")
                }
            }
        }
        #expect(count > 0)
    }

    /// With an index that answers the filters and without, in the file and in memory, filters that grow and others.
    @Test(arguments: Effort.some([1, 2, 3, 4, 5, 6] as [UInt64])) func aChangedFilterShowsWhatAScanFinds(seed: UInt64)
        throws
    {
        try withTemporaryDatabase { database throws in
            var random = SplitMix64(seed: seed)
            let order = YapList("order", of: Novel.all, groupedBy: \.shelf, sortedBy: .ascending(\.id))
            var condition = Self.condition(&random)
            let filtered = YapList("filtered", filtering: order, where: condition, isStored: seed % 2 == 0)
            try database.register(order, filtered)
            if seed % 3 > 0 { try database.register(Novel.fields) }
            let connection = try database.newConnection()
            var stored: [Int: Novel] = [:]
            for step in 0..<Effort.cases(2_000) {
                let context: Comment = "seed \(seed), step \(step)"
                let next = random.percent(50) ? condition && Self.condition(&random) : Self.condition(&random)
                // The rules of both are asked in one transaction, too.
                let (changesBefore, changesAfter) = (random.percent(50), random.percent(50))
                let edits = (0..<4).map { _ in
                    let id = random.below(30)
                    return (id, random.percent(20) ? nil : Self.novel(id, &random))
                }
                try connection.readWrite { transaction throws in
                    func edit(_ edits: some Sequence<(Int, Novel?)>) throws {
                        for (id, novel) in edits {
                            stored[id] = novel
                            if let novel {
                                try transaction[Novel.all].save(novel)
                            } else {
                                try transaction[Novel.all].remove(id)
                            }
                        }
                    }
                    if changesBefore { try edit(edits.prefix(2)) }
                    if step % 3 > 0 {
                        try transaction[filtered].setFilter(next)
                        condition = next
                    }
                    if changesAfter { try edit(edits.suffix(2)) }
                }
                let found = try connection.read { try $0[filtered].values(in: "hall").map(\.id) }
                let expected = stored.values.filter { condition.holds($0) }.map(\.id).sorted()
                try #require(found == expected, context)
            }
        }
    }
}
