import LiveTable

/// The rows of a scenario in a dictionary: what the view must hold, worked out the slow and simple way.
struct ModelRows {
    private var rows: [RowKey: LabRow] = [:]
    /// The rows that were set or touched since the last look.
    private var named: Set<RowKey> = []

    /// The rows of each group of the view, in order.
    var groups: [String: [RowKey]] {
        var groups: [String: [RowKey]] = [:]
        for (key, row) in rows { row.group.map { groups[$0, default: []].append(key) } }
        return groups.mapValues { keys in
            keys.sorted { (rows[$0]!.sort, $0.key, $0.collection) < (rows[$1]!.sort, $1.key, $1.collection) }
        }
    }

    mutating func takeNamed() -> Set<RowKey> {
        defer { named = [] }
        return named
    }

    mutating func perform(_ operations: [RowOperation]) {
        for operation in operations { perform(operation) }
    }

    private mutating func perform(_ operation: RowOperation) {
        switch operation {
        case .set(let key, let row, _): set(key, row)
        case .replaceObject(let key, let row): if rows[key] != nil { set(key, row) }
        case .replaceMetadata(let key, _), .touch(let key), .touchMetadata(let key), .touchRow(let key):
            if rows[key] != nil { named.insert(key) }
        case .remove(let key): rows[key] = nil
        case .removeMany(let keys, let collection):
            for key in keys { rows[RowKey(collection: collection, key: key)] = nil }
        case .removeCollection(let collection): rows = rows.filter { $0.key.collection != collection }
        case .removeAll: rows = [:]
        }
    }

    private mutating func set(_ key: RowKey, _ row: LabRow) {
        rows[key] = row
        named.insert(key)
    }
}
