/// A transaction's access to a ``YapDatabaseSecondaryIndex``.
public final class YapDatabaseSecondaryIndexTransaction: YapDatabaseQueryTransaction, TransactionHooks {
    /// Calls `block` for the value of a column in each row that a query finds, without reading the rows themselves.
    ///
    /// Values are `Int`, `Double`, `String` or `Data`. A date is stored as a `Double`, its `timeIntervalSinceReferenceDate`. Rows without a value
    /// are skipped. The block must not change the index.
    ///
    /// ```swift
    /// try index.iterateIndexedValues(inColumn: "age", matching: .matchingAll()) { value, stop in print(value) }
    /// ```
    ///
    /// - Parameters:
    ///   - column: the name of a column of the index.
    ///   - query: which rows, and in which order.
    ///   - block: called for each row that is found, on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `badQuery` also if the index has no such column; `corrupt`,
    ///   `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateIndexedValues(
        inColumn column: String, matching query: YapDatabaseQuery,
        using block: (_ value: Any, _ stop: inout Bool) throws -> Void
    ) throws {
        guard index.layout.columns.contains(column) else {
            throw YapDatabaseError(
                .badQuery,
                "The index \"\(name)\" has no column \"\(column)\", only \(index.layout.columns.joined(separator: ", "))."
            )
        }
        let cursor = try cursor(query, .column(column))
        var stop = false
        while !stop, try cursor.next() {
            if let value = cursor.value(at: 0).value { try block(value, &stop) }
        }
    }

    /// Returns the value of an aggregate query: an `Int`, a `Double`, a `String` or `Data`; nil for NULL, for example the
    /// maximum of no rows.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` also if the query has no aggregate function.
    public func performAggregateQuery(_ query: YapDatabaseQuery) throws -> Any? {
        guard let function = query.aggregateFunction else {
            throw YapDatabaseError(
                .badQuery, "The query for \"\(name)\" has no aggregate function. Give it one, such as `max(age)`.",
                sql: query.queryString)
        }
        let cursor = try cursor(query, .aggregate(function))
        return try cursor.next() ? cursor.value(at: 0).value : nil
    }

    override func willCache(_ text: String) -> (isKept: Bool, dropped: [String]) {
        transaction.connection.withExtensionValue(name, QueryCache()) { $0.use(text) }
    }
}

/// A connection's access to a ``YapDatabaseSecondaryIndex``.
///
/// ```swift
/// let index = connection.ext("people") as? YapDatabaseSecondaryIndexConnection
/// index?.queryCacheLimit = 50
/// ```
public final class YapDatabaseSecondaryIndexConnection: YapDatabaseExtensionConnection {
    /// Whether the connection keeps compiled queries for later queries with the same text. Initially true: compiling a query costs
    /// about as much as finding ten rows. May be changed and read from any thread.
    public var queryCacheEnabled: Bool {
        get { cache { $0.isEnabled } }
        set { cache { $0.isEnabled = newValue } }
    }

    /// The most compiled queries that are kept; 0 for no limit. Those that were used last are kept. Initially 10. May be changed and read from any
    /// thread.
    public var queryCacheLimit: Int {
        get { cache { $0.limit } }
        set { cache { $0.limit = max(0, newValue) } }
    }

    private func cache<Value>(_ body: (inout QueryCache) -> Value) -> Value {
        connection.withExtensionValue(name, QueryCache(), body)
    }
}

/// Which compiled queries a connection keeps.
struct QueryCache {
    var isEnabled = true
    var limit = 10
    /// The texts of the queries that are kept; the one used last is at the end.
    private(set) var texts: [String] = []

    /// Notes the use of a query.
    /// - Returns: whether its statement is kept, and the texts whose statements are not kept any more.
    mutating func use(_ text: String) -> (isKept: Bool, dropped: [String]) {
        if texts.last == text, isEnabled, limit == 0 || texts.count <= limit { return (true, []) }
        texts.removeAll { $0 == text }
        if isEnabled { texts.append(text) }
        let count = isEnabled ? limit == 0 ? 0 : max(0, texts.count - limit) : texts.count
        defer { texts.removeFirst(count) }
        return (isEnabled, texts.prefix(count) + (isEnabled ? [] : [text]))
    }
}
