import Testing

@testable import YapDatabase

@Suite struct LRUCacheTests {
    @Test func whatWasNotUsedForLongestGoesFirst() {
        var cache = LRUCache<String, Int>(limit: 2)
        cache.insert(1, for: "a")
        cache.insert(2, for: "b")
        #expect(cache.value(for: "a") == 1)
        #expect(cache.insert(3, for: "c")?.key == "b")
        #expect(cache.value(for: "b") == nil && cache.value(for: "a") == 1 && cache.value(for: "c") == 3)
    }

    @Test func aSmallerLimitTakesEffectAtOnce() {
        var cache = LRUCache<Int, Int>(limit: 0)
        for number in 0..<1000 { cache.insert(number, for: number) }
        #expect(cache.count == 1000)
        cache.setLimit(3)
        #expect(cache.keys.sorted() == [997, 998, 999])
    }

    @Test(arguments: [(limit: 5, keys: 9), (40, 200), (0, 70)])
    func itAgreesWithASlowModel(limit: Int, keys: Int) {
        var random = SplitMix64(seed: 11)
        var cache = LRUCache<Int, Int>(limit: limit)
        // Keys with their values, least recently used first.
        var model: [(key: Int, value: Int)] = []
        for step in 0..<5_000 {
            let key = Int.random(in: 0..<keys, using: &random)
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
