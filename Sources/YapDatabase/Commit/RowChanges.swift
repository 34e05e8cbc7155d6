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
        /// The row was inserted, and not changed since.
        static let new: Kind = [.object, .metadata, .inserted]
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
        for key in keys { self[ExactString(key), default: []].formUnion(.new) }
        return count - countBefore
    }
}

/// The rows that a transaction has changed so far.
///
/// New rows are only listed: no cache has an entry for them, so a long run of inserts need not pay for an index that is
/// rarely used. ``RowChanges`` is built from both on demand.
struct RowEdits: Sendable {
    /// Changes of all other rows, and changes of new rows before and after their insertion.
    private(set) var others = RowChanges()
    private(set) var inserted: [Inserted] = []
    /// The position of each collection in `inserted`, and the position used last.
    private var places: [ExactString: Int] = [:]
    private var latest = 0

    /// New rows of one collection, with one entry for each insertion.
    struct Inserted {
        let collection: String
        fileprivate(set) var keys: [String]
    }

    init() {}

    init(_ changes: RowChanges) { others = changes }
}

extension RowEdits {
    var isEmpty: Bool { others.isEmpty && inserted.allSatisfy { $0.keys.isEmpty } }

    /// Whether rows of a collection may have changed. O(collections).
    func touches(collection: String) -> Bool {
        others.isCleared(collection) || others.rows[ExactString(collection)] != nil
            || inserted.contains { $0.collection.hasSameBytes(as: collection) }
    }

    /// The number of changed rows. A row that was inserted and also changed may count twice.
    var count: Int { inserted.reduce(others.count) { $0 + $1.keys.count } }

    /// Approximate bytes in memory. O(n).
    var size: Int {
        inserted.reduce(others.size) { size, rows in
            rows.keys.reduce(size) { $0 + RowChanges.sizeOfEntry + $1.utf8.count }
        }
    }

    /// Records the insertion of a new row.
    mutating func insert(_ key: RowKey) {
        if latest >= inserted.count || !inserted[latest].collection.hasSameBytes(as: key.collection) {
            select(key.collection)
        }
        inserted[latest].keys.append(key.key)
    }

    private mutating func select(_ collection: String) {
        if let place = places[ExactString(collection)] { return latest = place }
        latest = inserted.count
        places[ExactString(collection)] = latest
        inserted.append(Inserted(collection: collection, keys: []))
    }

    /// Records that an existing row was set, touched or removed.
    mutating func change(_ kind: RowChanges.Kind, for key: RowKey) { others.insert(kind, for: key) }

    mutating func clear(_ collection: String) {
        if let place = places[ExactString(collection)] { inserted[place].keys = [] }
        others.clear(collection)
    }

    mutating func clearAll() {
        self = RowEdits()
        others.clearAll()
    }

    /// All changes by row. O(n).
    var changes: RowChanges {
        var changes = others
        for rows in inserted where !rows.keys.isEmpty { changes.insert(rows.keys, inCollection: rows.collection) }
        return changes
    }
}
