import ListChanges

/// What leads from the rows of a list that are in hand to those of a later state, found by comparing keys and values. For commits that no
/// record tells of, as those of a program that knows only SQLite: the places of its rows say nothing, as SQLite uses rowids again, but a
/// follower has the rows themselves.
struct ListDifference<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable> {
    let collection: YapCollection<Value, Key, Metadata>
    /// Whether how a row is drawn depends on its neighbours, in which case comparing rows does not say all.
    let hasDependencies: Bool
    /// The rows whose values may differ; nil for all.
    var changed: Set<RowKey>?

    /// - Returns: nil if no change-set says it: the sections change their order, or two rows have one key.
    /// - Complexity: O(n log n) for the rows that are shown, each of which is encoded.
    func changes(from before: [ListSection<Value>], to after: [ListSection<Value>]) -> ChangeSet? {
        guard !hasDependencies, let old = snapshot(before), let new = snapshot(after) else { return nil }
        return ChangeSet(from: old, to: new) { key, old, new in
            if let changed, !changed.contains(key) { return [] }
            return isSame(before[old.section].rows[old.row], after[new.section].rows[new.row]) ? [] : .object
        }
    }

    private func snapshot(_ sections: [ListSection<Value>]) -> ListSnapshot? {
        var met: Set<RowKey> = []
        var isUnique = true
        let snapshot = ListSnapshot(
            sections: sections.map { section in
                ListSnapshot.Section(
                    group: section.group,
                    rows: section.rows.map { value in
                        let key = collection.rowKey(collection.key(of: value))
                        if !met.insert(key).inserted { isUnique = false }
                        return key
                    })
            })
        return isUnique ? snapshot : nil
    }

    /// Whether two values are stored as the same bytes. What cannot be encoded counts as changed.
    private func isSame(_ a: Value, _ b: Value) -> Bool {
        guard let a = try? collection.encoded(a), let b = try? collection.encoded(b) else { return false }
        return a == b
    }
}
