import ListChanges

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
    /// The rows that the change-set updates, deletes or moves, as they were, by their path in the update before.
    let former: FormerRows<Value>

    /// Returns a row that is updated, deleted or moved as it was in the update before; nil for one that is inserted.
    ///
    /// ```swift
    /// for try await update in connection.updates(of: order) {
    ///     guard case .changes(let changes) = update.outcome else { continue }
    ///     for change in changes.rowChanges { print(change.type, update.oldValue(of: change)?.title ?? "new") }
    /// }
    /// ```
    public func oldValue(of change: RowChange) -> Value? { change.before.flatMap { former.row(at: $0) } }

    /// The rows of all sections, one after the other.
    public var rows: [Value] { sections.flatMap(\.rows) }
}

/// How many rows a list has: ``YapDatabaseConnection/counts(of:)``.
public struct YapListCounts: Hashable, Sendable {
    /// A group and the number of its rows.
    public struct Group: Hashable, Sendable {
        /// The name of the group.
        public let name: String
        /// The number of its rows, at least 1.
        public let count: Int
    }

    /// The groups that have rows, in the order of the sections.
    public let groups: [Group]
    /// The number of all rows.
    public var total: Int { groups.reduce(0) { $0 + $1.count } }
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
    /// its task ends it. The first update comes when the list is registered; until then a warning is logged, because most loops that wait for
    /// a list have been begun too early (``YapDatabase/setLogHandler(_:)``). A program that does not know the list may write its rows: the update
    /// that follows has the exact change-set, too, found by comparing the rows if that program knows only SQLite.
    ///
    /// It reads on a connection of its own, so this one stays free.
    ///
    /// - Parameters:
    ///   - list: the list; while it is not registered, the loop waits.
    ///   - shown: which part is shown, and how.
    /// - Throws: in the loop, ``YapDatabaseError`` if the file cannot be read, and with `badExtension` if another program has registered
    ///   something else under the list's name.
    public func updates<Value, Key, Metadata>(
        of list: YapList<Value, Key, Metadata>, _ shown: YapShown = .all
    ) -> YapUpdates<YapListUpdate<Value>> { updates(of: list, YapWindow(shown)) }

    /// The states of a list in a window that can be moved, and that grows, while the loop runs.
    ///
    /// ```swift
    /// let window = YapWindow(.last(50))
    /// for try await update in connection.updates(of: order, window) {
    ///     if update.rows.count == 50 { window.grow(by: 50) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - list: the list; while it is not registered, the loop waits.
    ///   - window: which part is shown, and how.
    /// - Throws: in the loop, as ``updates(of:_:)-(_,YapShown)``.
    public func updates<Value, Key, Metadata>(
        of list: YapList<Value, Key, Metadata>, _ window: YapWindow
    ) -> YapUpdates<YapListUpdate<Value>> {
        YapUpdates(database, window: window) { [database] in
            ListFeed(database: database, list: list, window: window, form: .values(of: list))
        }
    }

    /// The keys of a list: as ``updates(of:_:)-(_,YapShown)``, but no value is read or decoded. For screens that read a row when they draw it.
    ///
    /// After a commit of a program that knows only SQLite, the outcome is `.reload`: without values nothing says which rows are others.
    ///
    /// ```swift
    /// for try await update in connection.keys(of: order, .last(500)) { print(update.rows.last ?? "none") }
    /// ```
    ///
    /// - Parameters:
    ///   - list: the list; while it is not registered, the loop waits.
    ///   - shown: which part is shown, and how.
    /// - Throws: in the loop, ``YapDatabaseError`` if the file cannot be read, and with `badExtension` if another program has registered
    ///   something else under the list's name.
    public func keys<Value, Key, Metadata>(
        of list: YapList<Value, Key, Metadata>, _ shown: YapShown = .all
    ) -> YapUpdates<YapListUpdate<Key>> {
        let window = YapWindow(shown)
        return YapUpdates(database, window: window) { [database] in
            ListFeed(database: database, list: list, window: window, form: .keys(of: list))
        }
    }

    /// The numbers of a list's rows, again whenever they change. No row is read: O(groups) for each commit.
    ///
    /// ```swift
    /// for try await counts in connection.counts(of: order) { print(counts.total, counts.groups.map(\.name)) }
    /// ```
    ///
    /// - Parameter list: the list; while it is not registered, the loop waits.
    /// - Throws: in the loop, ``YapDatabaseError`` if the file cannot be read.
    public func counts<Value, Key, Metadata>(
        of list: YapList<Value, Key, Metadata>
    ) -> YapUpdates<YapListCounts> {
        YapUpdates(database) { [database] in
            ReadFeed(database, once: { try $0.isToBeShown(list) }) { transaction in
                guard let rows = try transaction.ifRegistered(list) else { return YapListCounts(groups: []) }
                return YapListCounts(
                    groups: rows.groups.map { YapListCounts.Group(name: $0, count: rows.count(in: $0)) })
            }
        }
    }
}
