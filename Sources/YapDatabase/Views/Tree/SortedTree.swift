/// A sorted map that also counts: how many elements, and how much weight, stand before a key.
///
/// A B+-tree with copy-on-write nodes: a copy costs O(1) and shares everything, an edit of a shared tree copies the
/// O(log n) nodes on its path, an edit of a tree nobody shares copies nothing. That is what lets every snapshot keep
/// its own version of a view of millions of rows.
///
/// Cost: every operation is O(log n) unless it says otherwise.
struct SortedTree<Key: Comparable & Sendable, Value: Weighted>: Sendable {
    typealias Element = (key: Key, value: Value)

    private(set) var root: SortedTreeNode<Key, Value>?

    init() {}

    /// Builds the tree from elements in ascending order of unique keys. O(n).
    init(sorted elements: [Element]) {
        root = SortedTreeNode.build(elements)
    }

    /// The number of elements. O(1).
    var count: Int { root?.count ?? 0 }
    /// The sum of all weights. O(1).
    var weight: Int { root?.weight ?? 0 }
    var isEmpty: Bool { count == 0 }
}

/// A value that counts for something in a ``SortedTree``.
protocol Weighted: Sendable {
    var weight: Int { get }
}

extension SortedTree {
    /// The value of the key; setting nil removes it.
    subscript(key: Key) -> Value? {
        get { root?.value(of: key) }
        set {
            if let newValue { insert(newValue, for: key) } else { remove(key) }
        }
    }

    /// Sets the value of the key, which may be there already.
    mutating func insert(_ value: Value, for key: Key) {
        guard root != nil else {
            root = SortedTreeNode(keys: [key], values: [value])
            return
        }
        makeRootUnique()
        if let sibling = root!.insert(value, for: key) {
            root = SortedTreeNode(children: [root!, sibling])
        }
    }

    /// Removes the key if it is there.
    mutating func remove(_ key: Key) {
        guard root != nil, self[key] != nil else { return }
        makeRootUnique()
        root!.remove(key)
        while let node = root, !node.isLeaf, node.children.count == 1 { root = node.children[0] }
        if root!.count == 0 { root = nil }
    }

    /// Changes the value of a key in place.
    ///
    /// - Precondition: the key is there.
    mutating func update<T>(_ key: Key, _ change: (inout Value) throws -> T) rethrows -> T {
        precondition(root != nil, "An empty tree has no value to update.")
        makeRootUnique()
        return try root!.update(key, change)
    }

    private mutating func makeRootUnique() {
        if !isKnownUniquelyReferenced(&root) { root = root!.copy() }
    }
}

extension SortedTree {
    /// How many keys are smaller.
    func rank(of key: Key) -> Int { root?.sums(before: key).count ?? 0 }

    /// The weight of all elements with a smaller key.
    func weight(before key: Key) -> Int { root?.sums(before: key).weight ?? 0 }

    /// The element with `rank` elements before it, or nil beyond the ends.
    func element(atRank rank: Int) -> Element? {
        guard let root, rank >= 0, rank < count else { return nil }
        return root.element(atRank: rank)
    }

    /// The element that holds unit `position` of the total weight, and how many units of it come before.
    func element(atWeight position: Int) -> (key: Key, value: Value, offset: Int)? {
        guard let root, position >= 0, position < weight else { return nil }
        return root.element(atWeight: position)
    }

    /// The last of the elements for which `belongs` holds, and the weight before it; nil when it holds for none.
    ///
    /// `belongs` has to hold for all elements up to some place and for none behind it. It is asked O(log n) times, and
    /// always about the same elements first: as long as a tree changes elsewhere, so are they.
    func last(
        where belongs: (Key, Value) throws -> Bool
    ) rethrows -> (key: Key, value: Value, weightBefore: Int)? {
        try root?.last(where: belongs)
    }

    var first: Element? { element(atRank: 0) }
    var last: Element? { element(atRank: count - 1) }

    /// The element with the next smaller key.
    func element(before key: Key) -> Element? { element(atRank: rank(of: key) - 1) }

    /// The element with the next larger key.
    ///
    /// - Precondition: the key is there.
    func element(after key: Key) -> Element? { element(atRank: rank(of: key) + 1) }

    /// Visits the elements in ascending order until `body` returns false. O(n) for all of them.
    func forEach(_ body: (Key, Value) throws -> Bool) rethrows {
        _ = try root?.forEach(body)
    }
}
