import ListChanges

extension YapDatabaseViewConnection {
    /// Works out what the commits change in the list that the mappings show, and brings the mappings to the connection's
    /// snapshot.
    ///
    /// O(k log k + k log n) for k edits of a group of n rows, whatever the number of other groups; O(1) when the view did not change. Commits that the mappings have
    /// seen already are passed over.
    ///
    /// The outcome is a reload when the groups changed their order, when the view was filled again, or when what a commit
    /// changed is unknown, as after a program that does not use this library. Commits of other programs that use it give
    /// exact change-sets.
    ///
    /// ```swift
    /// let commits = try connection.jump()
    /// switch try viewConnection.outcome(for: commits, with: mappings) {
    /// case .none: break
    /// case .changes(let changes): print(changes.sectionChanges, changes.rowChanges)
    /// case .reload: print("show the list again")
    /// }
    /// ```
    ///
    /// - Parameter commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    /// - Throws: ``YapDatabaseError`` with code `.mismatchedMappings` when the commits do not lead from the mappings' snapshot
    ///   to the connection's. The mappings stay as they were; ``YapDatabaseViewMappings/update(with:)`` sets them right.
    public func outcome(
        for commits: [some YapDatabaseCommitCarrier], with mappings: YapDatabaseViewMappings
    ) throws -> Outcome {
        let commits = try newCommits(Commit.all(of: commits), mappings)
        guard let last = commits.last?.version else { return .none }
        if commits.contains(where: { isReload($0) || $0.snapshot.lacks(name) }) {
            try connection.read { try mappings.update(with: $0) }
            return .reload
        }
        let log = operations(of: commits)
        let outcome =
            log.isEmpty
            ? try advance(mappings, by: log, groups: nil, counts: ExactDictionary())
            : try connection.read { transaction in
                let view = try mappings.viewTransaction(transaction)
                let groups = mappings.groups(after: log, in: view, transaction)
                let counts = mappings.counts(after: log, groups: groups, in: view)
                return try advance(mappings, by: log, groups: groups, counts: counts)
            }
        mappings.versionOfLastUpdate = last
        return outcome
    }

    private func advance(
        _ mappings: YapDatabaseViewMappings, by log: OperationLog, groups: [String]?, counts: ExactDictionary<Int>
    ) throws -> Outcome {
        do {
            let (after, outcome) = try mappings.value.advanced(by: log, groups: groups, counts: counts)
            mappings.value = after
            return outcome
        } catch {
            throw YapDatabaseError(
                .mismatchedMappings,
                """
                The log of the view "\(name)" does not lead from the mappings to what the view holds now: \(error). Call \
                update(with:) on the mappings and reload the list.
                """)
        }
    }

    /// Whether the view changed at all, shown or not. O(commits).
    ///
    /// ```swift
    /// let commits = try connection.jump()
    /// if viewConnection.hasChanges(for: commits) { print("the view changed") }
    /// ```
    public func hasChanges(for commits: [some YapDatabaseCommitCarrier]) -> Bool {
        Commit.all(of: commits).contains { $0.isExternal || $0.logs[name] != nil }
    }

    /// Whether the group changed, shown or not. O(k) for k edits.
    /// - Parameters:
    ///   - group: the name of the group.
    ///   - commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    public func hasChanges(forGroup group: String, in commits: [some YapDatabaseCommitCarrier]) -> Bool {
        hasChanges(forAnyGroups: [group], in: commits)
    }

    /// Whether any of the groups changed. O(k) for k edits.
    /// - Parameters:
    ///   - groups: the names of the groups.
    ///   - commits: what ``YapDatabaseConnection/jump()`` returned, or the notifications of these commits.
    public func hasChanges(
        forAnyGroups groups: Set<String>, in commits: [some YapDatabaseCommitCarrier]
    ) -> Bool {
        let (commits, groups) = (Commit.all(of: commits), groups.exact)
        return commits.contains(where: isReload)
            || operations(of: commits).groups.contains { groups.contains(ExactString($0)) }
    }

    /// The number of edits of the view, as a measure of how much a change-set may cost.
    ///
    /// O(commits).
    ///
    /// ```swift
    /// let commits = try connection.jump()
    /// if viewConnection.numberOfRawChanges(for: commits) > 10_000 { print("reload instead of animating") }
    /// ```
    public func numberOfRawChanges(for commits: [some YapDatabaseCommitCarrier]) -> Int {
        Commit.all(of: commits).reduce(0) { $0 + operations(of: $1).count }
    }

    /// The edits of the view that these commits made, in order: what a change-set is worked out from.
    package func rawOperations(for commits: [some YapDatabaseCommitCarrier]) -> [RawOperation] {
        Array(operations(of: Commit.all(of: commits)))
    }

    /// Whether one of the commits does not say all that it did to the places of the view's rows.
    func isUnknown(_ commits: [Commit]) -> Bool { commits.contains(where: isReload) }

    /// Whether the commit does not say all that it did to the places of the view's rows.
    private func isReload(_ commit: Commit) -> Bool {
        let log = commit.logs[name] as? ViewLog
        // A program without records may have used the rowid of a removed row again: no place says which row stood there.
        return log?.isIncomplete ?? false || commit.isExternal
    }

    private func operations(of commit: Commit) -> OperationLog {
        (commit.logs[name] as? ViewLog)?.operations ?? .empty
    }

    private func operations(of commits: [Commit]) -> OperationLog {
        // There is mostly one commit, whose operations need no copy.
        return commits.count == 1 ? operations(of: commits[0]) : OperationLog(commits.lazy.map(operations).joined())
    }

    /// The commits that the mappings have not seen, which must lead to the connection's snapshot.
    private func newCommits(_ commits: [Commit], _ mappings: YapDatabaseViewMappings) throws -> [Commit] {
        guard let first = commits.first, let last = commits.last else { return [] }
        let before = mappings.snapshotOfLastUpdate
        let here = connection.snapshot
        if let seen = commits.lastIndex(where: { $0.version == mappings.versionOfLastUpdate }) {
            return Array(commits[(seen + 1)...])
        }
        // After the file went back to an earlier state, numbers do not tell which commits the mappings have processed.
        if before != nil, last.version.number == here, commits.contains(where: \.isExternal) { return commits }
        if let before, last.version.number <= before { return [] }
        guard let before, first.version.number <= before + 1, last.version.number == here else {
            throw YapDatabaseError(
                .mismatchedMappings,
                """
                ViewConnection[\(ObjectIdentifier(self).hashValue), RegisteredName=\(name)] was asked for changes, but \
                given mismatched mappings & notifications. The mappings are on snapshot \
                \(before.map { "\($0)" } ?? "none"), the notifications tell of snapshots \(first.version.number) to \
                \(last.version.number), and the connection is on \(here). Call update(with:) on the mappings and \
                reload the list.
                """)
        }
        return commits.filter { $0.version.number > before }
    }
}
