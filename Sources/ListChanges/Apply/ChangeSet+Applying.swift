extension ChangeSet {
    /// Returns the list after these changes, computed the way a table view does it.
    ///
    /// Deleted rows and sections are removed from `before` and the rest closes up. Then inserted and moved ones take
    /// the places that they name, and the rest fills the other places in its old order.
    ///
    /// `inserted` is called on the calling thread.
    ///
    /// - Parameter inserted: returns the row inserted at a path *after* the changes; called for inserts only.
    /// - Throws: `ChangeSetMisfit` where a table view would throw an exception, and where a change names another row
    ///   than the one at its path.
    /// - Complexity: O(rows shown before and after)
    public func applying(
        to before: ListSnapshot, inserted: (RowPath) -> RowKey?
    ) throws(ChangeSetMisfit) -> ListSnapshot {
        let origins = try origins(before.sections.map(\.group))
        var assembly = ListAssembly(before, origins)
        for change in rowChanges {
            switch change.type {
            case .delete: try assembly.remove(change)
            case .insert:
                guard let path = change.after, let key = inserted(path) else { throw .row(change) }
                try assembly.put(key, change)
            case .move: try assembly.put(assembly.remove(change), change)
            case .update: try assembly.keep(change)
            }
        }
        return try assembly.assembled()
    }

    /// Returns, for each section after the changes, its section before and its group, or only the group if it is
    /// inserted.
    /// - Parameter groups: those of the sections before.
    func origins(_ groups: [String]) throws(ChangeSetMisfit) -> [(group: String, section: Int?)] {
        var survivors = groups.indices.map(Optional.some)
        var comings: [(index: Int, change: SectionChange)] = []
        for change in sectionChanges {
            switch change.type {
            case .delete:
                guard survivors.indices.contains(change.index), survivors[change.index] != nil,
                    groups[change.index].hasSameBytes(as: change.group)
                else { throw .section(change) }
                survivors[change.index] = nil
            case .insert: comings.append((change.index, change))
            case .move, .update: throw .section(change)
            }
        }
        var origins = survivors.compactMap(\.self).map { (groups[$0], Optional.some($0)) }
        comings.sort { $0.index < $1.index }
        for (place, coming) in comings.enumerated() {
            guard coming.index >= 0, coming.index <= origins.count,
                place == 0 || comings[place - 1].index < coming.index
            else { throw .section(coming.change) }
            origins.insert((coming.change.group, nil), at: coming.index)
        }
        return origins
    }
}
