import ListChanges

/// Which part of a ``YapList`` is shown, and how. A value; all of the list by default.
public struct YapShown: Sendable {
    /// The groups that are sections, in this order; nil for all, in the order of the values that group the list.
    public var groups: [String]?
    /// Whether sections without rows are left out. Of a list with all its groups, they always are.
    public var hidesEmptySections = true
    /// Whether the last row of each group comes first.
    public var isReversed = false
    /// The part of each group, in the order of the screen; nil for all of it.
    public var range: RangeOptions?
    /// Sets anything else of the mappings: other ranges for single groups, cells that depend on neighbours, consolidation.
    public var configure: @Sendable (YapDatabaseViewMappings) -> Void = { _ in }

    /// Shows the given groups, each with all its rows; nil for all groups.
    public init(groups: [String]? = nil) { self.groups = groups }

    /// Everything.
    public static var all: YapShown { YapShown() }

    /// The last rows of each group: always as many as there are, up to `count`. For a range that grows or keeps its rows, set ``range``.
    ///
    /// ```swift
    /// for try await update in connection.updates(of: order, .last(50)) { print(update.rows.count) }
    /// ```
    ///
    /// - Parameters:
    ///   - count: the most rows of a group; at least 1.
    ///   - groups: the groups that are sections, in this order; nil for all.
    public static func last(_ count: Int, groups: [String]? = nil) -> YapShown {
        var shown = YapShown(groups: groups)
        shown.range = RangeOptions.fixed(length: max(1, count), offset: 0, from: .end)
        return shown
    }

    /// The first rows of each group: always as many as there are, up to `count`.
    /// - Parameters:
    ///   - count: the most rows of a group; at least 1.
    ///   - groups: the groups that are sections, in this order; nil for all.
    public static func first(_ count: Int, groups: [String]? = nil) -> YapShown {
        var shown = YapShown(groups: groups)
        shown.range = RangeOptions.fixed(length: max(1, count), offset: 0, from: .beginning)
        return shown
    }
}

extension YapList {
    /// Mappings that show this list, for a coordinator, a `LiveTable` or code of your own.
    ///
    /// ```swift
    /// let mappings = order.mappings(.last(50))
    /// try connection.read { transaction in try mappings.update(with: transaction) }
    /// ```
    public func mappings(_ shown: YapShown = .all) -> YapDatabaseViewMappings {
        let isBefore = isGroupBefore
        let mappings =
            shown.groups.map { YapDatabaseViewMappings(groups: $0, view: name) }
            ?? YapDatabaseViewMappings(
                view: name, allGroupsBy: { isBefore($0, $1) || !isBefore($1, $0) && $0.precedes($1) })
        mappings.setIsDynamicSectionForAllGroups(shown.hidesEmptySections)
        if shown.isReversed || shown.range != nil {
            mappings.setUpGroups { mappings, group in
                mappings.setIsReversed(shown.isReversed, forGroup: group)
                mappings.setRangeOptions(shown.range, forGroup: group)
            }
        }
        shown.configure(mappings)
        return mappings
    }
}

extension YapListRows {
    /// Returns the value at a position on screen; nil if there is none.
    ///
    /// O(log n), and what reading the row costs.
    ///
    /// ```swift
    /// let value = try transaction[order].value(at: RowPath(section: 0, row: 0), with: mappings)
    /// ```
    ///
    /// - Parameters:
    ///   - path: the section and the row, both counted from 0.
    ///   - mappings: mappings on the snapshot of the transaction.
    /// - Throws: ``YapDatabaseError`` with `mismatchedMappings` if the mappings are not on the transaction's snapshot.
    public func value(at path: RowPath, with mappings: YapDatabaseViewMappings) throws -> Value? {
        try view.row(at: path, with: mappings).map { try value(of: $0) }
    }

    /// Returns a row's position on screen; nil if it is not shown.
    ///
    /// O(log n).
    ///
    /// ```swift
    /// let path = try transaction[order].path(of: "dune", with: mappings)
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - mappings: mappings on the snapshot of the transaction.
    /// - Throws: ``YapDatabaseError`` with code `mismatchedMappings` if the mappings are on another snapshot than the transaction;
    ///   `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func path(of key: Key, with mappings: YapDatabaseViewMappings) throws -> RowPath? {
        try view.path(of: list.collection.rowKey(key), with: mappings)
    }

    /// Returns everything that the mappings show, and whether nothing is left out because it cannot be decoded. Reads and decodes all of
    /// it.
    func sections(with mappings: YapDatabaseViewMappings) throws -> (sections: [ListSection<Value>], isComplete: Bool) {
        var isComplete = true
        let sections = try mappings.value.visibleGroups.enumerated().map { section, group in
            if !mappings.isUsingConsolidatedGroup() {
                let rows = try shownValues(of: group, with: mappings)
                if rows.count < mappings.numberOfItems(inGroup: group) { isComplete = false }
                return ListSection(group: group, rows: rows)
            }
            var rows: [Value] = []
            for row in 0..<mappings.numberOfItems(inSection: section) {
                do {
                    rows.append(try shownValue(at: RowPath(section: section, row: row), with: mappings))
                } catch {
                    guard view.mayPassOver(error) else { throw error }
                    isComplete = false
                }
            }
            return ListSection(group: group, rows: rows)
        }
        return (sections, isComplete)
    }

    /// The values of a section, in the order of the screen, many read at once. Those that cannot be decoded are left out.
    private func shownValues(of group: String, with mappings: YapDatabaseViewMappings) throws -> [Value] {
        let position = mappings.rangePosition(forGroup: group)
        let isReversed = mappings.isReversed(forGroup: group)
        let first = isReversed ? position.offsetFromEnd : position.offsetFromBeginning
        let values = try view.values(
            of: Value.self, from: list.collection.name, inGroup: group, range: first..<first + position.length,
            keeps: false)
        return isReversed ? values.reversed() : values
    }

    /// Does not put the value into the cache: the callers keep it themselves.
    func shownValue(at path: RowPath, with mappings: YapDatabaseViewMappings) throws -> Value {
        if let row = try view.row(at: path, with: mappings) { return try value(of: row, keeps: false) }
        throw YapDatabaseError(
            .corrupt, "The list \"\(list.name)\" has no row at \(path), which its count includes. Run `yap check`.")
    }
}

/// A state of a list, and how it came from the one before.
public struct YapListUpdate<Value: Sendable>: Sendable {
    /// The rows of the sections, in order.
    public let sections: [ListSection<Value>]
    /// What leads from the update before to this one; `.reload` in the first update, and where no change-set says it.
    public let outcome: Outcome
    /// The number of the last commit that it contains.
    public let snapshot: Int
    /// The rows of the collection that are not in the list, because they cannot be decoded. If nothing else has changed, `outcome` is
    /// `.none`.
    public let problems: [YapDatabaseUndecodableRow]

    /// The rows of all sections, one after the other.
    public var rows: [Value] { sections.flatMap(\.rows) }
}

extension YapDatabaseConnection {
    /// The states of a list: the present one, and a new one after each commit that changes it.
    ///
    /// ```swift
    /// for try await update in connection.updates(of: order, .last(50)) {
    ///     if case .changes(let changes) = update.outcome { print(changes.rowChanges) }
    /// }
    /// ```
    ///
    /// Commits that happen while the loop's body runs are one update. Between two updates nothing of the file is held. Each update reads only the rows that changed; all rows of the
    /// list that are shown are in memory, so show a part of a long one. Nothing is kept for a loop that is over, and cancelling
    /// its task ends it. While the list is not registered, it is empty. A program that does not know the list may write its rows: the update
    /// that follows has the exact change-set, too, found by comparing the rows if that program knows only SQLite.
    ///
    /// It reads on a connection of its own, so this one stays free.
    ///
    /// - Parameters:
    ///   - list: the list; while it is not registered, it is empty.
    ///   - shown: which part is shown, and how.
    /// - Throws: in the loop, ``YapDatabaseError`` if the file cannot be read, and with `badExtension` if another program has registered
    ///   something else under the list's name.
    public func updates<Value, Key, Metadata>(
        of list: YapList<Value, Key, Metadata>, _ shown: YapShown = .all
    ) -> YapListUpdates<Value, Key, Metadata> {
        YapListUpdates(database: database, list: list, shown: shown)
    }
}

/// The updates of a list: ``YapDatabaseConnection/updates(of:_:)``. Each loop over it has its own.
///
/// The stream has a connection of its own, because a jump concerns all lists of a connection. It keeps the rows and
/// applies each change-set to them (`ChangeSet.apply(to:row:)`).
public struct YapListUpdates<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable>: AsyncSequence,
    Sendable
{
    public typealias Element = YapListUpdate<Value>
    let database: YapDatabase
    let list: YapList<Value, Key, Metadata>
    let shown: YapShown

    public func makeAsyncIterator() -> Iterator {
        Iterator(
            feed: ListFeed(database: database, list: list, shown: shown), commits: database.commits.makeAsyncIterator())
    }

    /// Waits for commits and works out the next update when it is asked for it.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let feed: ListFeed<Value, Key, Metadata>
        // From before the first update, so that no commit is missed.
        fileprivate var commits: YapDatabaseCommits
        private var hasBegun = false

        fileprivate init(feed: ListFeed<Value, Key, Metadata>, commits: YapDatabaseCommits) {
            self.feed = feed
            self.commits = commits
        }

        /// Waits for the next update; nil at the end.
        /// - Throws: ``YapDatabaseError`` with code `badExtension` if another program has registered something else under the list's
        ///   name; `closed`, `corrupt`, `inputOutput` and the like if the file cannot be read.
        public mutating func next() async throws -> YapListUpdate<Value>? { try await next(isolation: nil) }

        /// Waits for the next update; nil at the end.
        /// - Throws: ``YapDatabaseError`` with code `badExtension` if another program has registered something else under the list's
        ///   name; `closed`, `corrupt`, `inputOutput` and the like if the file cannot be read.
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

/// Keeps the rows of a list in step with the database, for one loop.
private actor ListFeed<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable> {
    private let database: YapDatabase
    private let list: YapList<Value, Key, Metadata>
    private let shown: YapShown
    private var following: (coordinator: YapDatabaseViewCoordinator, mappings: YapDatabaseViewMappings)?
    private var sections: [ListSection<Value>] = []
    /// Whether `sections` are of an earlier state, because the rows could not be read.
    private var isBehind = true
    /// Whether rows of the list that cannot be decoded are not in `sections`, so that no change-set fits.
    private var leavesOut = false
    private var problems: [YapDatabaseUndecodableRow] = []

    init(database: YapDatabase, list: YapList<Value, Key, Metadata>, shown: YapShown) {
        self.database = database
        self.list = list
        self.shown = shown
    }

    /// The first update.
    func update() throws -> YapListUpdate<Value> {
        let coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection(), comparesRows: false)
        defer { try? coordinator.connection.rest() }
        let mappings = list.mappings(shown)
        try coordinator.follow(mappings)
        following = (coordinator, mappings)
        try load(mappings, coordinator)
        return made(.reload, coordinator)
    }

    /// The update after a commit; nil if it changes nothing that is shown.
    func update(for commit: YapDatabaseCommit) throws -> YapListUpdate<Value>? {
        guard let (coordinator, mappings) = following else { return try update() }
        // An earlier update contains it. Of an external commit, the number says nothing.
        if commit.snapshot <= coordinator.connection.snapshot, !commit.isExternal, !isBehind { return nil }
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

    /// Reads all rows and compares them with those that were shown.
    /// - Returns: nil if they are the same.
    private func updateByComparing(
        _ mappings: YapDatabaseViewMappings, _ coordinator: YapDatabaseViewCoordinator
    ) throws -> YapListUpdate<Value>? {
        let (before, problemsBefore) = (isBehind || leavesOut ? nil : sections, problems)
        try load(mappings, coordinator)
        guard let before, !leavesOut, mappings.snapshotOfLastUpdate != nil,
            let changes = ListDifference(
                collection: list.collection, hasDependencies: mappings.value.hasCellDrawingDependencies
            ).changes(from: before, to: sections)
        else { return made(.reload, coordinator) }
        if changes.isEmpty { return problems == problemsBefore ? nil : made(.none, coordinator) }
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
                try changes.apply(to: &sections) { try rows.shownValue(at: $0, with: mappings) }
            } catch {
                guard rows.view.mayPassOver(error) else { throw error }
                return false
            }
            problems = try rows.problems
            return true
        }
        isBehind = !isDecoded
        return isDecoded
    }

    /// - Returns: whether other rows cannot be decoded than before.
    private func loadProblems(
        _ mappings: YapDatabaseViewMappings, _ coordinator: YapDatabaseViewCoordinator
    ) throws -> Bool {
        guard mappings.snapshotOfLastUpdate != nil else { return false }
        let before = problems
        problems = try coordinator.connection.read { try $0[list].problems }
        return problems != before
    }

    private func load(_ mappings: YapDatabaseViewMappings, _ coordinator: YapDatabaseViewCoordinator) throws {
        isBehind = true
        var isComplete = true
        (sections, problems) = try coordinator.connection.read {
            transaction -> ([ListSection<Value>], [YapDatabaseUndecodableRow]) in
            if mappings.snapshotOfLastUpdate == nil { return ([], []) }
            let rows = try transaction[list]
            let sections: [ListSection<Value>]
            (sections, isComplete) = try rows.sections(with: mappings)
            return (sections, try rows.problems)
        }
        leavesOut = !isComplete
        isBehind = false
    }

    private func made(
        _ outcome: Outcome, _ coordinator: YapDatabaseViewCoordinator
    ) -> YapListUpdate<Value> {
        YapListUpdate(
            sections: sections, outcome: outcome, snapshot: coordinator.connection.snapshot, problems: problems)
    }
}
