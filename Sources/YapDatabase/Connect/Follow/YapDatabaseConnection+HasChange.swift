import Foundation
import ListChanges

/// Tests whether rows changed in the commits that ``YapDatabaseConnection/jump()`` returned, or in those of notifications.
/// Every test is true if the changes of a commit are unknown.
extension YapDatabaseConnection {
    /// Whether a row of the collection was set, touched or removed. Costs O(changed rows of the collection) at most.
    ///
    /// ```swift
    /// let commits = try connection.jump()
    /// if connection.hasChange(forCollection: "books", in: commits) { print("another book") }
    /// ```
    ///
    /// - Parameters:
    ///   - collection: the collection of the rows; nil is the collection `""`.
    ///   - commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    public func hasChange(forCollection collection: String?, in commits: [some YapDatabaseCommitCarrier]) -> Bool {
        anyCommit(commits) { $0.hasChange(in: collection ?? "", [.object, .metadata, .removed]) }
    }

    /// Whether an object of the collection was set, touched or removed.
    ///
    /// Costs O(changed rows of the collection) at most.
    ///
    /// Example: ``hasChange(forCollection:in:)``.
    ///
    /// - Parameters:
    ///   - collection: the collection of the rows; nil is the collection `""`.
    ///   - commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    public func hasObjectChange(forCollection collection: String?, in commits: [some YapDatabaseCommitCarrier]) -> Bool
    {
        anyCommit(commits) { $0.hasChange(in: collection ?? "", [.object, .removed]) }
    }

    /// Whether metadata of the collection was set, touched or removed.
    ///
    /// Costs O(changed rows of the collection) at most.
    ///
    /// Example: ``hasChange(forCollection:in:)``.
    ///
    /// - Parameters:
    ///   - collection: the collection of the rows; nil is the collection `""`.
    ///   - commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    public func hasMetadataChange(forCollection collection: String?, in commits: [some YapDatabaseCommitCarrier])
        -> Bool
    {
        anyCommit(commits) { $0.hasChange(in: collection ?? "", [.metadata, .removed]) }
    }

    /// Whether the row was set, touched or removed. Costs O(commits).
    ///
    /// ```swift
    /// let commits = try connection.jump()
    /// if connection.hasChange(forKey: "dune", inCollection: "books", in: commits) { print("Dune changed") }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    ///   - commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    public func hasChange(
        forKey key: String, inCollection collection: String?, in commits: [some YapDatabaseCommitCarrier]
    ) -> Bool {
        hasChange(forAnyKeys: [key], inCollection: collection, in: commits)
    }

    /// Whether the row's object was set, touched or removed.
    ///
    /// Costs O(commits).
    ///
    /// Example: ``hasChange(forKey:inCollection:in:)``.
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    ///   - commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    public func hasObjectChange(
        forKey key: String, inCollection collection: String?, in commits: [some YapDatabaseCommitCarrier]
    ) -> Bool {
        hasObjectChange(forAnyKeys: [key], inCollection: collection, in: commits)
    }

    /// Whether the row's metadata was set, touched or removed.
    ///
    /// Costs O(commits).
    ///
    /// Example: ``hasChange(forKey:inCollection:in:)``.
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    ///   - commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    public func hasMetadataChange(
        forKey key: String, inCollection collection: String?, in commits: [some YapDatabaseCommitCarrier]
    ) -> Bool {
        hasMetadataChange(forAnyKeys: [key], inCollection: collection, in: commits)
    }

    /// Whether any of the rows was set, touched or removed. Costs O(keys × commits).
    ///
    /// Example: ``hasChange(forKey:inCollection:in:)``.
    ///
    /// - Parameters:
    ///   - keys: the keys of the rows.
    ///   - collection: the collection of the rows; nil is the collection `""`.
    ///   - commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    public func hasChange(
        forAnyKeys keys: Set<String>, inCollection collection: String?, in commits: [some YapDatabaseCommitCarrier]
    ) -> Bool {
        anyCommit(commits) { $0.hasChange(of: keys, in: collection ?? "", [.object, .metadata, .removed]) }
    }

    /// Whether the object of any of the rows was set, touched or removed.
    ///
    /// Costs O(keys × commits).
    ///
    /// Example: ``hasChange(forKey:inCollection:in:)``.
    ///
    /// - Parameters:
    ///   - keys: the keys of the rows.
    ///   - collection: the collection of the rows; nil is the collection `""`.
    ///   - commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    public func hasObjectChange(
        forAnyKeys keys: Set<String>, inCollection collection: String?, in commits: [some YapDatabaseCommitCarrier]
    ) -> Bool {
        anyCommit(commits) { $0.hasChange(of: keys, in: collection ?? "", [.object, .removed]) }
    }

    /// Whether the metadata of any of the rows was set, touched or removed.
    ///
    /// Costs O(keys × commits).
    ///
    /// Example: ``hasChange(forKey:inCollection:in:)``.
    ///
    /// - Parameters:
    ///   - keys: the keys of the rows.
    ///   - collection: the collection of the rows; nil is the collection `""`.
    ///   - commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    public func hasMetadataChange(
        forAnyKeys keys: Set<String>, inCollection collection: String?, in commits: [some YapDatabaseCommitCarrier]
    ) -> Bool {
        anyCommit(commits) { $0.hasChange(of: keys, in: collection ?? "", [.metadata, .removed]) }
    }

    /// Whether all rows of the collection, or of all collections, were removed at once.
    ///
    /// Costs O(commits).
    ///
    /// ```swift
    /// let commits = try connection.jump()
    /// let isEmptied = connection.didClearCollection("books", in: commits)
    /// ```
    ///
    /// - Parameters:
    ///   - collection: the collection of the rows; nil is the collection `""`.
    ///   - commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    public func didClearCollection(_ collection: String?, in commits: [some YapDatabaseCommitCarrier]) -> Bool {
        Commit.all(of: commits).contains { $0.edits.others.isCleared(collection ?? "") }
    }

    /// Whether every row was removed at once.
    ///
    /// Costs O(commits).
    ///
    /// Example: ``didClearCollection(_:in:)``.
    public func didClearAllCollections(in commits: [some YapDatabaseCommitCarrier]) -> Bool {
        Commit.all(of: commits).contains { $0.edits.others.isAllCleared }
    }

    /// Calls the closure once for every row of the collection that was set, touched or removed one by one.
    ///
    /// Costs O(changed rows).
    ///
    /// ```swift
    /// let commits = try connection.jump()
    /// connection.enumerateChangedKeys(inCollection: "books", in: commits) { key, stop in print(key) }
    /// ```
    ///
    /// - Parameters:
    ///   - collection: the collection of the rows; nil is the collection `""`.
    ///   - commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    ///   - body: called on the calling thread, in unspecified order; sets `stop` to end.
    /// - Throws: what the closure throws.
    public func enumerateChangedKeys(
        inCollection collection: String?, in commits: [some YapDatabaseCommitCarrier],
        using body: (_ key: String, _ stop: inout Bool) throws -> Void
    ) rethrows {
        try enumerateChangedKeys(of: Commit.all(of: commits), where: { $0 == ExactString(collection ?? "") }) {
            key, stop in
            try body(key.key, &stop)
        }
    }

    /// Calls the closure once for every row that was set, touched or removed one by one.
    ///
    /// Costs O(changed rows).
    ///
    /// Example: ``enumerateChangedKeys(inCollection:in:using:)``.
    ///
    /// - Parameters:
    ///   - commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    ///   - body: called on the calling thread, in unspecified order; sets `stop` to end.
    /// - Throws: what the closure throws.
    public func enumerateChangedCollectionKeys(
        in commits: [some YapDatabaseCommitCarrier], using body: (_ key: RowKey, _ stop: inout Bool) throws -> Void
    ) rethrows {
        try enumerateChangedKeys(of: Commit.all(of: commits), where: { _ in true }, using: body)
    }

    private func anyCommit(_ commits: [some YapDatabaseCommitCarrier], _ test: (RowChanges) -> Bool) -> Bool {
        Commit.all(of: commits).contains { $0.isExternal || test($0.changes) }
    }

    private func enumerateChangedKeys(
        of commits: [Commit], where isIncluded: (ExactString) -> Bool,
        using body: (RowKey, inout Bool) throws -> Void
    ) rethrows {
        var seen: Set<RowKey> = []
        var stop = false
        for commit in commits {
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
