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

    /// Those that fulfil this condition too.
    ///
    /// Example: ``YapRequest``.
    public func `where`(_ other: YapCondition<Value>) -> Self {
        var request = self
        request.condition = condition.map { $0 && other } ?? other
        return request
    }

    /// The same rows in an order. Rows that it does not distinguish come in no particular order.
    ///
    /// Example: ``YapRequest``.
    public func order(_ orders: YapOrder<Value>...) -> Self {
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

    fileprivate func first(_ limit: Int?) -> Self {
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
        YapQuery(
            rows: self[request.collection], condition: request.condition, orders: request.orders, limit: request.limit,
            offset: request.offset)
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
    ) -> YapRequestUpdates<Value, Key, Metadata> {
        YapRequestUpdates(database: database, request: request)
    }
}

/// The updates of a request: ``YapDatabaseConnection/updates(of:)``. Each loop over it has its own.
public struct YapRequestUpdates<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable>: AsyncSequence,
    Sendable
{
    public typealias Element = YapListUpdate<Value>
    let database: YapDatabase
    let request: YapRequest<Value, Key, Metadata>

    public func makeAsyncIterator() -> Iterator {
        Iterator(feed: RequestFeed(database: database, request: request), commits: database.commits.makeAsyncIterator())
    }

    /// Waits for commits and works out the next update when it is asked for it.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let feed: RequestFeed<Value, Key, Metadata>
        // From before the first update, so that no commit is missed.
        fileprivate var commits: YapDatabaseCommits
        private var hasBegun = false

        fileprivate init(feed: RequestFeed<Value, Key, Metadata>, commits: YapDatabaseCommits) {
            (self.feed, self.commits) = (feed, commits)
        }

        /// Waits for the next update; nil at the end.
        /// - Throws: ``YapDatabaseError`` with code `badQuery` if no registered index answers the request; `closed`, `corrupt`, `inputOutput`
        ///   and the like if the file cannot be read.
        public mutating func next() async throws -> YapListUpdate<Value>? { try await next(isolation: nil) }

        /// Waits for the next update; nil at the end.
        /// - Throws: as ``next()``: ``YapDatabaseError`` with code `badQuery`, `closed`, `corrupt` and the like.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> YapListUpdate<Value>? {
            if !hasBegun {
                hasBegun = true
                return try await feed.update()
            }
            while let commit = await commits.next(isolation: actor) {
                if let update = try await feed.update(for: commit) { return update }
            }
            return nil
        }
    }
}

/// Keeps the rows of a request in step with the database, for one loop.
private actor RequestFeed<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable> {
    /// From so many changed rows on, the index is asked at once.
    private static var readLimit: Int { 256 }

    private let database: YapDatabase
    private let request: YapRequest<Value, Key, Metadata>
    private var connection: YapDatabaseConnection?
    private var rows: [Value] = []
    private var places: [RowKey: Int] = [:]
    /// The rows before the first one.
    private var skipped: Set<RowKey> = []
    /// The last commit that `rows` contain.
    private var snapshot = -1
    /// The rows that may differ from `rows` by now; nil for all.
    private var changed: Set<RowKey>? = []
    private var problems: [YapDatabaseUndecodableRow] = []
    /// Whether the index was not complete, because a program that does not know it wrote: the next commit may complete it.
    private var isBehind = false

    init(database: YapDatabase, request: YapRequest<Value, Key, Metadata>) {
        (self.database, self.request) = (database, request)
    }

    /// The first update.
    func update() throws -> YapListUpdate<Value> {
        let connection = try database.newConnection()
        self.connection = connection
        changed = nil
        try load(connection, upTo: -1)
        return made(.reload)
    }

    /// The update after a commit; nil if it changes nothing that is wanted.
    func update(for commit: YapDatabaseCommit) throws -> YapListUpdate<Value>? {
        guard let connection else { return try update() }
        if commit.snapshot <= snapshot, !commit.isExternal { return nil }
        guard try isConcerned(by: commit, connection) else { return nil }
        let (before, problemsBefore) = (rows, problems)
        let touched = try load(connection, upTo: commit.snapshot)
        let difference = ListDifference(collection: request.collection, hasDependencies: false, changed: touched)
        guard let changes = difference.changes(from: sections(before), to: sections(rows)) else { return made(.reload) }
        if changes.isEmpty { return problems == problemsBefore ? nil : made(.none) }
        return made(.changes(changes))
    }

    /// Whether a commit changes a row that is shown, or one that fulfils the condition now. Notes its rows.
    private func isConcerned(by commit: YapDatabaseCommit, _ connection: YapDatabaseConnection) throws -> Bool {
        let name = request.collection.name
        guard !commit.isExternal, !isBehind, !commit.isAllRemoved,
            !commit.removedCollections.contains(where: { $0.hasSameBytes(as: name) })
        else {
            changed = nil
            return true
        }
        let keys =
            commit.base.changes.rows[ExactString(name)]?.keys.map { RowKey(collection: name, key: $0.text) } ?? []
        if keys.isEmpty { return false }
        changed?.formUnion(keys)
        if keys.count > Self.readLimit || keys.contains(where: { places[$0] != nil || skipped.contains($0) }) {
            return true
        }
        guard let condition = request.condition else { return true }
        return try connection.read { transaction in
            let rows = transaction[request.collection]
            return try keys.contains { try rows.decodableValue(of: $0).map(condition.holds) ?? false }
        }
    }

    /// - Returns: the rows that may differ; nil for all, if the newest state has more commits than the feed has met.
    @discardableResult
    private func load(_ connection: YapDatabaseConnection, upTo number: Int) throws -> Set<RowKey>? {
        let (known, knownPlaces) = (rows, places)
        // The rows before the first one decide which it is.
        let offset = request.offset
        let request = request.first(request.limit.map { $0 + offset })
        skipped = []
        var changed = changed
        (rows, problems, snapshot, isBehind) = try connection.read { transaction in
            if transaction.snapshot.number != number { changed = nil }
            let query = transaction[request]
            let (index, text) = try query.prepared()
            var found: [Value] = []
            try index.forEachKey(index.cursor(text)) { _, key, _ in
                if skipped.count < offset {
                    skipped.insert(key)
                } else if let place = knownPlaces[key], let changed, !changed.contains(key) {
                    found.append(known[place])
                } else if let value = try query.rows.decodableValue(of: key) {
                    found.append(value)
                }
            }
            let isBehind = transaction.snapshot.entry(index.name)?.behind != nil
            return (found, try index.problems, transaction.snapshot.number, isBehind)
        }
        places = [:]
        for (place, value) in rows.enumerated() {
            places[request.collection.rowKey(request.collection.key(of: value))] = place
        }
        self.changed = []
        return changed
    }

    private func sections(_ rows: [Value]) -> [ListSection<Value>] {
        [ListSection(group: YapList<Value, Key, Metadata>.onlyGroup, rows: rows)]
    }

    private func made(_ outcome: Outcome) -> YapListUpdate<Value> {
        YapListUpdate(sections: sections(rows), outcome: outcome, snapshot: snapshot, problems: problems)
    }
}

extension YapRows {
    /// The value of a row; nil if there is none, or it cannot be decoded, so that the index leaves it out.
    fileprivate func decodableValue(of key: RowKey) throws -> Value? {
        do {
            return try value(of: key)
        } catch {
            guard YapDatabaseError(undecodable: error) != nil else { throw error }
            return nil
        }
    }
}
