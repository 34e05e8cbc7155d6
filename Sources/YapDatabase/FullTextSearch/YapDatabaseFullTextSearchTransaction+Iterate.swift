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

/// The same under the names that begin with `enumerate`.
extension YapDatabaseFullTextSearchTransaction {
    /// Same as ``iterateKeys(matching:using:)``.
    public func enumerateKeys(
        matching query: String, using block: (String, String, inout Bool) throws -> Void
    ) throws { try iterateKeys(matching: query, using: block) }

    /// Same as ``iterateKeysAndMetadata(matching:using:)``.
    public func enumerateKeysAndMetadata(
        matching query: String, using block: (String, String, Any?, inout Bool) throws -> Void
    ) throws { try iterateKeysAndMetadata(matching: query, using: block) }

    /// Same as ``iterateKeysAndObjects(matching:using:)``.
    public func enumerateKeysAndObjects(
        matching query: String, using block: (String, String, Any, inout Bool) throws -> Void
    ) throws { try iterateKeysAndObjects(matching: query, using: block) }

    /// Same as ``iterateRows(matching:using:)``.
    public func enumerateRows(
        matching query: String, using block: (String, String, Any, Any?, inout Bool) throws -> Void
    ) throws { try iterateRows(matching: query, using: block) }
}
