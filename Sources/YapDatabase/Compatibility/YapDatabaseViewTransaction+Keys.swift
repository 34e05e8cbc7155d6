import ListChanges

// Other forms of `rowKey(at:inGroup:)` and `object(at:inGroup:)`. They throw what these throw.
extension YapDatabaseViewTransaction {
    /// The original's form of ``rowKey(at:inGroup:)``.
    public func getCollectionKey(atIndex index: Int, inGroup group: String) throws -> (String, String)? {
        try rowKey(at: index, inGroup: group).map { ($0.collection, $0.key) }
    }

    /// The key alone of ``rowKey(at:inGroup:)``.
    public func key(at index: Int, inGroup group: String) throws -> String? {
        try rowKey(at: index, inGroup: group)?.key
    }

    /// The collection alone of ``rowKey(at:inGroup:)``.
    public func collection(at index: Int, inGroup group: String) throws -> String? {
        try rowKey(at: index, inGroup: group)?.collection
    }

    /// The original's form of ``rowKey(at:inGroup:)`` for the first row.
    public func getFirstKey(inGroup group: String) throws -> (collection: String, key: String)? {
        try rowKey(at: 0, inGroup: group).map { ($0.collection, $0.key) }
    }

    /// The original's form of ``rowKey(at:inGroup:)`` for the last row.
    public func getLastKey(inGroup group: String) throws -> (collection: String, key: String)? {
        try rowKey(at: numberOfItems(inGroup: group) - 1, inGroup: group).map { ($0.collection, $0.key) }
    }

    /// The form of `object(at:inGroup:)` in the original's documents.
    public func object(atIndex index: Int, inGroup group: String) throws -> Any? {
        try object(at: index, inGroup: group)
    }
}
