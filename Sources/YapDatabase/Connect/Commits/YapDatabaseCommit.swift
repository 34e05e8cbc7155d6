import Foundation
import ListChanges

/// One commit: what ``YapDatabaseConnection/jump()`` returns, ``YapDatabase/commits`` streams and notifications carry.
///
/// A value of one reference. It stays valid for as long as it is kept, and keeps the record of the commit in memory.
public struct YapDatabaseCommit: Sendable {
    let record: Commit

    init(_ record: Commit) { self.record = record }
}

extension YapDatabaseCommit {
    /// The number of the commit.
    public var snapshot: Int { record.snapshot.number }
    /// The connection that committed; nil when it is gone, or is another process's.
    public var connection: YapDatabaseConnection? { record.author.object as? YapDatabaseConnection }
    /// Another process committed.
    public var isForeign: Bool { record.isForeign }
    /// Nothing is known of what changed: another process committed without a record, or several commits were merged because
    /// the consumer was far behind.
    public var isExternal: Bool { record.isExternal }
    /// The names of the extensions whose content changed, in order.
    public var extensions: [String] { record.logs.keys.sorted() }
    /// The transaction's `yapDatabaseModifiedNotificationCustomObject`.
    public var customObject: Any? { record.custom?.value }

    /// Rows whose object was set or touched.
    public var objectChanges: YapDatabaseChangedKeys { YapDatabaseChangedKeys(commit: record, kind: .object) }
    /// Rows whose metadata was set or touched.
    public var metadataChanges: YapDatabaseChangedKeys { YapDatabaseChangedKeys(commit: record, kind: .metadata) }
    /// Rows that were not there before.
    public var insertedKeys: YapDatabaseChangedKeys { YapDatabaseChangedKeys(commit: record, kind: .inserted) }
    /// Rows that were removed one by one.
    public var removedKeys: YapDatabaseChangedKeys { YapDatabaseChangedKeys(commit: record, kind: .removed) }
    /// Collections that were emptied at once.
    public var removedCollections: Set<String> { Set(record.edits.others.clearedCollections.map(\.text)) }
    /// Every row was removed at once.
    public var isAllRemoved: Bool { record.edits.others.isAllCleared }

    /// Whether the row was set, touched or removed; true when nothing is known. Costs O(1), the first time of a commit
    /// O(changed rows).
    public func hasChange(forKey key: String, inCollection collection: String? = nil) -> Bool {
        isExternal || !record.changes.kind(of: RowKey(collection: collection ?? "", key: key)).isEmpty
    }
}

/// What carries a commit: the commit itself, or a ``Foundation/NSNotification/Name/YapDatabaseModified`` of it.
public protocol YapDatabaseCommitCarrier {
    /// Nil when it carries none.
    var commit: YapDatabaseCommit? { get }
}

extension YapDatabaseCommit: YapDatabaseCommitCarrier {
    /// The commit itself.
    public var commit: YapDatabaseCommit? { self }
}

extension Commit {
    static func records(of carriers: [some YapDatabaseCommitCarrier]) -> [Commit] {
        carriers.compactMap { $0.commit?.record }
    }
}

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
