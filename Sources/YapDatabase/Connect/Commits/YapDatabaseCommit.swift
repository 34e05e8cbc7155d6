import Foundation
import ListChanges

/// One commit: what ``YapDatabaseConnection/jump()`` returns, ``YapDatabase/commits`` streams and notifications carry.
///
/// A value of one reference, which is always valid and keeps the record of the commit in memory.
public struct YapDatabaseCommit: Sendable {
    let record: Commit

    init(_ record: Commit) { self.record = record }
}

extension YapDatabaseCommit {
    /// The number of the commit.
    public var snapshot: Int { record.mark.number }
    /// The connection that committed; nil if it was released or another process committed.
    public var connection: YapDatabaseConnection? { record.author.object as? YapDatabaseConnection }
    /// Whether another process committed.
    public var isForeign: Bool { record.isForeign }
    /// Whether the changes are unknown, because another process committed without a record or the consumer was so far behind
    /// that several commits were merged.
    public var isExternal: Bool { record.isExternal }
    /// The names of the extensions whose content changed, sorted.
    public var extensions: [String] { record.logs.keys.sorted() }
    /// The transaction's `yapDatabaseModifiedNotificationCustomObject`.
    public var customObject: Any? { record.custom?.value }

    /// Rows whose object was set or touched.
    public var objectChanges: YapDatabaseChangedKeys { YapDatabaseChangedKeys(commit: record, kind: .object) }
    /// Rows whose metadata was set or touched.
    public var metadataChanges: YapDatabaseChangedKeys { YapDatabaseChangedKeys(commit: record, kind: .metadata) }
    /// Rows that did not exist before.
    public var insertedKeys: YapDatabaseChangedKeys { YapDatabaseChangedKeys(commit: record, kind: .inserted) }
    /// Rows that were removed one by one.
    public var removedKeys: YapDatabaseChangedKeys { YapDatabaseChangedKeys(commit: record, kind: .removed) }
    /// Collections whose rows were all removed at once.
    public var removedCollections: Set<String> { Set(record.edits.others.clearedCollections.map(\.text)) }
    /// Whether every row was removed at once.
    public var isAllRemoved: Bool { record.edits.others.isAllCleared }

    /// Whether the row was set, touched or removed; true if the changes are unknown. O(1); O(changed rows) on the first call
    /// for a commit.
    public func hasChange(forKey key: String, inCollection collection: String? = nil) -> Bool {
        isExternal || !record.changes.kind(of: RowKey(collection: collection ?? "", key: key)).isEmpty
    }
}

/// A value that carries a commit: the commit itself, or its `YapDatabaseModified` notification.
public protocol YapDatabaseCommitCarrier {
    /// The commit; nil if there is none.
    var commit: YapDatabaseCommit? { get }
}

extension YapDatabaseCommit: YapDatabaseCommitCarrier {
    /// The commit itself.
    public var commit: YapDatabaseCommit? { self }
}

extension Commit {
    // Specialized, because callers are generic too, and would look up types for each element.
    @_specialize(where Carrier == YapDatabaseCommit)
    static func records<Carrier: YapDatabaseCommitCarrier>(of carriers: [Carrier]) -> [Commit] {
        carriers.compactMap { $0.commit?.record }
    }
}

/// The rows that a commit changed in one way, in unspecified order.
public struct YapDatabaseChangedKeys: Sendable, Sequence {
    private let commit: Commit
    private let kind: RowChanges.Kind

    init(commit: Commit, kind: RowChanges.Kind) {
        self.commit = commit
        self.kind = kind
    }

    /// Whether the row is among them. O(1); O(changed rows) on the first call for a commit.
    public func contains(_ key: String, inCollection collection: String? = nil) -> Bool {
        commit.changes.rows[ExactString(collection ?? "")]?[ExactString(key)]?.contains(kind) ?? false
    }

    /// Returns an iterator over the rows. O(1), also for each step; O(changed rows) on the first call for a commit.
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
