import YapDatabase

/// The rows of a scenario in a dictionary: the view's expected content, computed in a slow and simple way.
struct ModelRows {
    private var rows = LabRows()
    /// The rows that were set or touched since the last check.
    private var named: Set<RowKey> = []

    /// The rows of each group of the view, in order.
    package var groups: [String: [RowKey]] {
        Dictionary(uniqueKeysWithValues: rows.groups.map { ($0, rows.keys(inGroup: $0)) })
    }

    mutating func takeNamed() -> Set<RowKey> {
        defer { named = [] }
        return named
    }

    package mutating func perform(_ operations: [RowOperation]) {
        for operation in operations {
            _ = rows.perform([operation])
            if let key = operation.named, rows[key] != nil { named.insert(key) }
        }
    }
}

extension RowOperation {
    /// The row that is set or touched, if there is one.
    fileprivate var named: RowKey? {
        switch self {
        case .set(let key, _, _), .replaceObject(let key, _), .replaceMetadata(let key, _), .touch(let key),
            .touchMetadata(let key), .touchRow(let key):
            key
        case .remove, .removeMany, .removeCollection, .removeAll: nil
        }
    }
}
