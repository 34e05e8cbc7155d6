import ListChanges

/// A dictionary of limited size that drops the least recently used entry. All operations are O(1).
struct LRUCache<Key: CacheKey, Value> {
    private var table = SlotTable()
    private var order = RecencyList()
    /// By slot.
    private var nodes: ContiguousArray<Node> = []
    /// Entries to keep; 0 means all.
    let limit: Int

    private struct Node {
        var key: Key
        var hash: UInt32
        /// Nil in a free slot.
        var value: Value?
    }

    init(limit: Int) { self.limit = limit }

    var count: Int { order.count }
    var keys: [Key] { nodes.compactMap { $0.value == nil ? nil : $0.key } }

    /// The value, which becomes the most recently used one.
    mutating func value(for key: Key) -> Value? {
        guard let slot = slot(of: key, key.cacheHash) else { return nil }
        order.makeNewest(slot)
        return nodes[slot].value
    }

    func contains(_ key: Key) -> Bool { count > 0 && slot(of: key, key.cacheHash) != nil }

    /// - Returns: the entry that was dropped for this one, if any.
    @discardableResult
    mutating func insert(_ value: Value, for key: Key) -> (key: Key, value: Value)? {
        let hash = key.cacheHash
        if let slot = slot(of: key, hash) {
            nodes[slot].value = value
            order.makeNewest(slot)
            return nil
        }
        let slot = order.add()
        let node = Node(key: key, hash: hash, value: value)
        if slot < nodes.count { nodes[slot] = node } else { nodes.append(node) }
        table.insert(slot, hash)
        return limit > 0 && count > limit ? removeOldest() : nil
    }

    /// Inserts the value unless another entry would be dropped.
    mutating func insertWithRoom(_ value: Value, for key: Key) {
        if limit == 0 || count < limit { insert(value, for: key) }
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard count > 0, let slot = slot(of: key, key.cacheHash) else { return nil }
        return remove(at: slot)
    }

    mutating func removeAll() { self = LRUCache(limit: limit) }
}

extension LRUCache {
    private func slot(of key: Key, _ hash: UInt32) -> Int? { table.slot(hash) { nodes[$0].key == key } }

    private mutating func remove(at slot: Int) -> Value? {
        table.remove(slot, nodes[slot].hash)
        order.remove(slot)
        defer { nodes[slot].value = nil }
        return nodes[slot].value
    }

    private mutating func removeOldest() -> (key: Key, value: Value)? {
        guard let slot = order.oldest else { return nil }
        return remove(at: slot).map { (nodes[slot].key, $0) }
    }
}
