import TestSupport
import Testing

@testable import YapDatabase

/// A counted sorted map against the plainest model there is: a sorted array.
@Suite struct SortedTreeTests {
    private struct Item: Weighted, Equatable {
        var weight: Int
    }

    private typealias Tree = SortedTree<Int, Item>

    @Test func anEmptyTreeAnswersEverything() {
        let tree = Tree()
        #expect(tree.count == 0 && tree.weight == 0)
        #expect(tree[1] == nil && tree.first == nil && tree.element(atWeight: 0) == nil)
        #expect(tree.rank(of: 5) == 0 && tree.weight(before: 5) == 0)
    }

    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64]))
    func randomEditsAgreeWithAnArray(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var model: [(key: Int, value: Item)] = []
        var tree = Tree()
        for step in 0..<3000 {
            let key = Int.random(in: 0..<400, using: &random)
            let position = model.firstIndex { $0.key >= key } ?? model.count
            let isThere = position < model.count && model[position].key == key
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where isThere:
                tree.remove(key)
                model.remove(at: position)
            case 1 where isThere:
                tree.update(key) { $0.weight += 3 }
                model[position].value.weight += 3
            case 2, 3:
                let item = Item(weight: Int.random(in: 0..<5, using: &random))
                tree.insert(item, for: key)
                if isThere { model[position].value = item } else { model.insert((key, item), at: position) }
            default:
                tree.remove(key)
                if isThere { model.remove(at: position) }
            }
            tree.root?.checkInvariants()
            if step % 20 == 0 { try check(tree, model, "seed \(seed), step \(step)") }
        }
    }

    @Test func aCopyKeepsWhatItSawWhileTheOriginalChanges() throws {
        var random = SplitMix64(seed: 9)
        var tree = Tree(sorted: (0..<2000).map { ($0 * 2, Item(weight: 1)) })
        tree.root?.checkInvariants()
        var copies: [(Tree, [Int])] = []
        for _ in 0..<40 {
            var keys: [Int] = []
            tree.forEach { key, _ in
                keys.append(key)
                return true
            }
            copies.append((tree, keys))
            for _ in 0..<50 {
                let key = Int.random(in: 0..<4000, using: &random)
                if tree[key] == nil { tree.insert(Item(weight: 1), for: key) } else { tree.remove(key) }
            }
        }
        for (copy, keys) in copies {
            copy.root?.checkInvariants()
            #expect(copy.count == keys.count)
            for (rank, key) in keys.enumerated() where copy.element(atRank: rank)?.key != key {
                Issue.record("rank \(rank) is no longer \(key)")
            }
        }
    }

    private func check(_ tree: Tree, _ model: [(key: Int, value: Item)], _ context: Comment) throws {
        let total = model.reduce(0) { $0 + $1.value.weight }
        try #require(tree.count == model.count && tree.weight == total, context)
        var before = 0
        for (rank, element) in model.enumerated() {
            guard tree[element.key] == element.value, tree.rank(of: element.key) == rank,
                tree.weight(before: element.key) == before, tree.element(atRank: rank)?.key == element.key
            else { throw Mismatch(description: "\(context): element \(rank), \(element)") }
            for offset in 0..<element.value.weight {
                guard let found = tree.element(atWeight: before + offset), found.key == element.key,
                    found.offset == offset
                else { throw Mismatch(description: "\(context): weight \(before + offset)") }
            }
            before += element.value.weight
        }
        for bound in stride(from: -1, to: 402, by: 13) {
            let found = tree.last { key, _ in key <= bound }
            let place = model.lastIndex { $0.key <= bound }
            try #require(found?.key == place.map { model[$0].key }, context)
            let weight = place.map { model[..<$0].reduce(0) { $0 + $1.value.weight } }
            try #require(found?.weightBefore == weight && found?.value == place.map { model[$0].value }, context)
        }
        #expect(tree.element(atWeight: total) == nil && tree.element(atRank: model.count) == nil)
        try checkEstimates(tree, model, context)
        try checkBounds(tree, model, context)
    }

    /// Whatever is estimated, and wherever there is no estimate, the same place is found.
    private func checkEstimates(_ tree: Tree, _ model: [(key: Int, value: Item)], _ context: Comment) throws {
        var random = SplitMix64(seed: UInt64(model.count))
        for bound in stride(from: -1, to: 402, by: 29) {
            var steps = 0
            let found = tree.last(
                where: { key, _ in
                    steps += 1
                    return key <= bound
                },
                estimate: { _, _ in Bool.random(using: &random) ? nil : Double.random(in: 0...1, using: &random) })
            try #require(found?.key == model.last { $0.key <= bound }?.key, context)
            // Two levels of at most 32, each halved after four steps, and the very first element.
            try #require(steps <= 2 * (4 + 5) + 1, context)
        }
    }

    /// The bounds of a key are on the side where they are said to be, and the next ones are among them.
    private func checkBounds(_ tree: Tree, _ model: [(key: Int, value: Item)], _ context: Comment) throws {
        for (place, element) in model.enumerated() where place % 7 == 0 {
            var bounds: [(value: Item, isBefore: Bool)] = []
            let holds = tree.allBounds(of: element.key) { value, isBefore in
                bounds.append((value, isBefore))
                return true
            }
            let (before, after) = (model[...place].map(\.value), model[(place + 1)...].map(\.value))
            try #require(holds && bounds.allSatisfy { ($0.isBefore ? before : after).contains($0.value) }, context)
            try #require(bounds.contains { $0.isBefore && $0.value == element.value }, context)
            if let next = after.first { try #require(bounds.contains { !$0.isBefore && $0.value == next }, context) }
            var calls = 0
            let isRefused = !tree.allBounds(of: element.key) { _, _ in
                calls += 1
                return calls < bounds.count
            }
            try #require(isRefused && calls == bounds.count, context)
        }
    }

    private struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }
}
