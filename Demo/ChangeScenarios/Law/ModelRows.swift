import YapDatabase

/// The rows of a scenario in a dictionary: the list's expected content, computed in a slow and simple way.
struct ModelRows {
    private let list: [ListStage]
    private var rows = LabRows()
    /// The rows that were set or touched since the last check; of a list over related rows, those that were there then.
    private var named: Set<RowKey> = []
    private var known: [RowKey: DerivedModelRow] = [:]

    init(_ list: [ListStage] = []) { self.list = list }

    /// The rows of each group of the list, in order.
    package var groups: [String: [RowKey]] {
        guard list.isEmpty else { return rows.derived(list).groups.mapValues { $0.map(\.rowKey) } }
        return Dictionary(uniqueKeysWithValues: rows.groups.map { ($0, rows.keys(inGroup: $0)) })
    }

    /// Returns the rows to report since the last check: those that were set or touched; of a list over related rows, those that are others now.
    mutating func takeNamed() -> Set<RowKey> {
        defer { named = [] }
        if list.isEmpty { return named }
        let now = Dictionary(uniqueKeysWithValues: rows.derived(list).map { ($0.rowKey, $0) })
        defer { known = now }
        return Set(now.keys.filter { key in known[key].map { $0 != now[key] } ?? false })
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
        case .remove, .removeMany, .removeCollection, .removeAll, .clock: nil
        }
    }
}
