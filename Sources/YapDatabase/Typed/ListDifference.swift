import ListChanges

/// What leads from the rows of a list that are in hand to those of a later state, found by comparing keys and values. For commits that no
/// record tells of, as those of a program that knows only SQLite: the places of its rows say nothing, as SQLite uses rowids again, but a
/// follower has the rows themselves.
struct ListDifference<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable> {
    let collection: YapCollection<Value, Key, Metadata>
    /// The rows whose values may differ; nil for all.
    var changed: Set<RowKey>?

    /// - Returns: nil if no change-set says it: the sections change their order, or two rows have one key.
    /// - Complexity: O(n log n) for the rows that are shown, each of which is encoded.
    func changes(from before: [ListSection<Value>], to after: [ListSection<Value>]) -> ChangeSet? {
        guard let old = ListSnapshot(before, key: rowKey), let new = ListSnapshot(after, key: rowKey) else {
            return nil
        }
        return ChangeSet(from: old, to: new) { key, old, new in
            if let changed, !changed.contains(key) { return [] }
            return isSame(before[old.section].rows[old.row], after[new.section].rows[new.row]) ? [] : .object
        }
    }

    /// Compares the rows of one group, whose keys are known and distinct. If one row was moved, inserted or deleted, which is usual, it takes O(n)
    /// comparisons of keys.
    func changes(
        from before: (rows: [Value], keys: [RowKey]), to after: (rows: [Value], keys: [RowKey]), group: String
    ) -> ChangeSet? {
        func flags(_ key: RowKey, _ old: Int, _ new: Int) -> ChangeFlags {
            if let changed, !changed.contains(key) { return [] }
            return isSame(before.rows[old], after.rows[new]) ? [] : .object
        }
        if let changed, let rows = moved(from: before.keys, to: after.keys) {
            return ChangeSet(
                sectionChanges: [],
                rowChanges: rowChanges(rows, changed, before.keys, after.keys, group: group, flags: flags))
        }
        let old = ListSnapshot(sections: [ListSnapshot.Section(group: group, rows: before.keys)])
        let new = ListSnapshot(sections: [ListSnapshot.Section(group: group, rows: after.keys)])
        return ChangeSet(from: old, to: new) { key, old, new in flags(key, old.row, new.row) }
    }

    /// Returns the old position of the only row that leaves its place and the new position of the only one that comes, which may be the same row;
    /// nil inside if no row leaves, or none comes. Nil if there are several.
    private func moved(from before: [RowKey], to after: [RowKey]) -> (from: Int?, to: Int?)? {
        let shorter = min(before.count, after.count)
        var start = 0
        while start < shorter, before[start] == after[start] { start += 1 }
        var end = 0
        while end < shorter - start, before[before.count - 1 - end] == after[after.count - 1 - end] { end += 1 }
        let (old, new) = (before[start..<before.count - end], after[start..<after.count - end])
        switch (old.count, new.count) {
        case (0, 0): return (nil, nil)
        case (1, 0): return (start, nil)
        case (0, 1): return (nil, start)
        case (let count, new.count) where old.dropFirst() == new.dropLast(): return (start, start + count - 1)
        case (let count, new.count) where old.dropLast() == new.dropFirst(): return (start + count - 1, start)
        default: return nil
        }
    }

    private func rowChanges(
        _ moved: (from: Int?, to: Int?), _ changed: Set<RowKey>, _ before: [RowKey], _ after: [RowKey], group: String,
        flags: (RowKey, Int, Int) -> ChangeFlags
    ) -> [RowChange] {
        func path(_ row: Int) -> RowPath { RowPath(section: 0, row: row) }
        func change(_ type: ChangeType, _ flags: ChangeFlags, _ from: Int?, _ to: Int?) -> RowChange {
            RowChange(
                type: type, flags: flags, key: from.map { before[$0] } ?? to.map { after[$0] }, before: from.map(path),
                after: to.map(path), originalGroup: from == nil ? nil : group, finalGroup: to == nil ? nil : group)
        }
        var changes: [RowChange] = []
        if let from = moved.from, let to = moved.to, before[from] == after[to] {
            changes.append(change(.move, flags(before[from], from, to), from, to))
        } else {
            if let from = moved.from { changes.append(change(.delete, [.object, .metadata], from, nil)) }
            if let to = moved.to { changes.append(change(.insert, [.object, .metadata], nil, to)) }
        }
        for key in changed {
            guard let to = after.firstIndex(of: key), to != moved.to else { continue }
            // A row that stays has the same position among the rows that stay, before and after.
            var from = to
            if let inserted = moved.to, inserted < to { from -= 1 }
            if let deleted = moved.from, deleted <= from { from += 1 }
            let found = flags(key, from, to)
            if !found.isEmpty { changes.append(change(.update, found, from, to)) }
        }
        return changes
    }

    private func rowKey(_ value: Value) -> RowKey { collection.rowKey(collection.key(of: value)) }

    /// Whether two values are stored as the same bytes. What cannot be encoded counts as changed.
    private func isSame(_ a: Value, _ b: Value) -> Bool {
        guard let a = try? collection.encoded(a), let b = try? collection.encoded(b) else { return false }
        return a == b
    }
}

extension ListSnapshot {
    /// The keys of rows; nil if two rows have one.
    init?<Row>(_ sections: [ListSection<Row>], key: (Row) -> RowKey) {
        var met: Set<RowKey> = []
        var isUnique = true
        self.init(
            sections: sections.map { section in
                ListSnapshot.Section(
                    group: section.group,
                    rows: section.rows.map { row in
                        let key = key(row)
                        if !met.insert(key).inserted { isUnique = false }
                        return key
                    })
            })
        if !isUnique { return nil }
    }
}
