import LiveTable

extension TreeRows {
    /// Returns the changes that lead to the tree after a commit. Rows are ordered by name before and after, so nothing
    /// moves. O(n).
    func changes(to after: TreeRows) -> ChangeSet {
        var changes = ChangeSet()
        let old = Dictionary(sections.enumerated().map { ($1.title, $0) }, uniquingKeysWith: { first, _ in first })
        let new = Dictionary(
            after.sections.enumerated().map { ($1.title, $0) }, uniquingKeysWith: { first, _ in first })
        for (index, section) in sections.enumerated() where new[section.title] == nil {
            changes.sectionChanges.append(SectionChange(type: .delete, index: index, group: section.title))
        }
        for (index, section) in after.sections.enumerated() {
            if let before = old[section.title] {
                changes.rowChanges += Self.changes(sections[before].rows, before, section.rows, index)
            } else {
                changes.sectionChanges.append(SectionChange(type: .insert, index: index, group: section.title))
            }
        }
        return changes
    }

    private static func changes(_ before: [TreeRow], _ oldSection: Int, _ after: [TreeRow], _ newSection: Int)
        -> [RowChange]
    {
        func change(_ type: ChangeType, _ item: TreeItem, _ old: Int?, _ new: Int?) -> RowChange {
            RowChange(
                type: type, flags: .object, key: item.rowKey, before: old.map { RowPath(section: oldSection, row: $0) },
                after: new.map { RowPath(section: newSection, row: $0) }, originalGroup: nil, finalGroup: nil)
        }
        let difference = after.map(\.item).difference(from: before.map(\.item))
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        var changes: [RowChange] = []
        for step in difference {
            switch step {
            case .remove(let offset, let item, _):
                removed.insert(offset)
                changes.append(change(.delete, item, offset, nil))
            case .insert(let offset, let item, _):
                inserted.insert(offset)
                changes.append(change(.insert, item, nil, offset))
            }
        }
        let stayed = zip(
            before.indices.filter { !removed.contains($0) }, after.indices.filter { !inserted.contains($0) })
        for (old, new) in stayed where before[old] != after[new] {
            changes.append(change(.update, after[new].item, old, new))
        }
        return changes
    }
}
