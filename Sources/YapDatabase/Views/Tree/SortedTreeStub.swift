import Synchronization

/// A leaf of a ``SortedTree`` whose elements are made when they are first visited. Its sums are known before.
///
/// Each thread that visits it first may make the elements, and one of the results is kept for all. A stub itself never changes.
final class SortedTreeStub<Key, Value>: SortedTreeNode<Key, Value>, @unchecked Sendable {
    typealias Source = @Sendable (Range<Int>) -> [(key: Key, value: Value)]
    typealias Weights = @Sendable (Range<Int>) -> Int
    typealias Keys = @Sendable (Int) -> Key

    fileprivate let places: Range<Int>
    fileprivate let weights: Weights
    fileprivate let keyAt: Keys
    fileprivate let source: Source
    fileprivate let leaf = AtomicLazyReference<SortedTreeNode<Key, Value>>()

    init(_ places: Range<Int>, weights: @escaping Weights, keyAt: @escaping Keys, source: @escaping Source) {
        self.places = places
        (self.weights, self.keyAt, self.source) = (weights, keyAt, source)
        super.init(stubOf: places.count, weight: weights(places))
    }

    /// The node, if it was visited before; nil otherwise.
    var made: SortedTreeNode<Key, Value>? { leaf.load() }
}

extension SortedTreeStub where Key: TreeKey, Value: Weighted {
    /// The leaf that this one stands for.
    var expanded: SortedTreeNode<Key, Value> { made ?? expand() }

    /// The keys and weights of the elements, which are not made for it.
    func forEachUnmadeWeight(_ body: (Key, Int) -> Void) {
        for place in places { body(keyAt(place), weights(place..<place + 1)) }
    }

    @inline(never) private func expand() -> SortedTreeNode<Key, Value> {
        let elements = source(places)
        let made = SortedTreeNode(keys: elements.map(\.key), values: elements.map(\.value))
        precondition(made.count == count && made.weight == weight, "A leaf has other elements than its tree was told.")
        return leaf.storeIfNil(made)
    }
}

extension SortedTree where Key: TreeKey, Value: Weighted {
    /// Builds a tree whose elements are made when they are first visited, some at a time. O(n) for the sums of their weights.
    ///
    /// - Parameters:
    ///   - count: the number of elements, which have the places `0..<count`.
    ///   - weight: the sum of the weights at some places.
    ///   - key: the key at a place. Keys ascend.
    ///   - source: the elements at some places, always the same.
    init(
        lazily count: Int, weight: @escaping SortedTreeStub<Key, Value>.Weights,
        key: @escaping SortedTreeStub<Key, Value>.Keys, source: @escaping SortedTreeStub<Key, Value>.Source
    ) {
        self.init(
            root: SortedTreeNode<Key, Value>.root(
                over: SortedTreeNode<Key, Value>.parts(of: count).map { places in
                    (
                        SortedTreeStub(places, weights: weight, keyAt: key, source: source),
                        key(places.upperBound - 1)
                    )
                }))
    }
}
