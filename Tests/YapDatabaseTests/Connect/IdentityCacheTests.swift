import SeededRandom
import Testing

@testable import YapDatabase

/// Rowids and keys in both directions, against a list of pairs.
@Suite struct IdentityCacheTests {
    private struct Model {
        /// Least recently used first.
        var pairs: [(rowid: Int64, key: RowKey)] = []
        let limit: Int

        mutating func key(_ rowid: Int64) -> RowKey? {
            guard let index = pairs.firstIndex(where: { $0.rowid == rowid }) else { return nil }
            pairs.append(pairs.remove(at: index))
            return pairs.last?.key
        }

        mutating func insert(_ rowid: Int64, _ key: RowKey) {
            pairs.removeAll { $0.rowid == rowid || $0.key == key }
            pairs.append((rowid, key))
            if pairs.count > limit { pairs.removeFirst() }
        }
    }

    @Test(
        arguments: [(limit: 1, rows: 3), (4, 6), (50, 60), (50, 400), (1_000, 900)] as [(Int, Int64)],
        [1, 2, 3] as [UInt64])
    func cacheEqualsASlowModel(_ size: (limit: Int, rows: Int64), seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var cache = IdentityCache(limit: size.limit)
        var model = Model(limit: size.limit)
        for step in 0..<3_000 {
            let rowid = Int64.random(in: -size.rows / 2..<size.rows / 2 + 1, using: &random)
            let key = RowKey(collection: "c", key: "\(Int.random(in: 0..<Int(size.rows), using: &random))")
            switch Int.random(in: 0..<7, using: &random) {
            case 0..<3:
                cache.insert(rowid, key)
                model.insert(rowid, key)
            case 3: #expect(cache.key(forRowid: rowid) == model.key(rowid), "seed \(seed), step \(step)")
            case 4:
                let expected = model.pairs.first { $0.key == key }?.rowid
                #expect(cache.rowid(forKey: key) == expected, "seed \(seed), step \(step)")
            case 5:
                cache.remove(key)
                model.pairs.removeAll { $0.key == key }
            default: break
            }
            guard cache.count == model.pairs.count else {
                Issue.record("\(cache.count) pairs instead of \(model.pairs.count): seed \(seed), step \(step)")
                return
            }
        }
        #expect(Set(cache.keys) == Set(model.pairs.map(\.key)))
        for (rowid, key) in model.pairs {
            #expect(cache.rowid(forKey: key) == rowid && cache.key(forRowid: rowid) == key, "seed \(seed)")
        }
    }
}
