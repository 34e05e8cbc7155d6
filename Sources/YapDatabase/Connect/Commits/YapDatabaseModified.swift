import Foundation

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
