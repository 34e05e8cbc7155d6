import YapDatabase

extension LogScenario {
    /// Returns a scenario that plays the same changes in a database. It creates rows at the places that the log names, and its one commit
    /// produces the log. A section reset becomes the deletion of each row.
    ///
    /// - Throws: what is wrong with the log, also if it has too many rows to list.
    package func onDatabase() throws(ScenarioError) -> DatabaseScenario {
        _ = try replayed()
        guard counts.values.allSatisfy({ $0 <= LogRows.limit }) else {
            throw ScenarioError("has more rows than are worth listing, \(LogRows.limit) a group")
        }
        var places = RowPlaces(LogRows(counts, log).before)
        let initial = places.operations
        return DatabaseScenario(
            id: id, mappings: mappings, initial: initial,
            steps: [.init(commits: [log.flatMap { places.perform($0) }])])
    }
}

/// The rows of groups. The sort values of neighbouring rows leave room for rows between them.
private struct RowPlaces {
    private static let gap = 1 << 32

    private var groups: [String: [(key: RowKey, sort: Int)]]

    init(_ groups: [String: [RowKey]]) {
        self.groups = groups.mapValues { keys in keys.enumerated().map { ($1, $0 * Self.gap) } }
    }

    /// The operations that create the rows.
    var operations: [RowOperation] {
        groups.keys.sorted().flatMap { group in
            groups[group, default: []].map { set($0.key, group, $0.sort) }
        }
    }

    /// Performs an operation of a log. Ignores an impossible one, which can occur in a group outside the mappings.
    mutating func perform(_ operation: RawOperation) -> [RowOperation] {
        switch operation {
        case .insertSection, .deleteSection: return []
        case .resetSection(let group):
            defer { groups[group] = [] }
            return groups[group, default: []].map { .remove($0.key) }
        case .insertRow(let group, let index, let key):
            let rows = groups[group, default: []]
            guard (0...rows.count).contains(index) else { return [] }
            let sort = self.sort(at: index, in: rows.map(\.sort))
            groups[group, default: []].insert((key, sort), at: index)
            return [set(key, group, sort)]
        case .deleteRow(let group, let index, let key):
            guard groups[group, default: []].indices.contains(index) else { return [] }
            groups[group]?.remove(at: index)
            return [.remove(key)]
        case .updateRow(_, _, let key, let flags):
            let both: ChangeFlags = [.object, .metadata]
            return [
                flags.isSuperset(of: both) ? .touchRow(key) : flags == .metadata ? .touchMetadata(key) : .touch(key)
            ]
        }
    }

    private func sort(at index: Int, in sorts: [Int]) -> Int {
        if index == sorts.count { return (sorts.last ?? 0) + Self.gap }
        if index == 0 { return sorts[0] - Self.gap }
        return sorts[index - 1] + (sorts[index] - sorts[index - 1]) / 2
    }

    private func set(_ key: RowKey, _ group: String, _ sort: Int) -> RowOperation {
        .set(key, LabRow(group: group, sort: sort, text: LabNames.text(ofKey: key.key)), metadata: nil)
    }
}
