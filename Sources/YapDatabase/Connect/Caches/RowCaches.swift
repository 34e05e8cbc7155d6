import ListChanges

/// The decoded rows that one connection caches for its snapshot.
///
/// A class, because every access to a struct would retain and release each of its parts.
final class RowCaches {
    /// The default number of cached objects, and of cached metadata.
    static let defaultLimit = 250
    /// The number of cached keys and rowids. Views convert between them often, and an entry is small.
    static let identityLimit = 1_000

    private var objects: LRUCache<RowKey, Any>?
    /// `.some(nil)`: the row has no metadata.
    private var metadata: LRUCache<RowKey, Any?>?
    // Unchecked, unlike the caches of values: nothing of the app is destroyed where they change.
    @exclusivity(unchecked) private var identities = IdentityCache(limit: identityLimit)
    /// The version of the codings that decoded the values.
    private var codingVersion = 0

    /// A limit of nil caches nothing, 0 everything.
    init(objectLimit: Int?, metadataLimit: Int?) {
        objects = objectLimit.map(LRUCache.init(limit:))
        metadata = metadataLimit.map(LRUCache.init(limit:))
    }

    var keepsObjects: Bool { objects != nil }

    func object(_ key: RowKey) -> Any? { objects?.value(for: key) }
    func metadata(_ key: RowKey) -> Any?? { metadata?.value(for: key) }
    func key(forRowid rowid: Int64) -> RowKey? { identities.key(forRowid: rowid) }
    func rowid(forKey key: RowKey) -> Int64? { identities.rowid(forKey: key) }

    func setObject(_ object: Any, _ key: RowKey) { objects?.insert(object, for: key) }
    func setMetadata(_ value: Any?, _ key: RowKey) { metadata?.insert(value, for: key) }

    /// Caches the metadata of a row that was written. That a row has none is only noted in the place of cached metadata: most rows have none, and
    /// programs do not ask for them.
    func setWrittenMetadata(_ value: Any?, _ key: RowKey) {
        if value == nil { metadata?.replace(key, with: .some(nil)) } else { setMetadata(value, key) }
    }

    func setRowid(_ rowid: Int64, _ key: RowKey) { identities.insert(rowid, key) }

    /// Caches a new row while there is room. A long run of inserts must not drop entries in use.
    func noteInserted(_ rowid: Int64, _ key: RowKey, object: EncodedValue, metadata: EncodedValue?) {
        if identities.count < Self.identityLimit { setRowid(rowid, key) }
        objects?.insertWithRoom(object.value, for: key)
        // A new row has no entry to remove, so a row without metadata changes nothing.
        if let metadata { self.metadata?.insertWithRoom(metadata.value, for: key) }
    }

    func removeValues(_ key: RowKey) {
        objects?.remove(key)
        metadata?.remove(key)
    }

    func removeRow(_ key: RowKey) {
        removeValues(key)
        identities.remove(key)
    }

    func removeCollection(_ collection: String) {
        removeRows { $0.collection.hasSameBytes(as: collection) }
    }

    /// Begins a transaction: drops values that other codings have decoded.
    func begin(with codings: CodingTable) {
        if codingVersion != codings.version { removeAll() }
        codingVersion = codings.version
    }

    func removeAll() {
        objects?.removeAll()
        metadata?.removeAll()
        identities = IdentityCache(limit: Self.identityLimit)
    }
}

extension RowCaches {
    /// Removes or replaces the entries of rows that another connection changed. Rows that it inserted have no entries here.
    /// - Parameter shared: their new values, as far as connections share them.
    func apply(_ changes: RowChanges, shared: () -> [RowKey: CacheUpdate]) {
        if changes.isAllCleared { return removeAll() }
        for collection in changes.clearedCollections { removeCollection(collection.text) }
        if changes.count > Self.fewChanges, changes.count > entryCount {
            removeRows { !changes.kind(of: $0).isEmpty }
        } else {
            let shared = shared()
            for (collection, rows) in changes.rows {
                for (key, kind) in rows {
                    apply(kind, RowKey(collection: collection.text, key: key.text), shared)
                }
            }
        }
    }

    private func apply(_ kind: RowChanges.Kind, _ key: RowKey, _ shared: [RowKey: CacheUpdate]) {
        if kind.contains(.removed) { return removeRow(key) }
        let shared = shared[key]
        if kind.contains(.object) { objects?.replace(key, with: shared?.object?.value) }
        if kind.contains(.metadata) { metadata?.replace(key, with: shared?.metadata.map { $0?.value }) }
    }

    /// For so many, the entries are not counted, for which each cache is copied.
    private static let fewChanges = 16

    private var entryCount: Int { (objects?.count ?? 0) + (metadata?.count ?? 0) + identities.count }

    private func removeRows(where isGone: (RowKey) -> Bool) {
        let known = Set(identities.keys).union(objects?.keys ?? []).union(metadata?.keys ?? [])
        for key in known where isGone(key) { removeRow(key) }
    }
}

extension LRUCache {
    /// Replaces the value of an existing entry, or removes the entry if there is no new value.
    fileprivate mutating func replace(_ key: Key, with value: Value?) {
        guard contains(key) else { return }
        if let value { insert(value, for: key) } else { remove(key) }
    }
}

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
