import Dispatch
import TestSupport
import Testing

@testable import YapDatabase

/// Trees whose leaves are made when they are first visited, against trees that have all from the beginning.
@Suite struct SortedTreeStubTests {
    private struct Item: Weighted, Equatable {
        var weight: Int
    }

    private typealias Tree = SortedTree<Int, Item>

    private static func element(_ place: Int) -> Tree.Element { (3 * place, Item(weight: place % 7)) }

    private func lazily(_ count: Int, didMake: @escaping @Sendable (Range<Int>) -> Void = { _ in }) -> Tree {
        Tree(
            lazily: count, weight: { $0.reduce(0) { $0 + $1 % 7 } }, key: { 3 * $0 },
            source: { places in
                didMake(places)
                return places.map(Self.element)
            })
    }

    private func content(_ tree: Tree) -> [[Int]] {
        var content: [[Int]] = []
        tree.forEach { key, value in
            content.append([key, value.weight])
            return true
        }
        return content
    }

    @Test(arguments: [0, 1, 31, 32, 33, 1_024, 1_025, 40_000])
    func aTreeOfStubsIsTheSameTree(count: Int) {
        let whole = Tree(sorted: (0..<count).map(Self.element))
        #expect(lazily(count).count == count && lazily(count).weight == whole.weight)
        #expect(content(lazily(count)) == content(whole))
        let tree = lazily(count)
        var weights: [[Int]] = []
        tree.forEachWeight { weights.append([$0, $1]) }
        #expect(weights == content(whole))
        for key in stride(from: -1, through: 3 * count + 1, by: max(1, count / 50)) {
            #expect(tree[key] == whole[key] && tree.rank(of: key) == whole.rank(of: key))
            #expect(tree.weight(before: key) == whole.weight(before: key))
            #expect(tree.last { $0 <= key && $1.weight >= 0 }?.key == whole.last { $0 <= key && $1.weight >= 0 }?.key)
        }
        for position in stride(from: 0, to: whole.weight, by: max(1, whole.weight / 50)) {
            let (found, wanted) = (tree.element(atWeight: position), whole.element(atWeight: position))
            #expect(found?.key == wanted?.key && found?.offset == wanted?.offset)
        }
        #expect(tree.first?.key == whole.first?.key && tree.last?.key == whole.last?.key)
        tree.root?.checkInvariants()
        // Some of the leaves are made by now.
        weights = []
        tree.forEachWeight { weights.append([$0, $1]) }
        #expect(weights == content(whole))
    }

    @Test func boundsMakeNoLeafButThatOfTheKey() {
        let made = Locked<[Range<Int>]>([])
        let tree = lazily(10_000) { places in made.withLock { $0.append(places) } }
        var sum = 0
        tree.forEachWeight { sum += $1 }
        #expect(sum == tree.weight && made.withLock { $0.isEmpty })
        #expect(tree.allBounds(of: 3 * 5_000) { _, _ in true })
        #expect(made.withLock { $0 } == [4_992..<5_024])
        // Those that are there are asked.
        _ = tree[3 * 5_024]
        var after: [Item] = []
        #expect(
            tree.allBounds(of: 3 * 5_023) { bound, isBefore in
                if !isBefore { after.append(bound) }
                return true
            })
        #expect(after.contains(Item(weight: 5_024 % 7)) && made.withLock { $0.count } == 2)
    }

    @Test func aLookUpMakesOneLeaf() {
        let made = Locked<[Range<Int>]>([])
        let tree = lazily(10_000) { places in made.withLock { $0.append(places) } }
        #expect(made.withLock { $0 } == [])
        #expect(tree[3 * 5_000] == Item(weight: 5_000 % 7) && tree.element(atRank: 5_001)?.key == 15_003)
        #expect(made.withLock { $0 } == [4_992..<5_024])
    }

    /// The values that a tree of stubs hands out are the same objects for all threads.
    @Test func threadsThatVisitALeafFirstAgree() {
        final class Thing: Sendable {}
        struct Holder: Weighted {
            let thing = Thing()
            var weight: Int { 1 }
        }
        for _ in 0..<200 {
            let tree = SortedTree<Int, Holder>(
                lazily: 64, weight: \.count, key: { $0 }, source: { places in places.map { ($0, Holder()) } })
            let seen = Locked<[ObjectIdentifier: Int]>([:])
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                let things = (0..<64).map { tree[thread % 2 == 0 ? $0 : 63 - $0]!.thing }
                seen.withLock { seen in for thing in things { seen[ObjectIdentifier(thing), default: 0] += 1 } }
            }
            #expect(seen.withLock { $0 }.count == 64 && seen.withLock { Set($0.values) } == [4])
        }
    }

    @Test(arguments: Effort.some([1, 2, 3] as [UInt64]))
    func randomEditsOfATreeOfStubsAgreeWithAWholeTree(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 1...5_000, using: &random)
        let original = lazily(count)
        var (tree, whole) = (original, Tree(sorted: (0..<count).map(Self.element)))
        var copies: [(Tree, [[Int]])] = []
        for step in 0..<2_000 {
            // Some edits stay near each other, so that parts stay stubs.
            let key =
                Int.random(in: 0..<2, using: &random) == 0
                ? Int.random(in: 0..<3 * count, using: &random) : Int.random(in: 0..<min(60, 3 * count), using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                tree.remove(key)
                whole.remove(key)
            case 1 where whole[key] != nil:
                tree.update(key) { $0.weight += 1 }
                whole.update(key) { $0.weight += 1 }
            default:
                let item = Item(weight: Int.random(in: 0..<5, using: &random))
                tree.insert(item, for: key)
                whole.insert(item, for: key)
            }
            guard tree.count == whole.count, tree.weight == whole.weight, tree[key] == whole[key] else {
                Issue.record("seed \(seed), step \(step)")
                return
            }
            if step % 250 == 0 { copies.append((tree, content(whole))) }
        }
        #expect(content(tree) == content(whole), "seed \(seed)")
        tree.root?.checkInvariants()
        for (copy, wanted) in copies { #expect(content(copy) == wanted, "seed \(seed)") }
        #expect(content(original) == (0..<count).map { [3 * $0, $0 % 7] }, "seed \(seed)")
    }

    @Test func removingAllLeavesNothing() {
        var tree = lazily(3_000)
        for place in 0..<3_000 { tree.remove(3 * place) }
        #expect(tree.isEmpty && tree.root == nil)
    }
}
