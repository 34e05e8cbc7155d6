import ListChanges

/// The rows that a commit changed in one way, in no particular order.
public struct YapDatabaseChangedKeys: Sendable, Sequence {
    private let changes: RowChanges
    private let kind: RowChanges.Kind

    init(commit: Commit, kind: RowChanges.Kind) {
        changes = commit.changes
        self.kind = kind
    }

    /// Costs O(1).
    public func contains(_ key: String, inCollection collection: String? = nil) -> Bool {
        changes.rows[collection ?? ""]?[key]?.contains(kind) ?? false
    }

    public func makeIterator() -> AnyIterator<RowKey> {
        let kind = kind
        return AnyIterator(
            changes.rows.lazy.flatMap { collection, rows in
                rows.lazy.filter { $0.value.contains(kind) }.map { RowKey(collection: collection, key: $0.key) }
            }.makeIterator())
    }
}
