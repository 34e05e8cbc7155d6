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
        mappings.value.setAllGroups(isReversed: shown.isReversed, range: shown.range)
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
        let groups = mappings.value.visibleGroups
        guard mappings.isUsingConsolidatedGroup() else {
            let values = try shownValues(of: groups, with: mappings)
            let isComplete = zip(groups, values).allSatisfy { $1.count >= mappings.numberOfItems(inGroup: $0) }
            return (zip(groups, values).map { ListSection(group: $0, rows: $1) }, isComplete)
        }
        var isComplete = true
        let sections = try groups.enumerated().map { section, group in
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

    /// The values of sections, in the order of the screen, many read at once. Those that cannot be decoded are left out.
    private func shownValues(of groups: [String], with mappings: YapDatabaseViewMappings) throws -> [[Value]] {
        let ranges = groups.map { group in
            let position = mappings.rangePosition(forGroup: group)
            let first = mappings.isReversed(forGroup: group) ? position.offsetFromEnd : position.offsetFromBeginning
            return (group: group, range: first..<first + position.length)
        }
        let values = try view.values(of: Value.self, from: list.collection.name, in: ranges)
        return zip(groups, values).map { mappings.isReversed(forGroup: $0) ? $1.reversed() : $1 }
    }

    /// Does not put the value into the cache: the callers keep it themselves.
    func shownValue(at path: RowPath, with mappings: YapDatabaseViewMappings) throws -> Value {
        if let row = try view.row(at: path, with: mappings) { return try value(of: row, keeps: false) }
        throw missingRow(path)
    }

    /// Returns the keys of everything that the mappings show. Reads no values.
    func shownKeys(with mappings: YapDatabaseViewMappings) throws -> [ListSection<Key>] {
        try mappings.value.visibleGroups.enumerated().map { section, group in
            ListSection(
                group: group,
                rows: try (0..<mappings.numberOfItems(inSection: section)).map { row in
                    try shownKey(at: RowPath(section: section, row: row), with: mappings)
                })
        }
    }

    func shownKey(at path: RowPath, with mappings: YapDatabaseViewMappings) throws -> Key {
        if let row = try view.row(at: path, with: mappings) { return try list.collection.key(of: row.key) }
        throw missingRow(path)
    }

    private func missingRow(_ path: RowPath) -> YapDatabaseError {
        YapDatabaseError(
            .corrupt, "The list \"\(list.name)\" has no row at \(path), which its count includes. Run `yap check`.")
    }
}
