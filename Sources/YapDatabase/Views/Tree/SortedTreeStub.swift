import Synchronization

/// A leaf of a ``SortedTree`` whose elements are made when they are first visited. Its sums are known before.
///
/// Each thread that visits it first may make the elements, and one of the results is kept for all. A stub itself never changes.
final class SortedTreeStub<Key: TreeKey, Value: Weighted>: SortedTreeNode<Key, Value>, @unchecked Sendable {
    typealias Source = @Sendable (Range<Int>) -> [(key: Key, value: Value)]

    private let places: Range<Int>
    private let source: Source
    private let leaf = AtomicLazyReference<SortedTreeNode<Key, Value>>()

    init(_ places: Range<Int>, weight: Int, source: @escaping Source) {
        self.places = places
        self.source = source
        super.init(stubOf: places.count, weight: weight)
    }

    /// The leaf that this one stands for.
    var expanded: SortedTreeNode<Key, Value> { made ?? expand() }

    /// The node, if it was visited before; nil otherwise.
    var made: SortedTreeNode<Key, Value>? { leaf.load() }

    @inline(never) private func expand() -> SortedTreeNode<Key, Value> {
        let elements = source(places)
        let made = SortedTreeNode(keys: elements.map(\.key), values: elements.map(\.value))
        precondition(made.count == count && made.weight == weight, "A leaf has other elements than its tree was told.")
        return leaf.storeIfNil(made)
    }
}

extension SortedTree {
    /// Builds a tree whose elements are made when they are first visited, some at a time. O(n) for the sums of their weights.
    ///
    /// - Parameters:
    ///   - count: the number of elements, which have the places `0..<count`.
    ///   - weight: the sum of the weights at some places.
    ///   - key: the key at a place. Keys ascend.
    ///   - source: the elements at some places, always the same.
    init(
        lazily count: Int, weight: (Range<Int>) -> Int, key: (Int) -> Key,
        source: @escaping SortedTreeStub<Key, Value>.Source
    ) {
        self.init(
            root: SortedTreeNode<Key, Value>.root(
                over: SortedTreeNode<Key, Value>.parts(of: count).map { places in
                    (SortedTreeStub(places, weight: weight(places), source: source), key(places.upperBound - 1))
                }))
    }
}
