import ListChanges

/// Which rows a commit changed and how, for updating caches and answering `hasChange(…)`.
struct RowChanges: Sendable {
    /// How one row changed. A row that was removed and inserted again has both flags.
    struct Kind: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let object = Kind(rawValue: 1 << 0)
        static let metadata = Kind(rawValue: 1 << 1)
        static let inserted = Kind(rawValue: 1 << 2)
        static let removed = Kind(rawValue: 1 << 3)
    }

    /// By collection, then by key.
    private(set) var rows: [ExactString: [ExactString: Kind]] = [:]
    /// Collections whose rows were all removed at once. Rows inserted afterwards are in `rows`.
    private(set) var clearedCollections: Set<ExactString> = []
    /// Whether all rows were removed at once. Later changes are in the other fields.
    private(set) var isAllCleared = false
    /// Entries in `rows`.
    private(set) var count = 0
}

extension RowChanges {
    var isEmpty: Bool { rows.isEmpty && clearedCollections.isEmpty && !isAllCleared }

    /// Approximate bytes of an entry besides its key.
    static let sizeOfEntry = 40

    /// Approximate bytes in memory. O(n).
    var size: Int {
        let cleared = clearedCollections.reduce(0) { $0 + Self.sizeOfEntry + $1.text.utf8.count }
        return rows.values.reduce(cleared) { size, keys in
            keys.keys.reduce(size) { $0 + Self.sizeOfEntry + $1.text.utf8.count }
        }
    }

    mutating func insert(_ kind: Kind, for key: RowKey) {
        // In place, with one look-up of the collection and one of the key.
        let added = rows[ExactString(key.collection), default: [:]].insert(kind, for: ExactString(key.key))
        if added { count += 1 }
    }

    /// Records the insertion of new rows.
    mutating func insert(_ keys: [String], inCollection collection: String) {
        count += rows[ExactString(collection), default: [:]].insert(keys)
    }

    mutating func clear(_ collection: String) {
        count -= rows.removeValue(forKey: ExactString(collection))?.count ?? 0
        clearedCollections.insert(ExactString(collection))
    }

    mutating func clearAll() {
        self = RowChanges()
        isAllCleared = true
    }

    /// How the row changed; empty if it did not.
    func kind(of key: RowKey) -> Kind {
        if let kind = rows[ExactString(key.collection)]?[ExactString(key.key)] { return kind }
        return isCleared(key.collection) ? .removed : []
    }

    /// Whether all rows that the collection had were removed at once.
    func isCleared(_ collection: String) -> Bool {
        isAllCleared || clearedCollections.contains(ExactString(collection))
    }
}

extension [ExactString: RowChanges.Kind] {
    /// - Returns: whether the key is new.
    fileprivate mutating func insert(_ kind: RowChanges.Kind, for key: ExactString) -> Bool {
        let countBefore = count
        self[key, default: []].formUnion(kind)
        return count != countBefore
    }

    /// - Returns: how many keys are new.
    fileprivate mutating func insert(_ keys: [String]) -> Int {
        let countBefore = count
        reserveCapacity(count + keys.count)
        for key in keys { self[ExactString(key), default: []].formUnion([.object, .metadata, .inserted]) }
        return count - countBefore
    }
}
