/// A list to which row changes are being applied.
struct ListAssembly {
    private let before: ListSnapshot
    private let origins: [(group: String, section: Int?)]
    /// The rows of `before` that are neither deleted nor moved.
    private var remaining: [[RowKey?]]
    private var coming: [[(row: Int, change: RowChange, key: RowKey)]]
    private var kept: [RowPath: RowChange] = [:]

    init(_ before: ListSnapshot, _ origins: [(group: String, section: Int?)]) {
        self.before = before
        self.origins = origins
        self.remaining = before.sections.map { $0.rows.map(Optional.some) }
        self.coming = Array(repeating: [], count: origins.count)
    }

    /// Removes the row that the change names.
    @discardableResult
    mutating func remove(_ change: RowChange) throws(ChangeSetMisfit) -> RowKey {
        let (path, key) = try find(change)
        remaining[path.section][path.row] = nil
        return key
    }

    /// Puts the row at the place that the change names.
    mutating func put(_ key: RowKey, _ change: RowChange) throws(ChangeSetMisfit) {
        guard let path = change.after, coming.indices.contains(path.section), path.row >= 0 else { throw .row(change) }
        if let named = change.key, named != key { throw .identity(change, found: key) }
        coming[path.section].append((path.row, change, key))
    }

    /// Records that the row must stay.
    mutating func keep(_ change: RowChange) throws(ChangeSetMisfit) {
        kept[try find(change).path] = change
    }

    func assembled() throws(ChangeSetMisfit) -> ListSnapshot {
        var after = ListSnapshot()
        for (section, origin) in origins.enumerated() {
            let rest = origin.section.map { remaining[$0].compactMap(\.self) } ?? []
            var rows = [RowKey?](repeating: nil, count: rest.count + coming[section].count)
            for (row, change, key) in coming[section] {
                guard row < rows.count, rows[row] == nil else { throw .row(change) }
                rows[row] = key
            }
            var next = rest.makeIterator()
            after.sections.append(
                ListSnapshot.Section(group: origin.group, rows: rows.map { $0 ?? next.next()! }))
        }
        for change in kept.values { try check(change, after) }
        return after
    }

    private func find(_ change: RowChange) throws(ChangeSetMisfit) -> (path: RowPath, key: RowKey) {
        guard let path = change.before, before[path] != nil, kept[path] == nil,
            let key = remaining[path.section][path.row]
        else { throw .row(change) }
        if let named = change.key, named != key { throw .identity(change, found: key) }
        return (path, key)
    }

    /// Checks that an updated row is at its path.
    private func check(_ change: RowChange, _ after: ListSnapshot) throws(ChangeSetMisfit) {
        guard let path = change.after else { return }
        guard let found = after[path] else { throw .row(change) }
        guard found == change.before.flatMap({ before[$0] }) else { throw .identity(change, found: found) }
    }
}
