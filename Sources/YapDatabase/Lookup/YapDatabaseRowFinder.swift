/// A transaction's access to an extension that finds rows: by a ``YapDatabaseQuery`` (``YapDatabaseSecondaryIndexTransaction``,
/// ``YapDatabaseRTreeIndexTransaction``) or by a text of words (``YapDatabaseFullTextSearchTransaction``).
public protocol YapDatabaseRowFinder {
    /// What rows are found by.
    associatedtype Query
    /// Finds rows by a query. Nothing is read yet.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` if the text of the query is wrong.
    func find(_ query: Query) throws -> YapDatabaseFoundRows
}

extension YapDatabaseRowFinder {
    /// Calls `block` for the keys of the rows that a query finds, until it sets `stop`.
    ///
    /// ```swift
    /// try index.iterateKeys(matching: YapDatabaseQuery(string: "WHERE age >= ?", parameters: [62])) { collection, key, stop in
    ///     print(key)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - query: a ``YapDatabaseQuery``, or the text of a search.
    ///   - block: called for each row that is found, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badQuery` if the text of the query is wrong; `corrupt`,
    ///   `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateKeys(
        matching query: Query,
        using block: (_ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
    ) throws {
        try find(query).forEachKey(block)
    }

    /// Calls `block` for keys and metadata of the rows that a query finds, until it sets `stop`.
    ///
    /// ```swift
    /// try index.iterateKeysAndMetadata(matching: .matchingAll()) { collection, key, metadata, stop in print(key, metadata ?? "none") }
    /// ```
    ///
    /// - Parameters:
    ///   - query: a ``YapDatabaseQuery``, or the text of a search.
    ///   - block: called for each row that is found, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badQuery` if the text of the query is wrong; `decodingFailed` if
    ///   a value cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateKeysAndMetadata(
        matching query: Query,
        using block: (_ collection: String, _ key: String, _ metadata: Any?, _ stop: inout Bool) throws -> Void
    ) throws {
        try find(query).forEachKeyAndMetadata(block)
    }

    /// Calls `block` for keys and objects of the rows that a query finds, until it sets `stop`.
    ///
    /// ```swift
    /// let query = YapDatabaseQuery(string: "WHERE age >= ? ORDER BY age", parameters: [62])
    /// try index.iterateKeysAndObjects(matching: query) { collection, key, object, stop in print(key, object) }
    /// ```
    ///
    /// - Parameters:
    ///   - query: a ``YapDatabaseQuery``, or the text of a search.
    ///   - block: called for each row that is found, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badQuery` if the text of the query is wrong; `decodingFailed` if
    ///   a value cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateKeysAndObjects(
        matching query: Query,
        using block: (_ collection: String, _ key: String, _ object: Any, _ stop: inout Bool) throws -> Void
    ) throws {
        try find(query).forEachKeyAndObject(block)
    }

    /// Calls `block` for keys, objects and metadata of the rows that a query finds, until it sets `stop`.
    ///
    /// ```swift
    /// try index.iterateRows(matching: .matchingAll()) { collection, key, object, metadata, stop in print(key, object) }
    /// ```
    ///
    /// - Parameters:
    ///   - query: a ``YapDatabaseQuery``, or the text of a search.
    ///   - block: called for each row that is found, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badQuery` if the text of the query is wrong; `decodingFailed` if
    ///   a value cannot be decoded; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateRows(
        matching query: Query,
        using block: (
            _ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try find(query).forEachRow(block)
    }
}

/// The rows that a ``YapDatabaseRowFinder`` finds. Its `iterate…` functions visit them.
public struct YapDatabaseFoundRows {
    private let access: YapDatabaseColumnTransaction
    private let cursor: IndexCursor

    init(_ access: YapDatabaseColumnTransaction, _ cursor: IndexCursor) {
        (self.access, self.cursor) = (access, cursor)
    }

    func forEachKey(_ block: (String, String, inout Bool) throws -> Void) throws {
        try access.forEachKey(cursor) { try block($1.collection, $1.key, &$2) }
    }

    func forEachKeyAndMetadata(_ block: (String, String, Any?, inout Bool) throws -> Void) throws {
        try access.forEachRow(cursor, .metadata) { try block($1.key.collection, $1.key.key, $1.metadata, &$2) }
    }

    func forEachKeyAndObject(_ block: (String, String, Any, inout Bool) throws -> Void) throws {
        try access.forEachRow(cursor, .object) { try block($1.key.collection, $1.key.key, $1.object!, &$2) }
    }

    func forEachRow(_ block: (String, String, Any, Any?, inout Bool) throws -> Void) throws {
        try access.forEachRow(cursor, [.object, .metadata]) {
            try block($1.key.collection, $1.key.key, $1.object!, $1.metadata, &$2)
        }
    }
}
