import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// A list whose order one field decides stays in that order, whichever connection writes and whatever it remembers.
@Suite struct DeclaredOrderTests {
    private static let list = YapList("by price", of: Novel.all, groupedBy: \.shelf, sortedBy: .ascending(\.price))
    private static let owned = YapList(
        "owned", of: Novel.all, sortedBy: .descending(\.id), where: \.isOwned == true)

    private struct Undone: Error {}

    @Test(arguments: [1, 2, 3]) func randomWritesOfSeveralConnectionsKeepTheOrder(number: UInt64) throws {
        let seed = UInt64.random(in: 0...(.max) >> 2) + number
        var random = SplitMix64(seed: seed)
        try withTemporaryDatabase { database throws in
            try database.register(Self.list)
            try database.register(Self.owned)
            let connections = [try database.newConnection(), try database.newConnection()]
            var model: [Int: Novel] = [:]
            for step in 0..<250 {
                let connection = connections[random.percent(70) ? 0 : 1]
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
                                novel.price = Double(random.below(60)) / 4
                                try transaction[Novel.all].save(novel)
                                changed[id] = novel
                            }
                        }
                        if isUndone { throw Undone() }
                    }
                    model = changed
                } catch is Undone {}
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
}
