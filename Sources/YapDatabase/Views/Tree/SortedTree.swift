import FileEngine
import ListChanges
import ViewPageKeys

/// A sorted map that also counts: how many elements, and how much weight, come before a key.
///
/// A B+-tree with copy-on-write nodes. A copy costs O(1) and shares everything; an edit of a shared tree copies the
/// O(log n) nodes on its path; an edit of an unshared tree copies nothing. So each snapshot can keep its own version of
/// a view of millions of rows. Parts may be stubs, which are made when they are first visited (``SortedTreeStub``).
///
/// Cost: every operation is O(log n) unless stated otherwise.
struct SortedTree<Key: Sendable, Value: Sendable>: Sendable {
    typealias Element = (key: Key, value: Value)

    private(set) var root: SortedTreeNode<Key, Value>?

    init() {}

    init(root: SortedTreeNode<Key, Value>?) { self.root = root }
}

extension SortedTree where Key: TreeKey, Value: Weighted {
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

/// A key of a ``SortedTree``: numbers are ordered as such, texts by their bytes.
protocol TreeKey: Sendable {
    /// Below 0 if the key comes first, above 0 if the other one does, 0 if they are equal.
    static func order(_ a: Self, _ b: Self) -> Int
}

extension TreeKey where Self: Comparable {
    @inline(__always) static func order(_ a: Self, _ b: Self) -> Int { a < b ? -1 : a == b ? 0 : 1 }
}

extension Int: TreeKey {}
extension Int64: TreeKey {}
extension PageName: TreeKey {}

extension String: TreeKey {
    @inline(__always) static func order(_ a: String, _ b: String) -> Int { a.byteOrder(to: b) }
}

/// A value with a weight that a ``SortedTree`` sums up.
protocol Weighted: Sendable {
    var weight: Int { get }
}

extension SortedTree where Key: TreeKey, Value: Weighted {
    /// The value of the key, nil if there is none. Setting nil removes the key.
    subscript(key: Key) -> Value? {
        get { root?.value(of: key) }
        set {
            if let newValue { insert(newValue, for: key) } else { remove(key) }
        }
    }

    /// Inserts a value, or replaces the value of an existing key.
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

    /// Removes the key if it exists.
    mutating func remove(_ key: Key) {
        guard root != nil, self[key] != nil else { return }
        makeRootUnique()
        root!.remove(key)
        while let node = root, !node.isLeaf, node.children.count == 1 { root = node.children[0] }
        if root!.count == 0 { root = nil }
    }

    /// Changes the value of a key in place.
    ///
    /// - Precondition: the key exists.
    mutating func update<T>(_ key: Key, _ change: (inout Value) throws -> T) rethrows -> T {
        precondition(root != nil, "An empty tree has no value to update.")
        makeRootUnique()
        return try root!.update(key, change)
    }

    private mutating func makeRootUnique() {
        if root!.isStub { root = root!.resolved }
        if !isKnownUniquelyReferenced(&root) { root = root!.copy() }
    }
}

extension SortedTree where Key: TreeKey, Value: Weighted {
    /// Returns the number of smaller keys.
    func rank(of key: Key) -> Int { root?.sums(before: key).count ?? 0 }

    /// Returns the weight of all elements with a smaller key.
    func weight(before key: Key) -> Int { root?.sums(before: key).weight ?? 0 }

    /// Returns the element with `rank` elements before it, or nil beyond the ends.
    func element(atRank rank: Int) -> Element? {
        guard let root, rank >= 0, rank < count else { return nil }
        return root.element(atRank: rank)
    }

    /// Returns the element that holds unit `position` of the total weight, and how many of its units come before that
    /// one.
    func element(atWeight position: Int) -> (key: Key, value: Value, offset: Int)? {
        guard let root, position >= 0, position < weight else { return nil }
        return root.element(atWeight: position)
    }

    /// Returns the last element for which `belongs` holds, and the weight before it; nil if it holds for none.
    ///
    /// `belongs` must hold for all elements up to some place and for none after it. It is called O(log n) times, and
    /// first for the same elements as before, unless the tree changed near them.
    ///
    /// - Parameter share: about how far the place lies from an element on the way to a later one, from 0 to 1, so that fewer elements are
    ///   tested than by halving; nil if that is not known.
    func last(
        where belongs: (Key, Value) throws -> Bool,
        estimate share: (_ low: Value, _ high: Value) throws -> Double?
    ) rethrows -> (key: Key, value: Value, weightBefore: Int)? {
        try root?.last(where: belongs, estimate: share)
    }

    /// Finds the last element for which the condition holds, without estimates.
    func last(
        where belongs: (Key, Value) throws -> Bool
    ) rethrows -> (key: Key, value: Value, weightBefore: Int)? {
        try root?.last(where: belongs, estimate: { _, _ in nil })
    }

    /// Whether `hold` is true for the elements that a search for a key compares with: the one with the key, the next one, and those that
    /// bound the nodes above it. O(log n); of a ``SortedTreeStub`` only the elements beside the key are made.
    ///
    /// - Parameter hold: called with an element and whether it is the one with the key or comes before it.
    func allBounds(of key: Key, hold: (_ bound: Value, _ isBefore: Bool) throws -> Bool) rethrows -> Bool {
        try root?.allBounds(of: key, hold: hold) ?? true
    }

    var first: Element? { element(atRank: 0) }
    var last: Element? { element(atRank: count - 1) }

    /// Returns the element with the next smaller key.
    func element(before key: Key) -> Element? { element(atRank: rank(of: key) - 1) }

    /// Returns the element with the next larger key.
    ///
    /// - Precondition: the key exists.
    func element(after key: Key) -> Element? { element(atRank: rank(of: key) + 1) }

    /// Calls `body` for the elements in ascending order until it returns false. O(n) for all of them.
    /// - Parameter keepsMade: whether elements that were not visited before are kept for the next visit.
    func forEach(keepsMade: Bool = true, _ body: (Key, Value) throws -> Bool) rethrows {
        _ = try root?.forEach(keepsMade: keepsMade, body)
    }

    /// Calls `body` for the keys and weights of all elements in ascending order. Makes no element that was not visited yet. O(n)
    func forEachWeight(_ body: (Key, Int) -> Void) { root?.forEachWeight(body) }
}
