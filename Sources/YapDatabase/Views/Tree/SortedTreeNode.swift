/// A node of a ``SortedTree``: a leaf with keys and values, an inner node with children and the largest key of each, or a
/// ``SortedTreeStub``, in whose place every function visits the node that it stands for (`resolved`).
///
/// @unchecked Sendable: a node is changed only while a single tree references it; the tree checks that with
/// `isKnownUniquelyReferenced` before every edit. A node that two trees (and so two threads) reference never changes.
///
/// The order and the weights of a tree's elements are demanded in extensions and not here: otherwise a process that has just begun searches all
/// conformances of the program for those of each key and value, 50 µs for each. `Sendable` has none.
class SortedTreeNode<Key: Sendable, Value: Sendable>: @unchecked Sendable {
    // Unchecked: an edit is a function of one node, whose body touches no member of it but the value that it changes. A look-up visits
    // a dozen nodes, and the checks would cost more than the search.
    @exclusivity(unchecked) private(set) final var keys: [Key]
    @exclusivity(unchecked) private(set) final var values: [Value]
    @exclusivity(unchecked) private(set) final var children: [SortedTreeNode]
    @exclusivity(unchecked) private(set) final var count: Int
    @exclusivity(unchecked) private(set) final var weight: Int

    final let isStub: Bool

    final var isLeaf: Bool { children.isEmpty }

    /// - Parameter weight: the sum of the values' weights.
    fileprivate init(keys: [Key], values: [Value], weight: Int) {
        self.keys = keys
        self.values = values
        children = []
        count = values.count
        self.weight = weight
        isStub = false
    }

    convenience init(children: [SortedTreeNode]) { self.init(children: children, keys: children.map { $0.keys.last! }) }

    init(children: [SortedTreeNode], keys: [Key]) {
        self.keys = keys
        values = []
        self.children = children
        count = children.reduce(0) { $0 + $1.count }
        weight = children.reduce(0) { $0 + $1.weight }
        isStub = false
    }

    /// Only for ``SortedTreeStub``.
    init(stubOf count: Int, weight: Int) {
        (keys, values, children) = ([], [], [])
        (self.count, self.weight) = (count, weight)
        isStub = true
    }

    private init(copying node: SortedTreeNode) {
        keys = node.keys
        values = node.values
        children = node.children
        count = node.count
        weight = node.weight
        isStub = false
    }

    /// - Precondition: the node is no stub.
    final func copy() -> SortedTreeNode { SortedTreeNode(copying: self) }
}

extension SortedTreeNode where Key: TreeKey, Value: Weighted {
    /// The most elements of a leaf or children of an inner node: few enough to shift cheaply, enough to keep trees flat.
    static var maxFanOut: Int { 32 }

    convenience init(keys: [Key], values: [Value]) {
        self.init(keys: keys, values: values, weight: values.reduce(0) { $0 + $1.weight })
    }

    /// The node itself, or the one that the stub stands for.
    @inline(__always) final var resolved: SortedTreeNode {
        isStub ? unsafeDowncast(self, to: SortedTreeStub<Key, Value>.self).expanded : self
    }

    /// The same; a node that is made for it is not kept.
    private var resolvedForNow: SortedTreeNode {
        isStub ? unsafeDowncast(self, to: SortedTreeStub<Key, Value>.self).expandedForNow : self
    }

    static func build(_ elements: [(key: Key, value: Value)]) -> SortedTreeNode? {
        root(
            over: parts(of: elements.count) { part in
                let slice = elements[part]
                return (SortedTreeNode(keys: slice.map(\.key), values: slice.map(\.value)), slice.last!.key)
            })
    }

    /// What `body` makes of the elements of each leaf, or of the children of each inner node. An array of ranges would look up protocols at run time.
    private static func parts<Made>(of count: Int, _ body: (Range<Int>) -> Made) -> [Made] {
        stride(from: 0, to: count, by: maxFanOut).map { body($0..<min($0 + maxFanOut, count)) }
    }

    /// Puts levels of inner nodes above leaves, whose last keys are given because a stub would have to be expanded for its own.
    static func root(over leaves: [(node: SortedTreeNode, last: Key)]) -> SortedTreeNode? {
        var level = leaves
        while level.count > 1 {
            level = parts(of: level.count) { part in
                let keys = level[part].map(\.last)
                return (SortedTreeNode(children: level[part].map(\.node), keys: keys), keys.last!)
            }
        }
        return level.first?.node
    }

    /// Returns the first position whose key is not smaller; in an inner node, the only child that may hold the key.
    private func position(of key: Key) -> Int {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if Key.order(keys[middle], key) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

// MARK: Look-ups

extension SortedTreeNode where Key: TreeKey, Value: Weighted {
    func value(of key: Key) -> Value? {
        var node = resolved
        while true {
            let position = node.position(of: key)
            guard position < node.keys.count else { return nil }
            if node.isLeaf { return Key.order(node.keys[position], key) == 0 ? node.values[position] : nil }
            node = node.children[position].resolved
        }
    }

    func sums(before key: Key) -> (count: Int, weight: Int) {
        var sums = (count: 0, weight: 0)
        var node = resolved
        while true {
            let position = node.position(of: key)
            if node.isLeaf {
                sums.count += position
                for value in node.values[..<position] { sums.weight += value.weight }
                return sums
            }
            for child in node.children[..<position] {
                sums.count += child.count
                sums.weight += child.weight
            }
            guard position < node.children.count else { return sums }
            node = node.children[position].resolved
        }
    }

    func element(atRank rank: Int) -> (key: Key, value: Value) {
        var rest = rank
        var node = resolved
        while !node.isLeaf {
            var index = 0
            while rest >= node.children[index].count {
                rest -= node.children[index].count
                index += 1
            }
            node = node.children[index].resolved
        }
        return (node.keys[rest], node.values[rest])
    }

    func element(atWeight position: Int) -> (key: Key, value: Value, offset: Int) {
        var rest = position
        var node = resolved
        while !node.isLeaf {
            var index = 0
            while rest >= node.children[index].weight {
                rest -= node.children[index].weight
                index += 1
            }
            node = node.children[index].resolved
        }
        var index = 0
        while rest >= node.values[index].weight {
            rest -= node.values[index].weight
            index += 1
        }
        return (node.keys[index], node.values[index], rest)
    }

    func last(
        where belongs: (Key, Value) throws -> Bool, estimate share: (_ low: Value, _ high: Value) throws -> Double?
    ) rethrows -> (key: Key, value: Value, weightBefore: Int)? {
        var node = resolved
        var weightBefore = 0
        /// Whether `belongs` is known to hold for an element: the first below `node`.
        var isFound = false
        /// The first element after those below `node`.
        var end: Value?
        while !node.isLeaf {
            let children = node.children
            let index = try Self.last(
                below: children.count, before: end, { children[$0].firstLeaf.values[0] },
                where: { index in
                    let first = children[index].firstLeaf
                    return try belongs(first.keys[0], first.values[0])
                }, estimate: share)
            for child in children[..<index] { weightBefore += child.weight }
            if index > 0 { isFound = true }
            if index + 1 < children.count { end = children[index + 1].firstLeaf.values[0] }
            node = children[index].resolved
        }
        let index = try Self.last(
            below: node.count, before: end, { node.values[$0] },
            where: { try belongs(node.keys[$0], node.values[$0]) }, estimate: share)
        if index == 0, !isFound, try !belongs(node.keys[0], node.values[0]) { return nil }
        for value in node.values[..<index] { weightBefore += value.weight }
        return (node.keys[index], node.values[index], weightBefore)
    }

    /// The steps in a node that are estimated. After these halving bounds the number of all.
    private static var estimatedSteps: Int { 4 }

    /// Returns the last index that belongs. Returns 0 without testing it if no other does.
    private static func last(
        below count: Int, before end: Value?, _ value: (Int) -> Value, where belongs: (Int) throws -> Bool,
        estimate share: (Value, Value) throws -> Double?
    ) rethrows -> Int {
        var (low, high) = (0, count)
        var steps = 0
        while high - low > 1 {
            var middle = (low + high) / 2
            if steps < estimatedSteps, let last = high < count ? value(high) : end,
                let share = try share(value(low), last)
            {
                middle = min(max(low + Int(share * Double(high - low)), low + 1), high - 1)
            }
            steps += 1
            if try belongs(middle) { low = middle } else { high = middle }
        }
        return low
    }

    /// See ``SortedTree/allBounds(of:hold:)``.
    func allBounds(of key: Key, hold: (_ bound: Value, _ isBefore: Bool) throws -> Bool) rethrows -> Bool {
        var node = resolved
        while true {
            let position = node.position(of: key)
            guard position < node.keys.count else { return true }
            if node.isLeaf {
                guard try hold(node.values[position], true) else { return false }
                return try position + 1 == node.count || hold(node.values[position + 1], false)
            }
            let children = node.children
            if position > 0, let first = children[position].firstMade, try !hold(first, true) { return false }
            if position + 1 < children.count, let next = children[position + 1].firstMade, try !hold(next, false) {
                return false
            }
            node = children[position].resolved
        }
    }

    /// The first value, unless a stub would have to make it.
    private var firstMade: Value? {
        var node = self
        while true {
            if node.isStub {
                guard let made = unsafeDowncast(node, to: SortedTreeStub<Key, Value>.self).made else { return nil }
                node = made
            }
            if node.isLeaf { return node.values.first }
            node = node.children[0]
        }
    }

    private var firstLeaf: SortedTreeNode {
        var node = resolved
        while !node.isLeaf { node = node.children[0].resolved }
        return node
    }

    func forEach(keepsMade: Bool, _ body: (Key, Value) throws -> Bool) rethrows -> Bool {
        let node = keepsMade ? resolved : resolvedForNow
        if node.isLeaf {
            for index in node.keys.indices where try !body(node.keys[index], node.values[index]) { return false }
            return true
        }
        for child in node.children where try !child.forEach(keepsMade: keepsMade, body) { return false }
        return true
    }

    func forEachWeight(_ body: (Key, Int) -> Void) {
        if isStub {
            let stub = unsafeDowncast(self, to: SortedTreeStub<Key, Value>.self)
            guard let made = stub.made else { return stub.forEachUnmadeWeight(body) }
            return made.forEachWeight(body)
        }
        for index in values.indices { body(keys[index], values[index].weight) }
        for child in children { child.forEachWeight(body) }
    }
}

// MARK: Edits of a node that only its caller references

extension SortedTreeNode where Key: TreeKey, Value: Weighted {
    /// Inserts a value and returns the right half if the node had to be split.
    func insert(_ value: Value, for key: Key) -> SortedTreeNode? {
        if isLeaf {
            let position = position(of: key)
            if position < keys.count, Key.order(keys[position], key) == 0 {
                weight += value.weight - values[position].weight
                values[position] = value
            } else {
                keys.insert(key, at: position)
                values.insert(value, at: position)
                count += 1
                weight += value.weight
            }
        } else {
            let position = min(position(of: key), children.count - 1)
            uniqueChild(at: position) { child in
                let sums = (child.count, child.weight)
                let sibling = child.insert(value, for: key)
                let siblingSums = (sibling?.count ?? 0, sibling?.weight ?? 0)
                count += child.count + siblingSums.0 - sums.0
                weight += child.weight + siblingSums.1 - sums.1
                keys[position] = child.keys.last!
                return sibling
            }.map { sibling in
                children.insert(sibling, at: position + 1)
                keys.insert(sibling.keys.last!, at: position + 1)
            }
        }
        return keys.count > Self.maxFanOut ? splitOff() : nil
    }

    private func splitOff() -> SortedTreeNode {
        let middle = keys.count / 2
        let right =
            isLeaf
            ? SortedTreeNode(keys: Array(keys[middle...]), values: Array(values[middle...]))
            : SortedTreeNode(children: Array(children[middle...]), keys: Array(keys[middle...]))
        keys.removeSubrange(middle...)
        if isLeaf { values.removeSubrange(middle...) } else { children.removeSubrange(middle...) }
        count -= right.count
        weight -= right.weight
        return right
    }

    /// Removes a key, which must exist. Empty nodes are removed; small ones stay, as the pages of a view do.
    func remove(_ key: Key) {
        let position = position(of: key)
        if isLeaf {
            count -= 1
            weight -= values[position].weight
            keys.remove(at: position)
            values.remove(at: position)
            return
        }
        let isEmpty = uniqueChild(at: position) { child in
            let before = child.weight
            child.remove(key)
            count -= 1
            weight += child.weight - before
            if let last = child.keys.last { keys[position] = last }
            return child.count == 0
        }
        if isEmpty {
            children.remove(at: position)
            keys.remove(at: position)
        }
    }

    func update<T>(_ key: Key, _ change: (inout Value) throws -> T) rethrows -> T {
        let position = position(of: key)
        if isLeaf {
            precondition(
                position < keys.count && Key.order(keys[position], key) == 0, "The tree has no such key to update.")
            let before = values[position].weight
            defer { weight += values[position].weight - before }
            return try change(&values[position])
        }
        precondition(position < children.count, "The tree has no such key to update.")
        return try uniqueChild(at: position) { child in
            let before = child.weight
            defer { weight += child.weight - before }
            return try child.update(key, change)
        }
    }

    private func uniqueChild<T>(at position: Int, _ body: (SortedTreeNode) throws -> T) rethrows -> T {
        if children[position].isStub { children[position] = children[position].resolved }
        if !isKnownUniquelyReferenced(&children[position]) { children[position] = children[position].copy() }
        return try body(children[position])
    }
}

// MARK: Invariants

extension SortedTreeNode where Key: TreeKey, Value: Weighted {
    /// Traps, with the values, if the node's sums or its order are wrong. O(n); for tests.
    func checkInvariants() {
        if isStub {
            precondition(resolved.count == count && resolved.weight == weight, "a stub has other sums than its leaf")
            return resolved.checkInvariants()
        }
        precondition(zip(keys, keys.dropFirst()).allSatisfy { Key.order($0, $1) < 0 }, "keys out of order: \(keys)")
        precondition(keys.count <= Self.maxFanOut, "\(keys.count) entries in a node")
        if isLeaf {
            precondition(keys.count == values.count, "\(keys.count) keys, \(values.count) values")
            precondition(count == values.count, "count \(count), values \(values.count)")
            let sum = values.reduce(0) { $0 + $1.weight }
            precondition(weight == sum, "weight \(weight), values weigh \(sum)")
        } else {
            precondition(
                zip(keys, children).allSatisfy { Key.order($0, $1.resolved.keys.last!) == 0 },
                "keys are not the children's largest")
            let counts = children.reduce(0) { $0 + $1.count }
            let weights = children.reduce(0) { $0 + $1.weight }
            precondition(count == counts && weight == weights, "sums \(count), \(weight) are not \(counts), \(weights)")
            children.forEach { $0.checkInvariants() }
        }
    }
}
