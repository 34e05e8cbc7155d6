import LiveTable

extension YapDatabaseViewOutcome {
    /// Creates the changes from one list to another by comparing them, for changes without a log, such as a new range.
    /// O(n log n) for all rows.
    init(from before: ListSnapshot, to after: ListSnapshot) {
        guard let sectionChanges = Self.sectionChanges(before.sections.map(\.group), after.sections.map(\.group))
        else {
            self = .reload
            return
        }
        let changes = ChangeSet(sectionChanges: sectionChanges, rowChanges: Self.rowChanges(before, after))
        self = changes.isEmpty ? .none : .changes(changes)
    }

    /// Returns nil if the sections that stay change their order.
    private static func sectionChanges(_ before: [String], _ after: [String]) -> [SectionChange]? {
        guard before.filter(after.contains) == after.filter(before.contains) else { return nil }
        let gone = before.enumerated().filter { !after.contains($0.element) }
        let new = after.enumerated().filter { !before.contains($0.element) }
        return gone.map { SectionChange(type: .delete, index: $0.offset, group: $0.element) }
            + new.map { SectionChange(type: .insert, index: $0.offset, group: $0.element) }
    }

    private static func rowChanges(_ before: ListSnapshot, _ after: ListSnapshot) -> [RowChange] {
        let (old, new) = (before.paths, after.paths)
        var changes: [RowChange] = []
        for (key, path) in old.sorted(by: { $0.value < $1.value }) where new[key] == nil {
            changes.append(RowChange(.delete, key, before: path, in: before.sections[path.section].group))
        }
        for section in after.sections.indices {
            let group = after.sections[section].group
            let staying = after.sections[section].rows.filter { key in
                old[key].map { before.sections[$0.section].group == group } ?? false
            }
            let kept = Set(staying.longestRising { old[$0]!.row })
            for (row, key) in after.sections[section].rows.enumerated() where !kept.contains(key) {
                let path = RowPath(section: section, row: row)
                if let from = old[key] {
                    changes.append(
                        RowChange(
                            type: .move, flags: [], key: key, before: from, after: path,
                            originalGroup: before.sections[from.section].group, finalGroup: group))
                } else {
                    changes.append(RowChange(.insert, key, after: path, in: group))
                }
            }
        }
        return changes
    }
}

extension RowChange {
    fileprivate init(
        _ type: ChangeType, _ key: RowKey, before: RowPath? = nil, after: RowPath? = nil, in group: String
    ) {
        self.init(
            type: type, flags: [.object, .metadata], key: key, before: before, after: after,
            originalGroup: before == nil ? nil : group, finalGroup: after == nil ? nil : group)
    }
}

extension Array {
    /// Returns a longest subsequence of elements with increasing values. O(n log n).
    func longestRising(_ value: (Element) -> Int) -> [Element] {
        /// For each length, the element with the least value that ends such a subsequence.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: count)
        let values = map(value)
        for index in indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if values[ends[middle]] < values[index] { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var run: [Element] = []
        var next = ends.last
        while let index = next {
            run.append(self[index])
            next = previous[index]
        }
        return run.reversed()
    }
}
