/// Searches for rows, in the order of their rowids.
extension YapDatabaseFullTextSearchTransaction {
    /// Calls `block` for the keys of the rows that match, until it sets `stop`.
    public func iterateKeys(
        matching query: String,
        using block: (_ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
    ) throws {
        try forEachKey(cursor(query)) { try block($1.collection, $1.key, &$2) }
    }

    /// Calls `block` for keys and metadata of the rows that match, until it sets `stop`.
    public func iterateKeysAndMetadata(
        matching query: String,
        using block: (_ collection: String, _ key: String, _ metadata: Any?, _ stop: inout Bool) throws -> Void
    ) throws {
        try forEachRow(cursor(query), .metadata) { try block($1.key.collection, $1.key.key, $1.metadata, &$2) }
    }

    /// Calls `block` for keys and objects of the rows that match, until it sets `stop`.
    public func iterateKeysAndObjects(
        matching query: String,
        using block: (_ collection: String, _ key: String, _ object: Any, _ stop: inout Bool) throws -> Void
    ) throws {
        try forEachRow(cursor(query), .object) { try block($1.key.collection, $1.key.key, $1.object!, &$2) }
    }

    /// Calls `block` for keys, objects and metadata of the rows that match, until it sets `stop`.
    public func iterateRows(
        matching query: String,
        using block: (
            _ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try forEachRow(cursor(query), [.object, .metadata]) {
            try block($1.key.collection, $1.key.key, $1.object!, $1.metadata, &$2)
        }
    }
}
