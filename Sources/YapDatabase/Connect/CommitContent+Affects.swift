extension CommitContent {
    /// Whether the commit, of another process, may change what an extension in memory derives.
    /// - Parameter registered: returns an extension that another one depends on.
    func affects(_ derived: YapDatabaseExtension, _ registered: (String) -> YapDatabaseExtension?) -> Bool {
        if derived.dependencies.isEmpty { return changes.touch(derived.collections) }
        return derived.dependencies.contains { name in
            logs[name] != nil || (registered(name).map { affects($0, registered) } ?? true)
        }
    }
}

extension RowChanges {
    /// Whether a row of an allowed collection changed; nil allows all.
    fileprivate func touch(_ allowed: YapWhitelistBlacklist?) -> Bool {
        func isAllowed(_ collection: ExactString) -> Bool { allowed?.isAllowed(collection.text) ?? true }
        return isAllCleared || clearedCollections.contains(where: isAllowed) || rows.keys.contains(where: isAllowed)
    }
}
