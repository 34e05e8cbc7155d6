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

    /// The same for rows of one group whose keys are known.
    func changes(
        from before: (rows: [Value], keys: [RowKey]), to after: (rows: [Value], keys: [RowKey]), group: String
    ) -> ChangeSet? {
        let old = ListSnapshot(sections: [ListSnapshot.Section(group: group, rows: before.keys)])
        let new = ListSnapshot(sections: [ListSnapshot.Section(group: group, rows: after.keys)])
        return ChangeSet(from: old, to: new) { key, old, new in
            if let changed, !changed.contains(key) { return [] }
            return isSame(before.rows[old.row], after.rows[new.row]) ? [] : .object
        }
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
