/// A dictionary of limited size that drops the least recently used entry. All operations are O(1).
struct LRUCache<Key: Hashable, Value> {
    private var slots: [Key: Int] = [:]
    private var nodes: [Node] = []
    private var free: [Int] = []
    /// The most recently used slot and the least, -1 when empty.
    private var newest = -1
    private var oldest = -1
    /// Entries to keep; 0 means all.
    private(set) var limit: Int

    private struct Node {
        var key: Key
        /// Nil in a free slot.
        var value: Value?
        var newer: Int
        var older: Int
    }

    init(limit: Int) { self.limit = limit }

    var count: Int { slots.count }
    var keys: some Collection<Key> { slots.keys }

    /// The value, which becomes the most recently used one.
    mutating func value(for key: Key) -> Value? {
        guard let slot = slots[key] else { return nil }
        makeNewest(slot)
        return nodes[slot].value
    }

    func contains(_ key: Key) -> Bool { slots[key] != nil }

    /// - Returns: the entry that was dropped for this one, if any.
    @discardableResult
    mutating func insert(_ value: Value, for key: Key) -> (key: Key, value: Value)? {
        // One lookup instead of two: chooses the slot for a new entry first, and returns it if there is an old entry.
        let slot = free.last ?? nodes.count
        if let old = slots.updateValue(slot, forKey: key) {
            slots[key] = old
            nodes[old].value = value
            makeNewest(old)
            return nil
        }
        fill(slot, key, value)
        return limit > 0 && slots.count > limit ? removeOldest() : nil
    }

    /// Inserts the value unless another entry would be dropped.
    mutating func insertWithRoom(_ value: Value, for key: Key) {
        if limit == 0 || slots.count < limit { insert(value, for: key) }
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let slot = slots.removeValue(forKey: key) else { return nil }
        unlink(slot)
        let value = nodes[slot].value
        nodes[slot].value = nil
        free.append(slot)
        return value
    }

    mutating func removeAll() { self = LRUCache(limit: limit) }

    mutating func setLimit(_ limit: Int) {
        self.limit = limit
        while limit > 0, slots.count > limit { _ = removeOldest() }
    }
}

extension LRUCache {
    private mutating func fill(_ slot: Int, _ key: Key, _ value: Value) {
        let node = Node(key: key, value: value, newer: -1, older: -1)
        if slot < nodes.count {
            free.removeLast()
            nodes[slot] = node
        } else {
            nodes.append(node)
        }
        linkAsNewest(slot)
    }

    private mutating func removeOldest() -> (key: Key, value: Value)? {
        guard oldest >= 0 else { return nil }
        let key = nodes[oldest].key
        return remove(key).map { (key, $0) }
    }

    private mutating func makeNewest(_ slot: Int) {
        guard slot != newest else { return }
        unlink(slot)
        linkAsNewest(slot)
    }

    private mutating func linkAsNewest(_ slot: Int) {
        nodes[slot].newer = -1
        nodes[slot].older = newest
        if newest >= 0 { nodes[newest].newer = slot } else { oldest = slot }
        newest = slot
    }

    private mutating func unlink(_ slot: Int) {
        let (newer, older) = (nodes[slot].newer, nodes[slot].older)
        if newer >= 0 { nodes[newer].older = older } else { newest = older }
        if older >= 0 { nodes[older].newer = newer } else { oldest = newer }
    }
}
