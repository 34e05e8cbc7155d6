import Testing

@testable import YapDatabase

@Suite struct LRUCacheTests {
    @Test func whatWasNotUsedForLongestGoesFirst() {
        func key(_ text: String) -> RowKey { RowKey(collection: "letters", key: text) }
        var cache = LRUCache<RowKey, Int>(limit: 2)
        cache.insert(1, for: key("a"))
        cache.insert(2, for: key("b"))
        #expect(cache.value(for: key("a")) == 1)
        #expect(cache.insert(3, for: key("c"))?.key == key("b"))
        #expect(cache.value(for: key("b")) == nil && cache.value(for: key("a")) == 1)
        #expect(cache.value(for: key("c")) == 3 && cache.value(for: RowKey(collection: "", key: "c")) == nil)
    }

    @Test(arguments: [(limit: 5, keys: 9), (40, 200), (0, 70)] as [(Int, Int64)])
    func cacheEqualsASlowModel(limit: Int, keys: Int64) {
        var random = SplitMix64(seed: 11)
        var cache = LRUCache<Int64, Int>(limit: limit)
        // Keys with their values, least recently used first.
        var model: [(key: Int64, value: Int)] = []
        for step in 0..<5_000 {
            let key = Int64.random(in: 0..<keys, using: &random)
            let index = model.firstIndex { $0.key == key }
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                #expect(cache.value(for: key) == index.map { model[$0].value })
                if let index { model.append(model.remove(at: index)) }
            case 1:
                let dropped = cache.insert(step, for: key)
                if let index { model.remove(at: index) }
                let oldest = limit > 0 && model.count == limit ? model.removeFirst() : nil
                #expect(dropped?.key == oldest?.key && dropped?.value == oldest?.value)
                model.append((key, step))
            default:
                #expect(cache.remove(key) == index.map { model[$0].value })
                if let index { model.remove(at: index) }
            }
            #expect(cache.keys.sorted() == model.map(\.key).sorted())
        }
    }
}
