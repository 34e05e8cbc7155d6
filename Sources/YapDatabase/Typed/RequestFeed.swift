import Foundation
import ListChanges

/// Keeps the rows of a request in step with the database, for one loop.
///
/// Few changed rows are put into their places among the rows in hand, by the condition and the orders of the request, which agree with those of
/// the index. The index is asked where these do not tell: for the first update, for a row that comes in behind the last one, for many.
actor RequestFeed<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable>: UpdateFeed {
    /// From so many changed rows on, the index is asked at once.
    private static var readLimit: Int { 256 }

    private let database: YapDatabase
    private let request: YapRequest<Value, Key, Metadata>
    private var connection: YapDatabaseConnection?
    private var state = State()
    /// The last commit that `state` contains.
    private var snapshot = -1
    /// The rows that may differ from `state` by now; nil for all.
    private var changed: Set<RowKey>? = []
    private var problems: [YapDatabaseUndecodableRow] = []
    /// Whether the index was not complete, because a program that does not know it wrote: the next commit may complete it.
    private var isBehind = false
    /// The rows as the loop was told them last, for the thread that commits; nil if each commit may change them.
    private let told = Locked<State?>(nil)

    /// The rows that are wanted.
    private struct State {
        var rows: [Value] = []
        /// Their keys, in the same order.
        var keys: [RowKey] = []
        var shown: [RowKey: Value] = [:]
        /// The rows before the first one.
        var skipped: Set<RowKey> = []

        /// Whether a row is wanted, or stands before those that are.
        func has(_ key: RowKey) -> Bool { shown[key] != nil || skipped.contains(key) }

        mutating func insert(_ value: Value, _ key: RowKey, at index: Int) {
            rows.insert(value, at: index)
            keys.insert(key, at: index)
            shown[key] = value
        }

        mutating func remove(at index: Int) {
            rows.remove(at: index)
            shown[keys.remove(at: index)] = nil
        }
    }

    init(database: YapDatabase, request: YapRequest<Value, Key, Metadata>) {
        (self.database, self.request) = (database, request)
    }

    /// The first update.
    func update() throws -> YapListUpdate<Value>? {
        let connection = try database.newConnection()
        self.connection = connection
        changed = nil
        _ = try connection.read { try load($0, upTo: -1) }
        noteTold()
        return made(.reload)
    }

    /// The update after a commit; nil if it changes nothing that is wanted.
    func update(for event: CommitEvent) throws -> YapListUpdate<Value>? {
        guard let connection else { return try update() }
        guard case .commits(let commits) = event, let newest = commits.last?.snapshot else { return nil }
        var mayConcern = false
        for commit in commits where commit.snapshot > snapshot || commit.isExternal {
            if noteChanges(of: commit) { mayConcern = true }
        }
        guard mayConcern else { return nil }
        let (before, problemsBefore) = (state, problems)
        let (isConcerned, touched) = try connection.read { transaction in
            if let keys = changed, try !isWanted(anyOf: keys, in: transaction) {
                changed = []
                return (false, Set<RowKey>?.none)
            }
            return (true, try place(in: transaction, upTo: newest))
        }
        guard isConcerned else { return nil }
        noteTold()
        guard
            let changes = ListDifference(collection: request.collection, changed: touched).changes(
                from: (before.rows, before.keys), to: (state.rows, state.keys), group: group)
        else { return made(.reload) }
        if changes.isEmpty { return problems == problemsBefore ? nil : made(.none) }
        return made(.changes(changes), former: changes.former(in: sections(before.rows)))
    }

    private func noteTold() {
        // What was told before is released outside of the lock.
        var rows = problems.isEmpty && !isBehind ? state : nil
        told.withLock { swap(&$0, &rows) }
    }

    /// Goes by the keys of a commit and by the objects that it wrote, without reading. O(k) for k changed rows.
    nonisolated var isConcerned: (@Sendable (Commit) -> Bool)? {
        guard let condition = request.condition else { return nil }
        let collection = request.collection.name
        return { [told] commit in
            guard let rows = told.withLock({ $0 }), !commit.isExternal, !commit.changes.isCleared(collection) else {
                return true
            }
            guard let keys = commit.changes.rows[ExactString(collection)] else { return false }
            if keys.count > Self.readLimit { return true }
            let written = commit.written
            return keys.contains { name, kind in
                let key = RowKey(collection: collection, key: name.text)
                if rows.has(key) { return true }
                let isGone = kind.contains(.removed) && !kind.contains(.inserted)
                if isGone || kind.isDisjoint(with: [.object, .inserted]) { return false }
                // The index has what was written. Of what was written as bytes, nothing is known.
                return written.object(key, as: Value.self).map(condition.holds) ?? true
            }
        }
    }

    /// Notes the rows that a commit changes.
    /// - Returns: whether it changes rows of the collection.
    private func noteChanges(of commit: YapDatabaseCommit) -> Bool {
        let name = request.collection.name
        guard !commit.isExternal, !isBehind, !commit.isAllRemoved,
            !commit.removedCollections.contains(where: { $0.hasSameBytes(as: name) })
        else {
            changed = nil
            return true
        }
        let keys = commit.base.changes.rows[ExactString(name)]?.keys ?? [:].keys
        if keys.isEmpty { return false }
        for key in keys { changed?.insert(RowKey(collection: name, key: key.text)) }
        return true
    }

    /// Whether one of some rows is shown, or fulfils the condition now.
    private func isWanted(anyOf keys: Set<RowKey>, in transaction: YapDatabaseReadTransaction) throws -> Bool {
        if keys.count > Self.readLimit || keys.contains(where: state.has) { return true }
        guard let condition = request.condition else { return true }
        let rows = transaction[request.collection]
        return try keys.contains { try rows.decodableValue(of: $0).map(condition.holds) ?? false }
    }

    /// Brings the state to that of a transaction.
    /// - Returns: the rows that may differ; nil for all, if the newest state has more commits than the feed has met.
    private func place(in transaction: YapDatabaseReadTransaction, upTo number: Int) throws -> Set<RowKey>? {
        guard let changed, transaction.snapshot.number == number, let placed = try placed(changed, in: transaction)
        else {
            return try load(transaction, upTo: number)
        }
        (state, snapshot, self.changed) = (placed, number, [])
        return changed
    }

    /// The state with some rows as they are now; nil if the index has to be asked.
    private func placed(_ changed: Set<RowKey>, in transaction: YapDatabaseReadTransaction) throws -> State? {
        guard changed.count <= Self.readLimit, request.offset == 0, !request.orders.isEmpty, problems.isEmpty else {
            return nil
        }
        var state = state
        // Rows behind the last one are not known.
        let isOpen = request.limit.map { state.rows.count >= $0 } ?? false
        let rows = transaction[request.collection]
        for key in changed {
            if let old = state.shown[key] {
                guard let index = index(of: key, old, in: state) else { return nil }
                state.remove(at: index)
            }
            guard let stored = try rows.storedValue(of: key) else { continue }
            // A row that cannot be decoded is a problem of the index.
            guard let value = stored else { return nil }
            guard request.condition?.holds(value) ?? true else { continue }
            let index = state.rows.indices.partitionPoint {
                request.orders.compare(state.rows[$0], value) == .orderedDescending
            }
            if isOpen, index == state.rows.count { return nil }
            state.insert(value, key, at: index)
        }
        guard let limit = request.limit else { return state }
        if isOpen, state.rows.count < limit { return nil }
        while state.rows.count > limit { state.remove(at: state.rows.count - 1) }
        return state
    }

    private func index(of key: RowKey, _ value: Value, in state: State) -> Int? {
        var index = state.rows.indices.partitionPoint {
            request.orders.compare(state.rows[$0], value) != .orderedAscending
        }
        while index < state.rows.count, request.orders.compare(state.rows[index], value) == .orderedSame {
            if state.keys[index] == key { return index }
            index += 1
        }
        return nil
    }

    /// Asks the index.
    /// - Returns: the rows that may differ; nil for all, if the newest state has more commits than the feed has met.
    private func load(_ transaction: YapDatabaseReadTransaction, upTo number: Int) throws -> Set<RowKey>? {
        let known = transaction.snapshot.number == number ? changed : nil
        // The rows before the first one decide which it is.
        let offset = request.offset
        let query = transaction[request.first(request.limit.map { $0.addingClamped(offset) })]
        let (index, text) = try query.prepared()
        var new = State()
        try index.forEachKey(index.cursor(text)) { _, key, _ in
            if new.skipped.count < offset {
                new.skipped.insert(key)
            } else if let known, !known.contains(key), let value = state.shown[key] {
                new.insert(value, key, at: new.rows.count)
            } else if let value = try query.rows.decodableValue(of: key) {
                new.insert(value, key, at: new.rows.count)
            }
        }
        problems = try index.problems
        (state, snapshot, changed) = (new, transaction.snapshot.number, [])
        isBehind = transaction.snapshot.entry(index.name)?.behind != nil
        return known
    }

    private var group: String { YapList<Value, Key, Metadata>.onlyGroup }

    private func sections(_ rows: [Value]) -> [ListSection<Value>] { [ListSection(group: group, rows: rows)] }

    private func made(_ outcome: Outcome, former: FormerRows<Value> = FormerRows()) -> YapListUpdate<Value> {
        YapListUpdate(
            sections: sections(state.rows), outcome: outcome, snapshot: snapshot, problems: problems, former: former)
    }
}

extension YapRows {
    /// The value of a row; nil if there is no row, or if the row cannot be decoded, because the index leaves it out then.
    fileprivate func decodableValue(of key: RowKey) throws -> Value? {
        guard let stored = try storedValue(of: key) else { return nil }
        return stored
    }

    /// The value of a row, nil inside if it cannot be decoded; nil if there is no row.
    fileprivate func storedValue(of key: RowKey) throws -> Value?? {
        do {
            return try value(of: key).map { .some($0) }
        } catch {
            guard YapDatabaseError(undecodable: error) != nil else { throw error }
            return .some(nil)
        }
    }
}
