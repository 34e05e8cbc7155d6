import Foundation
import Testing

@testable import YapDatabase

@Suite struct RemoveManyTests {
    /// Whatever the order of the keys, how often each is named, and whether it has a row.
    @Test func manyRowsAreRemovedAndToldOfInTheOrderOfTheirKeys() throws {
        for seed in 0..<UInt64(Effort.cases(20)) {
            try withTemporaryDatabase { database throws in
                var random = SplitMix64(seed: seed)
                let told = Locked<[RowKey]>([])
                let hooks = YapDatabaseHooks()
                hooks.didRemoveRow = { transaction, collection, key in
                    told.withLock { $0.append(RowKey(collection: collection, key: key)) }
                }
                try database.register(hooks, withName: "hooks")
                let connection = try database.newConnection()
                var rows = Set<RowKey>()
                for _ in 0..<10 {
                    let new = (0..<60).map { _ in Self.key(&random) }
                    let removed = (0..<40).map { _ in Self.key(&random) }
                    try connection.readWrite { transaction throws in
                        for key in new { try transaction.setObject("x", forKey: key.key, inCollection: key.collection) }
                        rows.formUnion(new)
                        told.withLock { $0 = [] }
                        try transaction.remove(removed)
                    }
                    var seen = Set<RowKey>()
                    let expected = removed.filter { rows.contains($0) && seen.insert($0).inserted }
                    #expect(told.withLock { $0 } == expected, "seed \(seed)")
                    rows.subtract(removed)
                    try connection.read { transaction throws in
                        for key in removed {
                            #expect(try !transaction.hasObject(forKey: key.key, inCollection: key.collection))
                        }
                        #expect(try transaction.numberOfKeysInAllCollections() == rows.count, "seed \(seed)")
                    }
                }
            }
        }
    }

    private static func key(_ random: inout SplitMix64) -> RowKey {
        RowKey(collection: ["", "a", "b"][random.below(3)], key: "\(random.below(100))")
    }
}
