import Foundation
import ListChanges

/// What happened to rows in the commits that `beginLongLivedReadTransaction()` returned. All of these answer true when
/// another process wrote, because nothing is known then.
extension YapDatabaseConnection {
    /// Whether a row of the collection was set, touched or removed. Costs O(changed rows of the collection) at most.
    public func hasChange(forCollection collection: String?, in notifications: [Notification]) -> Bool {
        anyCommit(notifications) { $0.hasChange(in: collection ?? "", [.object, .metadata, .removed]) }
    }

    /// Whether an object of the collection was set, touched or removed.
    public func hasObjectChange(forCollection collection: String?, in notifications: [Notification]) -> Bool {
        anyCommit(notifications) { $0.hasChange(in: collection ?? "", [.object, .removed]) }
    }

    /// Whether metadata of the collection was set, touched or removed.
    public func hasMetadataChange(forCollection collection: String?, in notifications: [Notification]) -> Bool {
        anyCommit(notifications) { $0.hasChange(in: collection ?? "", [.metadata, .removed]) }
    }

    /// Whether the row was set, touched or removed. Costs O(commits).
    public func hasChange(
        forKey key: String, inCollection collection: String?, in notifications: [Notification]
    ) -> Bool {
        hasChange(forAnyKeys: [key], inCollection: collection, in: notifications)
    }

    /// Whether the row's object was set, touched or removed.
    public func hasObjectChange(
        forKey key: String, inCollection collection: String?, in notifications: [Notification]
    ) -> Bool {
        hasObjectChange(forAnyKeys: [key], inCollection: collection, in: notifications)
    }

    /// Whether the row's metadata was set, touched or removed.
    public func hasMetadataChange(
        forKey key: String, inCollection collection: String?, in notifications: [Notification]
    ) -> Bool {
        hasMetadataChange(forAnyKeys: [key], inCollection: collection, in: notifications)
    }

    /// Whether any of the rows was set, touched or removed. Costs O(keys × commits).
    public func hasChange(
        forAnyKeys keys: Set<String>, inCollection collection: String?, in notifications: [Notification]
    ) -> Bool {
        anyCommit(notifications) { $0.hasChange(of: keys, in: collection ?? "", [.object, .metadata, .removed]) }
    }

    /// Whether the object of any of the rows was set, touched or removed.
    public func hasObjectChange(
        forAnyKeys keys: Set<String>, inCollection collection: String?, in notifications: [Notification]
    ) -> Bool {
        anyCommit(notifications) { $0.hasChange(of: keys, in: collection ?? "", [.object, .removed]) }
    }

    /// Whether the metadata of any of the rows was set, touched or removed.
    public func hasMetadataChange(
        forAnyKeys keys: Set<String>, inCollection collection: String?, in notifications: [Notification]
    ) -> Bool {
        anyCommit(notifications) { $0.hasChange(of: keys, in: collection ?? "", [.metadata, .removed]) }
    }

    /// Whether the collection was emptied at once, or all of them.
    public func didClearCollection(_ collection: String?, in notifications: [Notification]) -> Bool {
        notifications.contains { notification in
            notification.commit?.edits.others.isCleared(collection ?? "") ?? false
        }
    }

    /// Whether every row was removed at once.
    public func didClearAllCollections(in notifications: [Notification]) -> Bool {
        notifications.contains { $0.commit?.edits.others.isAllCleared ?? false }
    }

    /// Calls the closure once for every row of the collection that was set, touched or removed one by one.
    public func enumerateChangedKeys(
        inCollection collection: String?, in notifications: [Notification],
        using body: (_ key: String, _ stop: inout Bool) throws -> Void
    ) rethrows {
        try enumerateChangedCollectionKeys(in: notifications, where: { $0 == ExactString(collection ?? "") }) {
            key, stop in
            try body(key.key, &stop)
        }
    }

    /// Calls the closure once for every row that was set, touched or removed one by one.
    public func enumerateChangedCollectionKeys(
        in notifications: [Notification], using body: (_ key: RowKey, _ stop: inout Bool) throws -> Void
    ) rethrows {
        try enumerateChangedCollectionKeys(in: notifications, where: { _ in true }, using: body)
    }

    private func anyCommit(_ notifications: [Notification], _ test: (RowChanges) -> Bool) -> Bool {
        notifications.contains { notification in
            notification.commit.map { $0.isExternal || test($0.changes) } ?? false
        }
    }

    private func enumerateChangedCollectionKeys(
        in notifications: [Notification], where isIncluded: (ExactString) -> Bool,
        using body: (RowKey, inout Bool) throws -> Void
    ) rethrows {
        var seen: Set<RowKey> = []
        var stop = false
        for commit in notifications.compactMap(\.commit) {
            for (collection, rows) in commit.changes.rows where isIncluded(collection) {
                for key in rows.keys {
                    let key = RowKey(collection: collection.text, key: key.text)
                    guard seen.insert(key).inserted else { continue }
                    try body(key, &stop)
                    if stop { return }
                }
            }
        }
    }
}

extension RowChanges {
    fileprivate func hasChange(in collection: String, _ kinds: Kind) -> Bool {
        if isCleared(collection) { return true }
        guard let rows = rows[ExactString(collection)] else { return false }
        return rows.values.contains { !$0.isDisjoint(with: kinds) }
    }

    fileprivate func hasChange(of keys: Set<String>, in collection: String, _ kinds: Kind) -> Bool {
        if isCleared(collection) { return true }
        guard let rows = rows[ExactString(collection)] else { return false }
        return keys.contains { rows[ExactString($0)].map { !$0.isDisjoint(with: kinds) } ?? false }
    }
}
