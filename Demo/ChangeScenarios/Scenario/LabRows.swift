import YapDatabase

/// The rows of a lab as a value: after the commits so far and the edits collected since.
///
/// It knows the inverse of each operation, which a database does not.
package struct LabRows: Hashable, Sendable {
    package struct Content: Hashable, Sendable {
        package var row: LabRow
        package var metadata: String?

        package init(row: LabRow, metadata: String? = nil) {
            self.row = row
            self.metadata = metadata
        }
    }

    package private(set) var contents: [RowKey: Content] = [:]
    /// The number of rows of each group that has any.
    private var counts: [String: Int] = [:]
    /// The time, in hours.
    package private(set) var clock = 0

    package init(_ contents: [RowKey: Content] = [:]) {
        for (key, content) in contents { self[key] = content }
    }

    package private(set) subscript(key: RowKey) -> Content? {
        get { contents[key] }
        set {
            if let group = contents[key]?.row.group {
                counts[group, default: 0] -= 1
                if counts[group] == 0 { counts[group] = nil }
            }
            if let group = newValue?.row.group { counts[group, default: 0] += 1 }
            contents[key] = newValue
        }
    }

    /// Returns the rows of a group in the view's order. O(n log n) for all rows.
    package func keys(inGroup group: String) -> [RowKey] {
        contents.filter { $0.value.row.group == group }.keys.sorted { order(of: $0) < order(of: $1) }
    }

    /// The operations that create these rows in an empty database, by name.
    package var operations: [RowOperation] {
        (clock == 0 ? [] : [.clock(clock)])
            + contents.sorted { $0.key.scenarioName < $1.key.scenarioName }
            .map { .set($0.key, $0.value.row, metadata: $0.value.metadata) }
    }

    /// The groups that have rows, by name.
    package var groups: [String] { counts.keys.sorted() }

    private func order(of key: RowKey) -> (Int, String, String) {
        (contents[key]?.row.sort ?? 0, key.key, key.collection)
    }
}

extension LabRows {
    /// Performs a transaction's operations and returns their inverse, in the order in which to perform it.
    package mutating func perform(_ operations: [RowOperation]) -> [RowOperation] {
        var inverse: [RowOperation] = []
        for operation in operations { inverse = perform(operation) + inverse }
        return inverse
    }

    private mutating func perform(_ operation: RowOperation) -> [RowOperation] {
        switch operation {
        case .set(let key, let row, let metadata): return put(Content(row: row, metadata: metadata), at: key)
        case .replaceObject(let key, let row):
            guard let old = contents[key] else { return [] }
            return put(Content(row: row, metadata: old.metadata), at: key)
        case .replaceMetadata(let key, let metadata):
            guard let old = contents[key] else { return [] }
            return put(Content(row: old.row, metadata: metadata), at: key)
        case .remove(let key): return remove([key])
        case .removeMany(let keys, let collection):
            return remove(keys.map { RowKey(collection: collection, key: $0) })
        case .removeCollection(let collection): return remove(contents.keys.filter { $0.collection == collection })
        case .removeAll: return remove(Array(contents.keys))
        case .touch, .touchMetadata, .touchRow: return []
        case .clock(let hour):
            defer { clock = hour }
            return [.clock(clock)]
        }
    }

    private mutating func put(_ content: Content, at key: RowKey) -> [RowOperation] {
        defer { self[key] = content }
        return [restoring(key)]
    }

    private mutating func remove(_ keys: [RowKey]) -> [RowOperation] {
        let present = keys.filter { contents[$0] != nil }.sorted { $0.scenarioName < $1.scenarioName }
        let inverse = present.map { restoring($0) }
        for key in present { self[key] = nil }
        return inverse
    }

    /// Returns the operation that restores a row to its present state.
    private func restoring(_ key: RowKey) -> RowOperation {
        contents[key].map { .set(key, $0.row, metadata: $0.metadata) } ?? .remove(key)
    }
}
