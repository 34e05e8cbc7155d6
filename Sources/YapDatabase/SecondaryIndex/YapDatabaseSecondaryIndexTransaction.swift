/// A transaction's access to a ``YapDatabaseSecondaryIndex``.
public final class YapDatabaseSecondaryIndexTransaction: YapDatabaseQueryTransaction {
    /// Calls `block` for the value of a column in each row that a query finds, without reading the rows themselves.
    ///
    /// Values are `Int`, `Double`, `String` or `Data`; rows that lack the value are skipped. A date is the `Double` that its
    /// `timeIntervalSinceReferenceDate` was. The index must not be changed meanwhile.
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
