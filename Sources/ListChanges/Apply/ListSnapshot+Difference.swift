extension ChangeSet {
    /// Creates the changes from one list to another by comparing them, for changes without a log, such as a new range.
    /// Nil if the sections that stay change their order, which no change-set can say. O(n log n) for all rows.
    package init?(from before: ListSnapshot, to after: ListSnapshot) {
        guard let sectionChanges = Self.sectionChanges(before.sections.map(\.group), after.sections.map(\.group))
        else { return nil }
        self.init(sectionChanges: sectionChanges, rowChanges: Self.rowChanges(before, after))
    }

    /// Like ``init(from:to:)``, and says of each row that stays, also of one that moves, what of it changed.
    /// - Parameter changed: what of a row differs between its path before and its path after; called once for each row of both lists.
    package init?(
        from before: ListSnapshot, to after: ListSnapshot,
        changed: (_ key: RowKey, _ before: RowPath, _ after: RowPath) throws -> ChangeFlags
    ) rethrows {
        self.init(from: before, to: after)
        for place in rowChanges.indices {
            guard let key = rowChanges[place].key, let from = rowChanges[place].before, let to = rowChanges[place].after
            else { continue }
            rowChanges[place].flags = try changed(key, from, to)
        }
        let (named, old) = (Set(rowChanges.compactMap(\.key)), before.paths)
        for (section, rows) in after.sections.enumerated() {
            for (row, key) in rows.rows.enumerated() where !named.contains(key) {
                let path = RowPath(section: section, row: row)
                guard let from = old[key] else { continue }
                let flags = try changed(key, from, path)
                if flags.isEmpty { continue }
                rowChanges.append(
                    RowChange(
                        type: .update, flags: flags, key: key, before: from, after: path, originalGroup: rows.group,
                        finalGroup: rows.group))
            }
        }
    }

    /// Returns nil if the sections that stay change their order.
    private static func sectionChanges(_ before: [String], _ after: [String]) -> [SectionChange]? {
        let (old, next) = (before.exact, after.exact)
        func isStaying(_ group: String) -> Bool {
            old.contains(ExactString(group)) && next.contains(ExactString(group))
        }
        guard before.filter(isStaying).hasSameBytes(as: after.filter(isStaying)) else { return nil }
        let gone = before.enumerated().filter { !isStaying($0.element) }
        let new = after.enumerated().filter { !isStaying($0.element) }
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
                old[key].map { before.sections[$0.section].group.hasSameBytes(as: group) } ?? false
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

extension ListSnapshot {
    /// The path of each row.
    package var paths: [RowKey: RowPath] {
        var paths: [RowKey: RowPath] = [:]
        for (section, rows) in sections.map(\.rows).enumerated() {
            for (row, key) in rows.enumerated() { paths[key] = RowPath(section: section, row: row) }
        }
        return paths
    }
}
