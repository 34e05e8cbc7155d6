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

    /// Of a row that was written. That it has no metadata is noted only where something else is cached: most collections have none, and
    /// no program asks for them.
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
    /// Removes or replaces the entries of rows that another connection's commit changed.
    func apply(_ commit: Commit) {
        // Rows that the commit inserted have no entries here.
        let changes = commit.edits.others
        if commit.isExternal || changes.isAllCleared { return removeAll() }
        for collection in changes.clearedCollections { removeCollection(collection.text) }
        if changes.count > Self.fewChanges, changes.count > entryCount {
            removeRows { !changes.kind(of: $0).isEmpty }
        } else {
            let shared = commit.shared
            for (collection, rows) in changes.rows {
                for (key, kind) in rows {
                    apply(kind, RowKey(collection: collection.text, key: key.text), shared)
                }
            }
        }
    }

    private func apply(_ kind: RowChanges.Kind, _ key: RowKey, _ shared: [RowKey: SharedRow]) {
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
