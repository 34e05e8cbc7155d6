// Second names of single methods and properties.

extension YapDatabaseReadTransaction {
    /// The original's other name of ``ext(_:)``.
    public func `extension`(_ name: String) -> YapDatabaseExtensionTransaction? { ext(name) }
}

extension YapDatabaseConnection {
    /// The original's other name of ``ext(_:)``.
    public func `extension`(_ name: String) -> YapDatabaseExtensionConnection? { ext(name) }
}

extension YapDatabase {
    /// The original's form of the static property: the version of the SQLite library, such as `3.40.1`.
    public var sqliteVersion: String { Self.sqliteVersion }
}

extension YapDatabaseRelationshipTransaction {
    /// The name that Swift gave the original's ``addEdge(_:)``.
    public func add(_ edge: YapDatabaseRelationshipEdge) throws { try addEdge(edge) }

    /// The name that Swift gave the original's ``removeEdge(_:withProcessing:)``.
    public func remove(_ edge: YapDatabaseRelationshipEdge, withProcessing reason: YDB_NotifyReason) throws {
        try removeEdge(edge, withProcessing: reason)
    }
}
