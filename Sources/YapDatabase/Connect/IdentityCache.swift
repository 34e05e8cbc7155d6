import ListChanges

/// Rowids and keys of rows, each found by the other. Drops the pair whose rowid was not asked for or set for longest. All operations are
/// O(1).
struct IdentityCache {
    private var byRowid = SlotTable()
    private var byKey = SlotTable()
    private var order = RecencyList()
    /// By slot.
    private var nodes: ContiguousArray<Node> = []
    let limit: Int

    private struct Node {
        var rowid: Int64
        /// Nil in a free slot.
        var key: RowKey?
        var keyHash: UInt32
    }

    init(limit: Int) { self.limit = limit }

    var count: Int { order.count }
    var keys: [RowKey] { nodes.compactMap(\.key) }

    mutating func key(forRowid rowid: Int64) -> RowKey? {
        guard let slot = slot(of: rowid) else { return nil }
        order.makeNewest(slot)
        return nodes[slot].key
    }

    func rowid(forKey key: RowKey) -> Int64? { slot(of: key, key.cacheHash).map { nodes[$0].rowid } }

    mutating func insert(_ rowid: Int64, _ key: RowKey) {
        let hash = key.cacheHash
        if let slot = slot(of: key, hash) {
            if nodes[slot].rowid == rowid { return order.makeNewest(slot) }
            remove(at: slot)
        }
        if let former = slot(of: rowid) { remove(at: former) }
        let slot = order.add()
        let node = Node(rowid: rowid, key: key, keyHash: hash)
        if slot < nodes.count { nodes[slot] = node } else { nodes.append(node) }
        byRowid.insert(slot, rowid.cacheHash)
        byKey.insert(slot, hash)
        if count > limit, let oldest = order.oldest { remove(at: oldest) }
    }

    mutating func remove(_ key: RowKey) {
        if let slot = slot(of: key, key.cacheHash) { remove(at: slot) }
    }

    private func slot(of rowid: Int64) -> Int? { byRowid.slot(rowid.cacheHash) { nodes[$0].rowid == rowid } }

    private func slot(of key: RowKey, _ hash: UInt32) -> Int? { byKey.slot(hash) { nodes[$0].key == key } }

    private mutating func remove(at slot: Int) {
        byRowid.remove(slot, nodes[slot].rowid.cacheHash)
        byKey.remove(slot, nodes[slot].keyHash)
        order.remove(slot)
        nodes[slot].key = nil
    }
}
