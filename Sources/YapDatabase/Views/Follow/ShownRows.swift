import FileEngine
import ListChanges

/// The rows that a list shows in one state, as keys and digests of their stored bytes. If a commit does not say what it changed, two of
/// these are compared.
///
/// Rowids would not do: a program that knows only SQLite gives them to other rows.
struct ShownRows {
    /// More rows are loaded again instead: comparing them takes longer than a person waits for a frame.
    static let limit = 10_000

    private let keys: ListSnapshot
    private let digests: [RowKey: RowDigest]

    /// Two numbers in place of a row's stored bytes. Other bytes have the same number in one case of 2^64.
    private struct RowDigest {
        let object: Int
        let metadata: Int

        init(_ row: StoredRow) {
            func digest(_ bytes: UnsafeRawBufferPointer?) -> Int {
                var hasher = Hasher()
                hasher.combine(bytes == nil)
                if let bytes { hasher.combine(bytes: bytes) }
                return hasher.finalize()
            }
            object = row.withObject(digest)
            metadata = row.withMetadata(digest)
        }
    }

    /// Reads the rows that mappings show in the transaction's state. O(n), about 4 µs a row.
    ///
    /// Nil if they are too many, if a row is shown twice, or if how a row is drawn depends on its neighbours, so that comparing rows does
    /// not say all.
    init?(_ mappings: YapDatabaseViewMappings, in transaction: YapDatabaseReadTransaction) throws {
        guard !mappings.value.hasCellDrawingDependencies, mappings.numberOfItemsInAllGroups() <= Self.limit,
            let view = transaction.ext(mappings.view) as? YapDatabaseViewTransaction
        else { return nil }
        let reader = try RowReader(transaction.store)
        var digests: [RowKey: RowDigest] = [:]
        var isUnique = true
        keys = try ListSnapshot(mappings.value) { group, index in
            var found: RowKey?
            guard let rowid = try view.settledPages().rowid(at: index, inGroup: group) else {
                throw YapDatabaseError.damagedView(mappings.view, "it counts more rows than its pages have")
            }
            _ = try reader.row(rowid) { key, row in
                found = key
                isUnique = digests.updateValue(RowDigest(row), forKey: key) == nil && isUnique
            }
            return try found ?? view.existingKey(ofRowid: rowid)
        }
        guard isUnique else { return nil }
        self.digests = digests
    }

    /// What leads from these rows to later ones; nil if no change-set says it: the sections change their order.
    func changes(to later: ShownRows) -> ChangeSet? {
        ChangeSet(from: keys, to: later.keys) { key, _, _ in
            guard let before = digests[key], let after = later.digests[key] else { return [] }
            var flags: ChangeFlags = []
            if before.object != after.object { flags.insert(.object) }
            if before.metadata != after.metadata { flags.insert(.metadata) }
            return flags
        }
    }
}
