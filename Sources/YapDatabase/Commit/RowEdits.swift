import ListChanges

/// The rows that a transaction has changed so far.
///
/// New rows are only listed: no cache has an entry for them, so a long run of inserts need not pay for an index that is
/// rarely used. ``RowChanges`` is built from both on demand.
struct RowEdits: Sendable {
    /// Changes of all other rows, and changes of new rows before and after their insertion.
    private(set) var others = RowChanges()
    private var inserted: [Inserted] = []
    /// The position of each collection in `inserted`, and the position used last.
    private var places: [ExactString: Int] = [:]
    private var latest = 0

    /// New rows of one collection, with one entry for each insertion.
    private struct Inserted {
        let collection: String
        var keys: [String]
    }

    init() {}

    init(_ changes: RowChanges) { others = changes }
}

extension RowEdits {
    var isEmpty: Bool { others.isEmpty && inserted.allSatisfy { $0.keys.isEmpty } }

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
