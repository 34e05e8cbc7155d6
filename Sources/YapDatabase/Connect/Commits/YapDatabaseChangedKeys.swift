import ListChanges

/// The rows that a commit changed in one way, in no particular order.
public struct YapDatabaseChangedKeys: Sendable, Sequence {
    private let commit: Commit
    private let kind: RowChanges.Kind

    init(commit: Commit, kind: RowChanges.Kind) {
        self.commit = commit
        self.kind = kind
    }

    /// Costs O(1), the first time of a commit O(changed rows).
    public func contains(_ key: String, inCollection collection: String? = nil) -> Bool {
        commit.changes.rows[ExactString(collection ?? "")]?[ExactString(key)]?.contains(kind) ?? false
    }

    /// Costs O(1), and each step as little.
    public func makeIterator() -> AnyIterator<RowKey> {
        let kind = kind
        return AnyIterator(
            commit.changes.rows.lazy.flatMap { collection, rows in
                rows.lazy.filter { $0.value.contains(kind) }.map {
                    RowKey(collection: collection.text, key: $0.key.text)
                }
            }.makeIterator())
    }
}
