import ListChanges

/// Which rows of a collection are wanted, in which order and how many: a ``YapQuery`` as a value of its own, which needs no transaction.
///
/// ```swift
/// let old = books.where(\.year < 1970).order(.descending(\.year)).limit(50)
/// let now = try await connection.read { transaction in try transaction[old].values() }
/// for try await update in connection.updates(of: old) { print(update.rows.map(\.title)) }
/// ```
///
/// Nothing is registered but the ``YapIndex`` that answers it.
public struct YapRequest<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable>: Sendable {
    let collection: YapCollection<Value, Key, Metadata>
    var condition: YapCondition<Value>?
    var orders: [YapOrder<Value>] = []
    var limit: Int?
    var offset = 0

    /// The rows among these that also fulfil another condition.
    ///
    /// Example: ``YapRequest``.
    public func `where`(_ other: YapCondition<Value>) -> Self {
        var request = self
        request.condition = condition.map { $0 && other } ?? other
        return request
    }

    /// These rows in an order. Rows that are equal in it come in no particular order.
    ///
    /// Example: ``YapRequest``.
    public func order(_ orders: YapOrder<Value>...) -> Self { ordered(by: orders) }

    func ordered(by orders: [YapOrder<Value>]) -> Self {
        var request = self
        request.orders = orders
        return request
    }

    /// At most so many of them, without the first `offset`.
    ///
    /// ```swift
    /// let second = books.order(.ascending(\.title)).limit(50, offset: 50)
    /// ```
    ///
    /// - Parameters:
    ///   - limit: the most rows.
    ///   - offset: the rows to skip.
    public func limit(_ limit: Int, offset: Int = 0) -> Self {
        var request = first(max(0, limit))
        request.offset = max(0, offset)
        return request
    }

    func first(_ limit: Int?) -> Self {
        var request = self
        (request.limit, request.offset) = (limit, 0)
        return request
    }
}

extension YapCollection {
    /// The rows whose values fulfil a condition, to be found with an index.
    ///
    /// ```swift
    /// let old = books.where(\.year < 1970).order(.descending(\.year)).limit(50)
    /// ```
    public func `where`(_ condition: YapCondition<Value>) -> YapRequest<Value, Key, Metadata> {
        YapRequest(collection: self, condition: condition)
    }

    /// All rows, to be ordered with an index.
    ///
    /// ```swift
    /// let second = books.order(.ascending(\.title)).limit(50, offset: 50)
    /// ```
    public func order(_ orders: YapOrder<Value>...) -> YapRequest<Value, Key, Metadata> {
        YapRequest(collection: self, orders: orders)
    }
}

extension YapTypedTransaction {
    /// The rows that a request wants, of this transaction's state. Nothing is read yet.
    public subscript<Value, Key, Metadata>(
        request: YapRequest<Value, Key, Metadata>
    ) -> YapQuery<Value, Key, Metadata, Self> {
        YapQuery(rows: self[request.collection], request: request)
    }
}

// MARK: Following

extension YapDatabaseConnection {
    /// The rows that a request wants: those of now, and again after each commit that changes what is wanted, with the exact change-set.
    ///
    /// A commit of other collections costs a look at its list of changes. One that changes rows of the collection costs reading these; only
    /// if one of them is shown, or fulfils the condition, is the index asked again, and only rows that changed are decoded. All rows that are
    /// wanted are in memory: set a limit. For a long list, or for groups, register a ``YapList``.
    ///
    /// It reads on a connection of its own, so this one stays free. Cancelling the task of the loop ends it. Saving an equal value, or touching
    /// a row, is no update.
    ///
    /// ```swift
    /// let old = books.where(\.year < 1970).order(.descending(\.year)).limit(50)
    /// for try await update in connection.updates(of: old) {
    ///     if case .changes(let changes) = update.outcome { print(changes.rowChanges) }
    /// }
    /// ```
    ///
    /// - Parameter request: the rows, which are one section, ``YapList/onlyGroup``.
    /// - Throws: in the loop, ``YapDatabaseError`` with code `badQuery` if no registered index answers the request; others if the file cannot
    ///   be read.
    public func updates<Value, Key, Metadata>(
        of request: YapRequest<Value, Key, Metadata>
    ) -> YapUpdates<YapListUpdate<Value>> {
        YapUpdates(database) { [database] in RequestFeed(database: database, request: request) }
    }

    /// How many rows a request wants: now, and again whenever the number changes. No row is read; each commit costs a count in the index.
    ///
    /// ```swift
    /// for try await count in connection.count(of: books.where(\.year < 1970)) { print(count) }
    /// ```
    ///
    /// - Throws: in the loop, ``YapDatabaseError`` with code `badQuery` if no registered index answers the request; others if the file cannot
    ///   be read.
    public func count<Value, Key, Metadata>(of request: YapRequest<Value, Key, Metadata>) -> YapUpdates<Int> {
        YapUpdates(database) { [database] in ReadFeed(database) { try $0[request].count } }
    }
}
