import Foundation
import ListChanges

/// One commit: what ``YapDatabaseConnection/jump()`` returns, ``YapDatabase/commits`` streams and notifications carry.
///
/// A value of one reference, which is always valid and keeps what is known of the commit in memory.
public struct YapDatabaseCommit: Sendable {
    /// The commit as the process uses it.
    let base: Commit

    init(_ base: Commit) { self.base = base }
}

extension YapDatabaseCommit {
    /// The number of the commit.
    public var snapshot: Int { base.version.number }
    /// The connection that committed; nil if it was released or another process committed.
    public var connection: YapDatabaseConnection? { base.author.object as? YapDatabaseConnection }
    /// Whether another process committed.
    public var isForeign: Bool { base.isForeign }
    /// Whether the changes are unknown, because another process committed without a record or the consumer was so far behind
    /// that several commits were merged.
    public var isExternal: Bool { base.isExternal }
    /// The names of the extensions whose content changed, sorted.
    public var extensions: [String] { base.logs.keys.sorted() }
    /// The transaction's `yapDatabaseModifiedNotificationCustomObject`.
    public var customObject: Any? { base.custom?.value }

    /// Rows whose object was set or touched.
    public var objectChanges: YapDatabaseChangedKeys { YapDatabaseChangedKeys(commit: base, kind: .object) }
    /// Rows whose metadata was set or touched.
    public var metadataChanges: YapDatabaseChangedKeys { YapDatabaseChangedKeys(commit: base, kind: .metadata) }
    /// Rows that did not exist before.
    public var insertedKeys: YapDatabaseChangedKeys { YapDatabaseChangedKeys(commit: base, kind: .inserted) }
    /// Rows that were removed one by one.
    public var removedKeys: YapDatabaseChangedKeys { YapDatabaseChangedKeys(commit: base, kind: .removed) }
    /// Collections whose rows were all removed at once.
    public var removedCollections: Set<String> { Set(base.edits.others.clearedCollections.map(\.text)) }
    /// Whether every row was removed at once.
    public var isAllRemoved: Bool { base.edits.others.isAllCleared }

    /// Whether rows of a collection may have been written: true where that is not known. O(changed rows) on the first call for a commit.
    func mayChangeRows(of collection: String) -> Bool {
        isForeign || isExternal || base.changes.rows[ExactString(collection)] != nil
    }

    /// Whether the row was set, touched or removed; true if the changes are unknown. O(1); O(changed rows) on the first call
    /// for a commit.
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    public func hasChange(forKey key: String, inCollection collection: String? = nil) -> Bool {
        isExternal || !base.changes.kind(of: RowKey(collection: collection ?? "", key: key)).isEmpty
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
    static func all<Carrier: YapDatabaseCommitCarrier>(of carriers: [Carrier]) -> [Commit] {
        carriers.compactMap { $0.commit?.base }
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
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    public func contains(_ key: String, inCollection collection: String? = nil) -> Bool {
        commit.changes.rows[ExactString(collection ?? "")]?[ExactString(key)]?.contains(kind) ?? false
    }

    /// Returns an iterator over the rows. O(1), also for each step; O(changed rows) on the first call for a commit.
    public func makeIterator() -> AnyIterator<RowKey> {
        let kind = kind
        return AnyIterator(
            // Rows that lists derive are the library's own.
            commit.changes.rows.lazy.filter { !RowTable.isDerived($0.key.text) }.flatMap { collection, rows in
                rows.lazy.filter { $0.value.contains(kind) }.map {
                    RowKey(collection: collection.text, key: $0.key.text)
                }
            }.makeIterator())
    }
}

extension Notification.Name {
    /// Posted on the main queue after every commit; the object is the ``YapDatabase``. The keys of `userInfo` are the
    /// constants `YapDatabase…Key`. A waiting notification does not hold the database: if the database is released first,
    /// nothing is posted. If more than 512 commits or 1 MB of records wait, one notification with
    /// ``YapDatabaseModifiedExternallyKey`` takes their place.
    public static let YapDatabaseModified = Notification.Name("YapDatabaseModifiedNotification")
    /// Posted on the main queue for each commit of another process that is detected, in addition to ``YapDatabaseModified``.
    public static let YapDatabaseModifiedExternally = Notification.Name("YapDatabaseModifiedExternallyNotification")
    /// Posted on the main queue after a database was closed. `userInfo` names the files.
    public static let YapDatabaseClosed = Notification.Name("YapDatabaseClosedNotification")
}

/// `Int`: the number of the commit.
public let YapDatabaseSnapshotKey = "snapshot"
/// ``YapDatabaseConnection``: the connection that committed. Absent if it was released or another process committed.
public let YapDatabaseConnectionKey = "connection"
/// `[String]`: the names of the extensions whose content changed.
public let YapDatabaseExtensionsKey = "extensions"
/// The transaction's `yapDatabaseModifiedNotificationCustomObject`.
public let YapDatabaseCustomKey = "custom"
/// ``YapDatabaseChangedKeys``: rows whose object was set or touched.
public let YapDatabaseObjectChangesKey = "objectChanges"
/// ``YapDatabaseChangedKeys``: rows whose metadata was set or touched.
public let YapDatabaseMetadataChangesKey = "metadataChanges"
/// ``YapDatabaseChangedKeys``: rows that did not exist before.
public let YapDatabaseInsertedKeysKey = "insertedKeys"
/// ``YapDatabaseChangedKeys``: rows that were removed one by one.
public let YapDatabaseRemovedKeysKey = "removedKeys"
/// `Set<String>`: collections whose rows were all removed at once.
public let YapDatabaseRemovedCollectionsKey = "removedCollections"
/// `Bool`: whether every row was removed at once.
public let YapDatabaseAllKeysRemovedKey = "allKeysRemoved"
/// `true` if the changes are unknown, because another process committed without a record or the main queue was so far behind
/// that notifications were merged. Absent otherwise.
public let YapDatabaseModifiedExternallyKey = "modifiedExternally"
/// `URL`: the database file, in the notification `YapDatabaseClosed`.
public let YapDatabaseURLKey = "databaseURL"
/// `URL`: the write-ahead log.
public let YapDatabaseURLWalKey = "databaseURL_wal"
/// `URL`: the shared-memory file.
public let YapDatabaseURLShmKey = "databaseURL_shm"

private let commitKey = "commit"

extension Notification: YapDatabaseCommitCarrier {
    /// The commit of a ``Foundation/NSNotification/Name/YapDatabaseModified``; nil for any other notification.
    public var commit: YapDatabaseCommit? { userInfo?[commitKey] as? YapDatabaseCommit }
}

extension YapDatabaseCommit {
    /// O(1), regardless of the number of changed rows.
    func notification(from database: YapDatabase) -> Notification {
        // Room for all keys, because a dictionary that grows hashes them again.
        var info = [AnyHashable: Any](minimumCapacity: 11)
        info[commitKey] = self
        info[YapDatabaseSnapshotKey] = snapshot
        if let connection { info[YapDatabaseConnectionKey] = connection }
        if let customObject { info[YapDatabaseCustomKey] = customObject }
        if isExternal {
            info[YapDatabaseModifiedExternallyKey] = true
        } else {
            info[YapDatabaseExtensionsKey] = extensions
            info[YapDatabaseObjectChangesKey] = objectChanges
            info[YapDatabaseMetadataChangesKey] = metadataChanges
            info[YapDatabaseInsertedKeysKey] = insertedKeys
            info[YapDatabaseRemovedKeysKey] = removedKeys
            info[YapDatabaseRemovedCollectionsKey] = removedCollections
            info[YapDatabaseAllKeysRemovedKey] = isAllRemoved
        }
        return Notification(name: .YapDatabaseModified, object: database, userInfo: info)
    }
}
