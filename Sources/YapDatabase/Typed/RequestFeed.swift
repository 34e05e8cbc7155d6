import ListChanges

/// Keeps the rows of a request in step with the database, for one loop.
actor RequestFeed<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable>: UpdateFeed {
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
    func update(for event: CommitEvent) throws -> YapListUpdate<Value>? {
        guard let connection else { return try update() }
        guard case .commit(let commit) = event else { return nil }
        if commit.snapshot <= snapshot, !commit.isExternal { return nil }
        guard try isConcerned(by: commit, connection) else { return nil }
        let (before, problemsBefore) = (rows, problems)
        let touched = try load(connection, upTo: commit.snapshot)
        let difference = ListDifference(collection: request.collection, changed: touched)
        guard let changes = difference.changes(from: sections(before), to: sections(rows)) else { return made(.reload) }
        if changes.isEmpty { return problems == problemsBefore ? nil : made(.none) }
        return made(.changes(changes), former: changes.former(in: sections(before)))
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

    private func made(_ outcome: Outcome, former: [RowPath: Value] = [:]) -> YapListUpdate<Value> {
        YapListUpdate(
            sections: sections(rows), outcome: outcome, snapshot: snapshot, problems: problems, former: former)
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
