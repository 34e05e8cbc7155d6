import ListChanges

/// Which rows a transaction changed so far.
///
/// Rows that are new are only listed: nobody can have anything of them in a cache, so a long run of inserts need not pay
/// for an index that is seldom asked. ``RowChanges`` is made of both when somebody does ask.
struct RowEdits: Sendable {
    /// What happened to all other rows. Of a row that is new, what happened before and after it was inserted.
    private(set) var others = RowChanges()
    private var inserted: [Inserted] = []
    /// Where each collection is in `inserted`, and the one used last.
    private var places: [ExactString: Int] = [:]
    private var latest = 0

    /// New rows of one collection, each once for every time it was inserted.
    private struct Inserted {
        let collection: String
        var keys: [String]
    }

    init() {}

    init(_ changes: RowChanges) { others = changes }
}

extension RowEdits {
    var isEmpty: Bool { others.isEmpty && inserted.allSatisfy { $0.keys.isEmpty } }

    /// Rows that changed; one that was both inserted and changed otherwise may count twice.
    var count: Int { inserted.reduce(others.count) { $0 + $1.keys.count } }

    /// Bytes that it takes, roughly. O(n).
    var size: Int {
        inserted.reduce(others.size) { size, rows in
            rows.keys.reduce(size) { $0 + RowChanges.sizeOfEntry + $1.utf8.count }
        }
    }

    /// A row that was not there is set.
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

    /// A row that was there is set, touched or removed.
    mutating func change(_ kind: RowChanges.Kind, for key: RowKey) { others.insert(kind, for: key) }

    mutating func clear(_ collection: String) {
        if let place = places[ExactString(collection)] { inserted[place].keys = [] }
        others.clear(collection)
    }

    mutating func clearAll() {
        self = RowEdits()
        others.clearAll()
    }

    /// All of it, by row. O(n).
    var changes: RowChanges {
        var changes = others
        for rows in inserted where !rows.keys.isEmpty { changes.insert(rows.keys, inCollection: rows.collection) }
        return changes
    }
}
