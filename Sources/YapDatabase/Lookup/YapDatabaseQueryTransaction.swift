import ListChanges

/// A transaction's access to an extension that answers a ``YapDatabaseQuery``: ``YapDatabaseSecondaryIndexTransaction`` and
/// ``YapDatabaseRTreeIndexTransaction``.
///
/// All functions throw ``YapDatabaseError`` with code `badQuery`, and name the place, if the query's text is wrong. Rows come
/// in the order that the query asks for. In a read-write transaction a closure may write.
public class YapDatabaseQueryTransaction: YapDatabaseColumnTransaction {
    /// Calls `block` for the keys of the rows that a query finds, until it sets `stop`.
    public func iterateKeys(
        matching query: YapDatabaseQuery,
        using block: (_ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
    ) throws {
        try forEachKey(cursor(query)) { try block($1.collection, $1.key, &$2) }
    }

    /// Calls `block` for keys and metadata of the rows that a query finds, until it sets `stop`.
    public func iterateKeysAndMetadata(
        matching query: YapDatabaseQuery,
        using block: (_ collection: String, _ key: String, _ metadata: Any?, _ stop: inout Bool) throws -> Void
    ) throws {
        try forEachRow(cursor(query), .metadata) { try block($1.key.collection, $1.key.key, $1.metadata, &$2) }
    }

    /// Calls `block` for keys and objects of the rows that a query finds, until it sets `stop`.
    public func iterateKeysAndObjects(
        matching query: YapDatabaseQuery,
        using block: (_ collection: String, _ key: String, _ object: Any, _ stop: inout Bool) throws -> Void
    ) throws {
        try forEachRow(cursor(query), .object) { try block($1.key.collection, $1.key.key, $1.object!, &$2) }
    }

    /// Calls `block` for keys, objects and metadata of the rows that a query finds, until it sets `stop`.
    public func iterateRows(
        matching query: YapDatabaseQuery,
        using block: (
            _ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool
        ) throws -> Void
    ) throws {
        try forEachRow(cursor(query), [.object, .metadata]) {
            try block($1.key.collection, $1.key.key, $1.object!, $1.metadata, &$2)
        }
    }

    /// Returns the number of rows that a query finds. Reads no row.
    public func numberOfRows(matching query: YapDatabaseQuery) throws -> Int {
        let cursor = try cursor(query, .count)
        guard try cursor.next(), case .integer(let count) = cursor.value(at: 0) else { return 0 }
        return Int(count)
    }

    /// Returns how SQLite finds the rows of a query, one sentence for each step; `SEARCH` uses an index, `SCAN` reads all.
    ///
    /// ```swift
    /// let plan = try index.explain(matching: YapDatabaseQuery(string: "WHERE age > 30"))
    /// // ["SEARCH secondaryIndex_people USING COVERING INDEX age (age>?)"]
    /// ```
    public func explain(matching query: YapDatabaseQuery) throws -> [String] {
        let cursor = try cursor(query, .plan)
        var steps: [String] = []
        while try cursor.next() { steps.append(cursor.text(at: 3)) }
        return steps
    }

    func cursor(_ query: YapDatabaseQuery, _ selection: IndexSelection = .rowids) throws -> IndexCursor {
        try transaction.store.cursor(selection, in: table, matching: query.stored(for: name), willCache: willCache)
    }

    /// Whether the compiled text of a query is kept, and the texts that make room for it.
    func willCache(_ text: String) -> (isKept: Bool, dropped: [String]) {
        (true, [])
    }
}
