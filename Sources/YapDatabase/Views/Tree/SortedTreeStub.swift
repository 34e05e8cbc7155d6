/// A part of a ``SortedTree`` that is made when it is first visited: a leaf, or a node above leaves that are such parts themselves. Its sums are
/// known before.
///
/// Each thread that visits it first may make the node, and one of the results is kept for all. A stub itself never changes.
final class SortedTreeStub<Key: Sendable, Value: Sendable>: SortedTreeNode<Key, Value>, @unchecked Sendable {
    private let places: Range<Int>
    private let isLeafStub: Bool
    private let elements: UnmadeElements<Key, Value>
    private let node = LazyReference<SortedTreeNode<Key, Value>>()

    fileprivate init(_ places: Range<Int>, isLeafStub: Bool, of elements: UnmadeElements<Key, Value>) {
        (self.places, self.isLeafStub, self.elements) = (places, isLeafStub, elements)
        super.init(stubOf: places.count, weight: elements.weight(places))
    }

    /// The node, if it was visited before; nil otherwise.
    @inline(__always) var made: SortedTreeNode<Key, Value>? { node.load() }
}

/// Where the elements of a tree come from.
final class UnmadeElements<Key: Sendable, Value: Sendable>: Sendable {
    typealias Weights = @Sendable (Range<Int>) -> Int
    typealias Keys = @Sendable (Int) -> Key
    typealias Source = @Sendable (Range<Int>) -> [(key: Key, value: Value)]

    fileprivate let weight: Weights
    fileprivate let key: Keys
    fileprivate let source: Source

    fileprivate init(weight: @escaping Weights, key: @escaping Keys, source: @escaping Source) {
        (self.weight, self.key, self.source) = (weight, key, source)
    }
}

extension UnmadeElements where Key: TreeKey, Value: Weighted {
    /// Stubs, with their last keys.
    /// - Parameter size: the number of elements of each, but the last one.
    fileprivate func stubs(of places: Range<Int>, size: Int) -> [(node: SortedTreeNode<Key, Value>, last: Key)] {
        stride(from: places.lowerBound, to: places.upperBound, by: size).map { start in
            let part = start..<min(start + size, places.upperBound)
            return (
                SortedTreeStub(part, isLeafStub: size <= SortedTreeNode<Key, Value>.maxFanOut, of: self),
                key(part.upperBound - 1)
            )
        }
    }
}

extension SortedTreeStub where Key: TreeKey, Value: Weighted {
    /// The node that this one stands for.
    var expanded: SortedTreeNode<Key, Value> { made ?? expand() }

    /// The keys and weights of the elements, which are not made for it.
    func forEachUnmadeWeight(_ body: (Key, Int) -> Void) {
        for place in places { body(elements.key(place), elements.weight(place..<place + 1)) }
    }

    /// The node, which is not kept if this is the first visit.
    var expandedForNow: SortedTreeNode<Key, Value> { made ?? make() }

    @inline(never) private func expand() -> SortedTreeNode<Key, Value> { node.storeIfNil(make()) }

    private func make() -> SortedTreeNode<Key, Value> {
        let made = isLeafStub ? leaf() : inner()
        precondition(made.count == count && made.weight == weight, "A node has other elements than its tree was told.")
        return made
    }

    private func leaf() -> SortedTreeNode<Key, Value> {
        let made = elements.source(places)
        return SortedTreeNode(keys: made.map(\.key), values: made.map(\.value))
    }

    private func inner() -> SortedTreeNode<Key, Value> {
        let stubs = elements.stubs(of: places, size: Self.maxFanOut)
        return SortedTreeNode(children: stubs.map(\.node), keys: stubs.map(\.last))
    }
}

extension SortedTree where Key: TreeKey, Value: Weighted {
    /// Builds a tree whose elements are made when they are first visited, 32 at a time. O(n) for the sums of their weights, and one small node for
    /// each 1,024.
    ///
    /// - Parameters:
    ///   - count: the number of elements, which have the places `0..<count`.
    ///   - weight: the sum of the weights at some places.
    ///   - key: the key at a place. Keys ascend.
    ///   - source: the elements at some places, always the same.
    init(
        lazily count: Int, weight: @escaping UnmadeElements<Key, Value>.Weights,
        key: @escaping UnmadeElements<Key, Value>.Keys, source: @escaping UnmadeElements<Key, Value>.Source
    ) {
        let fanOut = SortedTreeNode<Key, Value>.maxFanOut
        let elements = UnmadeElements(weight: weight, key: key, source: source)
        let size = count > fanOut * fanOut ? fanOut * fanOut : fanOut
        self.init(root: SortedTreeNode.root(over: elements.stubs(of: 0..<count, size: size)))
    }
}
