// What secondary indexes, R-trees and full-text searches find, under the original's other names: `enumerate…` is `iterate…`.

extension YapDatabaseQueryTransaction {
    /// The original's other name of ``iterateKeys(matching:using:)``.
    public func enumerateKeys(
        matching query: YapDatabaseQuery, using block: (String, String, inout Bool) throws -> Void
    ) throws { try iterateKeys(matching: query, using: block) }

    /// The original's other name of ``iterateKeysAndMetadata(matching:using:)``.
    public func enumerateKeysAndMetadata(
        matching query: YapDatabaseQuery, using block: (String, String, Any?, inout Bool) throws -> Void
    ) throws { try iterateKeysAndMetadata(matching: query, using: block) }

    /// The original's other name of ``iterateKeysAndObjects(matching:using:)``.
    public func enumerateKeysAndObjects(
        matching query: YapDatabaseQuery, using block: (String, String, Any, inout Bool) throws -> Void
    ) throws { try iterateKeysAndObjects(matching: query, using: block) }

    /// The original's other name of ``iterateRows(matching:using:)``.
    public func enumerateRows(
        matching query: YapDatabaseQuery, using block: (String, String, Any, Any?, inout Bool) throws -> Void
    ) throws { try iterateRows(matching: query, using: block) }
}

extension YapDatabaseFullTextSearchTransaction {
    /// The original's other name of ``iterateKeys(matching:using:)``.
    public func enumerateKeys(
        matching query: String, using block: (String, String, inout Bool) throws -> Void
    ) throws { try iterateKeys(matching: query, using: block) }

    /// The original's other name of ``iterateKeysAndMetadata(matching:using:)``.
    public func enumerateKeysAndMetadata(
        matching query: String, using block: (String, String, Any?, inout Bool) throws -> Void
    ) throws { try iterateKeysAndMetadata(matching: query, using: block) }

    /// The original's other name of ``iterateKeysAndObjects(matching:using:)``.
    public func enumerateKeysAndObjects(
        matching query: String, using block: (String, String, Any, inout Bool) throws -> Void
    ) throws { try iterateKeysAndObjects(matching: query, using: block) }

    /// The original's other name of ``iterateRows(matching:using:)``.
    public func enumerateRows(
        matching query: String, using block: (String, String, Any, Any?, inout Bool) throws -> Void
    ) throws { try iterateRows(matching: query, using: block) }
}
