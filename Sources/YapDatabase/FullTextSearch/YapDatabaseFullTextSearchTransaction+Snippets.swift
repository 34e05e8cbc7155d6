/// Searches for rows with the part of each row's text that matches best. Without options the defaults apply.
extension YapDatabaseFullTextSearchTransaction {
    /// Calls `block` for the snippets and keys of the rows that match, until it sets `stop`.
    public func enumerateKeys(
        matching query: String, with options: YapDatabaseFullTextSearchSnippetOptions?,
        using block: (_ snippet: String, _ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
    ) throws {
        try forEachKey(cursor(query, options), hasSnippets: true) {
            try block($0, $1.collection, $1.key, &$2)
        }
    }

    /// Calls `block` for snippets, keys and metadata of the rows that match, until it sets `stop`.
    public func enumerateKeysAndMetadata(
        matching query: String, with options: YapDatabaseFullTextSearchSnippetOptions?,
        using block: (
            _ snippet: String, _ collection: String, _ key: String, _ metadata: Any?, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try forEachRow(cursor(query, options), .metadata, hasSnippets: true) {
            try block($0, $1.key.collection, $1.key.key, $1.metadata, &$2)
        }
    }

    /// Calls `block` for snippets, keys and objects of the rows that match, until it sets `stop`.
    public func enumerateKeysAndObjects(
        matching query: String, with options: YapDatabaseFullTextSearchSnippetOptions?,
        using block: (
            _ snippet: String, _ collection: String, _ key: String, _ object: Any, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try forEachRow(cursor(query, options), .object, hasSnippets: true) {
            try block($0, $1.key.collection, $1.key.key, $1.object!, &$2)
        }
    }

    /// Calls `block` for snippets, keys, objects and metadata of the rows that match, until it sets `stop`.
    public func enumerateRows(
        matching query: String, with options: YapDatabaseFullTextSearchSnippetOptions?,
        using block: (
            _ snippet: String, _ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try forEachRow(cursor(query, options), [.object, .metadata], hasSnippets: true) {
            try block($0, $1.key.collection, $1.key.key, $1.object!, $1.metadata, &$2)
        }
    }
}
