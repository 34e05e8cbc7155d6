import Testing

@testable import ListChanges

@Suite struct SharedDictionaryTests {
    @Test func itIsADictionaryWhateverItsSize() {
        for seed in 0..<UInt64(Effort.cases(20)) {
            var random = SplitMix64(seed: seed)
            let names = [10, 300, 3_000][Int(seed % 3)]
            // Names that ascend are kept in that order.
            let first = seed % 2 == 0 ? [] : (0..<names).filter { _ in random.below(2) == 0 }.map { "name \($0)" }
            var model = Dictionary(uniqueKeysWithValues: first.map { ($0, -1) })
            var shared = SharedDictionary(first.sorted().map { (key: $0, value: -1) })
            var copies: [(SharedDictionary<Int>, [String: Int])] = []
            for step in 0..<5_000 {
                let name = "name \(random.below(names))"
                switch random.below(5) {
                case 0:
                    shared[name] = nil
                    model[name] = nil
                case 1:
                    shared[name, default: 7] += 1
                    model[name, default: 7] += 1
                default:
                    shared[name] = step
                    model[name] = step
                }
                if step % 1_000 == 0 { copies.append((shared, model)) }
            }
            for (shared, model) in copies + [(shared, model)] {
                #expect(shared.count == model.count, "seed \(seed)")
                #expect(Dictionary(shared.map { ($0.key, $0.value) }) { $1 } == model, "seed \(seed)")
                #expect((0..<names).allSatisfy { shared["name \($0)"] == model["name \($0)"] }, "seed \(seed)")
                // The same values are equal, however they came there.
                let pairs = model.map { (key: $0.key, value: $0.value) }
                for other in [SharedDictionary(pairs), SharedDictionary(pairs.sorted { $0.key < $1.key })] {
                    #expect(other == shared && shared == other && other.hashValue == shared.hashValue, "seed \(seed)")
                }
            }
        }
    }

    @Test func namesAreTheSameIfTheirBytesAre() {
        var shared = SharedDictionary<Int>()
        shared["\u{E9}"] = 1
        shared["e\u{301}"] = 2
        #expect(shared.count == 2 && shared["\u{E9}"] == 1)
    }
}
