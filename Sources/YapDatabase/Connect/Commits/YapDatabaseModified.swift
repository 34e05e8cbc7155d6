import Foundation

extension Notification.Name {
    /// Posted on the main queue after every commit; the object is the ``YapDatabase``. The keys of `userInfo` are the
    /// constants `YapDatabase…Key`. What waits to be posted does not hold the database: when its last reference goes away
    /// first, nothing is posted. Where more than 512 commits or 1 MB of records wait, one notification takes their place, with
    /// ``YapDatabaseModifiedExternallyKey``.
    public static let YapDatabaseModified = Notification.Name("YapDatabaseModifiedNotification")
    /// Posted on the main queue when a commit of another process is noticed, beside ``YapDatabaseModified``.
    public static let YapDatabaseModifiedExternally = Notification.Name("YapDatabaseModifiedExternallyNotification")
    /// Posted on the main queue after a database was closed. `userInfo` names the files.
    public static let YapDatabaseClosed = Notification.Name("YapDatabaseClosedNotification")
}

/// `Int`: the number of the commit.
public let YapDatabaseSnapshotKey = "snapshot"
/// ``YapDatabaseConnection``: who committed. Absent when the connection is gone, or is another process's.
public let YapDatabaseConnectionKey = "connection"
/// `[String]`: the names of the extensions whose content changed.
public let YapDatabaseExtensionsKey = "extensions"
/// The transaction's `yapDatabaseModifiedNotificationCustomObject`.
public let YapDatabaseCustomKey = "custom"
/// ``YapDatabaseChangedKeys``: rows whose object was set or touched.
public let YapDatabaseObjectChangesKey = "objectChanges"
/// ``YapDatabaseChangedKeys``: rows whose metadata was set or touched.
public let YapDatabaseMetadataChangesKey = "metadataChanges"
/// ``YapDatabaseChangedKeys``: rows that were not there before.
public let YapDatabaseInsertedKeysKey = "insertedKeys"
/// ``YapDatabaseChangedKeys``: rows that were removed one by one.
public let YapDatabaseRemovedKeysKey = "removedKeys"
/// `Set<String>`: collections that were emptied at once.
public let YapDatabaseRemovedCollectionsKey = "removedCollections"
/// `Bool`: whether every row was removed at once.
public let YapDatabaseAllKeysRemovedKey = "allKeysRemoved"
/// `true` when nothing is known of what changed: another process committed without a record, or notifications were merged because
/// the main queue was far behind. Absent otherwise.
public let YapDatabaseModifiedExternallyKey = "modifiedExternally"
/// `URL`: the database file, in ``Foundation/Notification/Name/YapDatabaseClosed``.
public let YapDatabaseURLKey = "databaseURL"
/// `URL`: the write-ahead log.
public let YapDatabaseURLWalKey = "databaseURL_wal"
/// `URL`: the shared-memory file.
public let YapDatabaseURLShmKey = "databaseURL_shm"

/// The commit record itself.
private let commitKey = "commit"

extension Notification {
    /// The commit that a ``Name/YapDatabaseModified`` tells of; nil for any other notification.
    var commit: Commit? { userInfo?[commitKey] as? Commit }
}

extension Commit {
    /// Costs the same however many rows changed.
    func notification(from database: YapDatabase) -> Notification {
        var info: [AnyHashable: Any] = [commitKey: self, YapDatabaseSnapshotKey: snapshot.number]
        info[YapDatabaseConnectionKey] = author.object
        info[YapDatabaseCustomKey] = custom?.value
        if isExternal {
            info[YapDatabaseModifiedExternallyKey] = true
        } else {
            info[YapDatabaseExtensionsKey] = logs.keys.sorted()
            info[YapDatabaseObjectChangesKey] = YapDatabaseChangedKeys(commit: self, kind: .object)
            info[YapDatabaseMetadataChangesKey] = YapDatabaseChangedKeys(commit: self, kind: .metadata)
            info[YapDatabaseInsertedKeysKey] = YapDatabaseChangedKeys(commit: self, kind: .inserted)
            info[YapDatabaseRemovedKeysKey] = YapDatabaseChangedKeys(commit: self, kind: .removed)
            info[YapDatabaseRemovedCollectionsKey] = Set(edits.others.clearedCollections.map(\.text))
            info[YapDatabaseAllKeysRemovedKey] = edits.others.isAllCleared
        }
        return Notification(name: .YapDatabaseModified, object: database, userInfo: info)
    }
}
