import FileEngine
import ListChanges

/// Keeps the rows of a list in step with the database, for one loop.
actor ListFeed<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable, Row: Sendable>: UpdateFeed {
    private let database: YapDatabase
    private let list: YapList<Value, Key, Metadata>
    private let window: YapWindow
    private let form: ListRowForm<Value, Key, Metadata, Row>
    private var following: (coordinator: YapDatabaseViewCoordinator, mappings: YapDatabaseViewMappings)?
    private var sections: [ListSection<Row>] = []
    /// Whether `sections` are of an earlier state, because the rows could not be read.
    private var isBehind = true
    /// Whether the loop has been told nothing yet, because the list was not registered.
    private var isAwaited = false
    /// Whether rows of the list that cannot be decoded are not in `sections`, so that no change-set fits.
    private var leavesOut = false
    private var problems: [YapDatabaseUndecodableRow] = []
    /// Whether no commit since has changed which rows cannot be decoded.
    private var problemsAreKnown = false

    /// The rows that the last change-set updated, deleted or moved, as they were.
    private var former = FormerRows<Row>()

    init(
        database: YapDatabase, list: YapList<Value, Key, Metadata>, window: YapWindow,
        form: ListRowForm<Value, Key, Metadata, Row>
    ) {
        (self.database, self.list, self.window, self.form) = (database, list, window, form)
    }

    /// The first update; nil if the list is not registered.
    func update() throws -> YapListUpdate<Row>? {
        let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection(), comparesRows: false)
        defer { try? coordinator.connection.rest() }
        let mappings = list.mappings(window.shown)
        isAwaited = try !coordinator.follow(mappings)
        following = (coordinator, mappings)
        if isAwaited { return nil }
        try load(mappings, coordinator)
        return made(.reload, coordinator)
    }

    /// The update after a commit, or after the window was changed; nil if it changes nothing that is shown.
    func update(for event: CommitEvent) throws -> YapListUpdate<Row>? {
        guard let (coordinator, mappings) = following else { return try update() }
        guard case .commits(let commits) = event else { return try updateWindow(mappings, coordinator) }
        if commits.contains(where: mayChangeProblems) { problemsAreKnown = false }
        // An earlier update contains them. Of an external commit, the number says nothing. Not by the snapshot of the connection, which may have
        // read more than the list shows.
        let known = mappings.snapshotOfLastUpdate ?? -1
        if !isBehind, problemsAreKnown, commits.allSatisfy({ $0.snapshot <= known && !$0.isExternal }) { return nil }
        // The rows are in memory, so no state need be kept for them in the write-ahead log.
        defer { try? coordinator.connection.rest() }
        for (_, outcome) in try coordinator.advance() {
            if !isBehind, outcome == .none { continue }
            guard !isBehind, !leavesOut, case .changes(let changes) = outcome,
                try apply(changes, mappings, coordinator)
            else { return try updateByComparing(mappings, coordinator) }
            return made(outcome, coordinator)
        }
        return try loadProblems(mappings, coordinator) ? made(.none, coordinator) : nil
    }

    /// Shows the window as it is now, of the newest commit.
    private func updateWindow(
        _ old: YapDatabaseViewMappings, _ coordinator: YapDatabaseViewCoordinator
    ) throws -> YapListUpdate<Row>? {
        defer { try? coordinator.connection.rest() }
        // The rows that the commits so far change; nil if that is not known.
        var changed: Set<RowKey>? = []
        for (_, outcome) in try coordinator.advance() {
            if let changes = outcome.changeSet {
                changed?.formUnion(changes.rowChanges.compactMap(\.key))
            } else {
                changed = nil
            }
        }
        let snapshot = coordinator.connection.snapshot
        coordinator.unfollow(old)
        let mappings = list.mappings(window.shown)
        try coordinator.follow(mappings)
        following = (coordinator, mappings)
        return try updateByComparing(
            mappings, coordinator, changed: { coordinator.connection.snapshot == snapshot ? changed : nil })
    }

    /// Reads all rows and compares them with those that were shown.
    /// - Parameter changed: the rows whose values may differ; nil for all.
    /// - Returns: nil if they are the same.
    private func updateByComparing(
        _ mappings: YapDatabaseViewMappings, _ coordinator: YapDatabaseViewCoordinator,
        changed: () -> Set<RowKey>? = { nil }
    ) throws -> YapListUpdate<Row>? {
        if isAwaited, mappings.snapshotOfLastUpdate == nil { return nil }
        isAwaited = false
        let (before, problemsBefore) = (isBehind || leavesOut ? nil : sections, problems)
        try load(mappings, coordinator)
        guard let before, !leavesOut, mappings.snapshotOfLastUpdate != nil, !mappings.value.hasCellDrawingDependencies,
            let changes = form.changes(before, sections, changed())
        else { return made(.reload, coordinator) }
        if changes.isEmpty { return problems == problemsBefore ? nil : made(.none, coordinator) }
        former = changes.former(in: before)
        return made(.changes(changes), coordinator)
    }

    /// - Returns: false if a row cannot be decoded.
    private func apply(
        _ changes: ChangeSet, _ mappings: YapDatabaseViewMappings, _ coordinator: YapDatabaseViewCoordinator
    ) throws -> Bool {
        isBehind = true
        let isDecoded = try coordinator.connection.read { transaction in
            let rows = try transaction[list]
            do {
                former = changes.former(in: sections)
                try changes.apply(to: &sections) { try form.row(rows, $0, mappings) }
            } catch {
                guard rows.view.mayPassOver(error) else { throw error }
                return false
            }
            if !problemsAreKnown { problems = try rows.problems }
            return true
        }
        (isBehind, problemsAreKnown) = (!isDecoded, problemsAreKnown || isDecoded)
        return isDecoded
    }

    private func mayChangeProblems(_ commit: YapDatabaseCommit) -> Bool {
        // Other extensions than the list itself say nothing of it in a commit. A process without the list takes a row that it removes or mends out of
        // the file's notes, and no log says so.
        commit.isExternal || commit.isForeign && !problems.isEmpty || readsFromOthers
            || database.undecodableRowReports.hasUnreadable(in: list.name)
            || (commit.base.logs[list.name] as? ViewLog)?.changesProblems ?? false
    }

    /// Whether the list lacks rows that another list or collection leaves out.
    private var readsFromOthers: Bool {
        switch list.source {
        case .placed, .manual: RowTable.isDerived(list.collection.name)
        case .filtered, .searched, .searchedAndPlaced, .derived: true
        }
    }

    /// - Returns: whether other rows cannot be decoded than before.
    private func loadProblems(
        _ mappings: YapDatabaseViewMappings, _ coordinator: YapDatabaseViewCoordinator
    ) throws -> Bool {
        // A connection that did not jump, because the list is not right yet, would read a later state.
        guard !problemsAreKnown, mappings.snapshotOfLastUpdate != nil,
            coordinator.connection.isInLongLivedReadTransaction()
        else { return false }
        problemsAreKnown = true
        let before = problems
        problems = try coordinator.connection.read { try $0[list].problems }
        return problems != before
    }

    private func load(_ mappings: YapDatabaseViewMappings, _ coordinator: YapDatabaseViewCoordinator) throws {
        isBehind = true
        var isComplete = true
        (sections, problems) = try coordinator.connection.read {
            transaction -> ([ListSection<Row>], [YapDatabaseUndecodableRow]) in
            if mappings.snapshotOfLastUpdate == nil { return ([], []) }
            let rows = try transaction[list]
            let sections: [ListSection<Row>]
            (sections, isComplete) = try form.sections(rows, mappings)
            return (sections, try rows.problems)
        }
        leavesOut = !isComplete
        (isBehind, problemsAreKnown) = (false, true)
    }

    private func made(
        _ outcome: Outcome, _ coordinator: YapDatabaseViewCoordinator
    ) -> YapListUpdate<Row> {
        defer { former = FormerRows() }
        return YapListUpdate(
            sections: sections, outcome: outcome, snapshot: coordinator.connection.snapshot, problems: problems,
            former: former)
    }
}

/// Rows as they were before a change-set, by their paths. Arrays, because most change-sets name one row, for which a dictionary costs more.
struct FormerRows<Row> {
    /// In ascending order.
    fileprivate var paths: [RowPath] = []
    fileprivate var rows: [Row] = []

    /// O(log n).
    func row(at path: RowPath) -> Row? {
        let index = paths.indices.partitionPoint { paths[$0] >= path }
        return index < paths.count && paths[index] == path ? rows[index] : nil
    }
}

extension FormerRows: Sendable where Row: Sendable {}

extension ChangeSet {
    /// The rows that are updated, deleted or moved, as they were before.
    func former<Row>(in sections: [ListSection<Row>]) -> FormerRows<Row> {
        var former = FormerRows<Row>()
        for change in rowChanges {
            if let path = change.before { former.paths.append(path) }
        }
        if former.paths.count > 1 { former.paths.sort() }
        for path in former.paths { former.rows.append(sections[path.section].rows[path.row]) }
        return former
    }
}

/// What a loop over a list gets of each row, and how it is read.
struct ListRowForm<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable, Row: Sendable>: Sendable {
    typealias Rows = YapListRows<Value, Key, Metadata>

    /// All rows that are shown, and whether none is left out because it cannot be decoded.
    let sections: @Sendable (Rows, YapDatabaseViewMappings) throws -> (sections: [ListSection<Row>], isComplete: Bool)
    /// The row at a path.
    let row: @Sendable (Rows, RowPath, YapDatabaseViewMappings) throws -> Row
    /// What leads from sections to others, given the rows whose values may differ, nil for all; nil if no change-set says it.
    let changes: @Sendable ([ListSection<Row>], [ListSection<Row>], Set<RowKey>?) -> ChangeSet?
}

extension ListRowForm where Row == Value {
    static func values(of list: YapList<Value, Key, Metadata>) -> Self {
        let collection = list.collection
        return Self(
            sections: { try $0.sections(with: $1) },
            row: { try $0.shownValue(at: $1, with: $2) },
            changes: { before, after, changed in
                ListDifference(collection: collection, changed: changed).changes(from: before, to: after)
            })
    }
}

extension ListRowForm where Row == Key {
    static func keys(of list: YapList<Value, Key, Metadata>) -> Self {
        let collection = list.collection
        return Self(
            sections: { (try $0.shownKeys(with: $1), true) },
            row: { try $0.shownKey(at: $1, with: $2) },
            changes: { before, after, changed in
                guard let changed, let old = ListSnapshot(before, key: collection.rowKey),
                    let new = ListSnapshot(after, key: collection.rowKey)
                else { return nil }
                return ChangeSet(from: old, to: new) { key, _, _ in changed.contains(key) ? .object : [] }
            })
    }
}
