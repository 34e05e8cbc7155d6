import ListChanges

/// Keeps any number of lists in step with one connection.
///
/// It takes care of what every app of the original had to write for itself: *all* mappings of a connection must follow
/// *every* jump, a notification may arrive twice, a view may not be registered yet.
///
/// ```swift
/// let coordinator = try YapDatabaseViewCoordinator(connection: connection)
/// let roster = YapDatabaseViewMappings(groups: ["available", "away"], view: "roster")
/// try coordinator.follow(roster)
/// // after each commit, for example in: for await _ in database.commits
/// for (list, outcome) in try coordinator.advance() {
///     switch outcome {
///     case .none: break
///     case .changes(let changes): animate(changes, of: list)
///     case .reload: reload(list)
///     }
/// }
/// ```
///
/// Use it on the one thread that owns the lists. It needs a connection of its own, used for nothing but reading.
public final class YapDatabaseViewCoordinator {
    /// The connection that the lists read from. It is in a long-lived read transaction.
    public let connection: YapDatabaseConnection
    /// The mappings that are followed, in the order in which they were added.
    public private(set) var lists: [YapDatabaseViewMappings] = []

    /// Whether ``advance()`` finds by comparing rows what commits changed that do not say it.
    private let comparesRows: Bool

    /// Begins a long-lived read transaction on the connection.
    /// - Throws: as ``YapDatabaseConnection/jump()``: ``YapDatabaseError`` with code `closed`, `locked`, `corrupt`, `inputOutput` and the
    ///   like.
    public convenience init(connection: YapDatabaseConnection) throws {
        try self.init(connection: connection, comparesRows: true)
    }

    /// - Parameter comparesRows: false for a caller that has the rows of its lists in hand.
    init(connection: YapDatabaseConnection, comparesRows: Bool) throws {
        self.connection = connection
        self.comparesRows = comparesRows
        try connection.jump()
    }

    /// Adds mappings to those that each jump advances, and brings them to the connection's snapshot.
    ///
    /// - Returns: whether the view is registered. If not, the mappings stay empty, ``advance()`` returns `.reload`
    ///   for them once it is, and a warning is logged (``YapDatabase/setLogHandler(_:)``).
    /// - Throws: ``YapDatabaseError`` with code `.badExtension` when another program has registered another view under
    ///   the name, so that there is nothing to wait for.
    @discardableResult
    public func follow(_ mappings: YapDatabaseViewMappings) throws -> Bool {
        if !lists.contains(where: { $0 === mappings }) { lists.append(mappings) }
        if try update(mappings) { return true }
        let snapshot = try connection.read { $0.snapshot }
        if let displaced = snapshot.displaced(mappings.view) { throw displaced.error }
        if !snapshot.isMissing(mappings.view) { connection.database.logAwaited(mappings.view) }
        return false
    }

    /// Ends the updates of a list. Its mappings stay on the commit that they show.
    ///
    /// ```swift
    /// coordinator.unfollow(mappings)
    /// ```
    public func unfollow(_ mappings: YapDatabaseViewMappings) {
        lists.removeAll { $0 === mappings }
    }

    /// Jumps to the newest commit and returns what that changes in each list.
    ///
    /// A commit of a program that does not know a list may leave it behind for a moment. Until it is right again, all lists stay on the
    /// commit that they show, and then one change-set leads from there.
    ///
    /// After a commit of a program that writes with plain SQLite, the rows that are shown are compared with the rows before. The outcome is a reload
    /// if a list shows more than 10,000 rows, or if the drawing of rows depends on their neighbours.
    ///
    /// Never waits for a writer. O(1) for each list whose view did not change.
    /// - Throws: ``YapDatabaseError`` with code `.badExtension` when another program has registered something else under the name of a
    ///   list. The lists stay on the commit that they show, until that one is no longer followed (``unfollow(_:)``).
    public func advance() throws -> [(list: YapDatabaseViewMappings, outcome: Outcome)] {
        let followed = lists.filter { $0.snapshotOfLastUpdate != nil }.map(\.view)
        if try connection.database.isRecovering(followed, for: connection) { return lists.map { ($0, .none) } }
        let shown = try rowsToCompare()
        // Another program may have committed since the look.
        guard let commits = try connection.jump(ifNewest: { $0.isRight(followed) }) else {
            _ = try connection.database.isRecovering(followed, for: connection)
            return lists.map { ($0, .none) }
        }
        return try lists.map { list in
            let outcome = try outcome(of: commits, for: list)
            guard outcome == .reload, let before = shown[ObjectIdentifier(list)],
                let after = try rows(of: list), let changes = before.changes(to: after)
            else { return (list, outcome) }
            return (list, changes.isEmpty ? .none : .changes(changes))
        }
    }

    /// The rows of the lists that the next commits change without saying how. As long as the connection is on the commit before, they can
    /// be read.
    private func rowsToCompare() throws -> [ObjectIdentifier: ShownRows] {
        guard comparesRows, let commits = connection.commitsToCome else { return [:] }
        var shown: [ObjectIdentifier: ShownRows] = [:]
        for list in lists {
            guard let view = connection.ext(list.view) as? YapDatabaseViewConnection,
                view.isUnknown(commits), list.versionOfLastUpdate == connection.current.version
            else { continue }
            shown[ObjectIdentifier(list)] = try rows(of: list)
        }
        return shown
    }

    private func rows(of list: YapDatabaseViewMappings) throws -> ShownRows? {
        try connection.read { try ShownRows(list, in: $0) }
    }

    private func outcome(
        of commits: [YapDatabaseCommit], for mappings: YapDatabaseViewMappings
    ) throws -> Outcome {
        guard mappings.snapshotOfLastUpdate != nil else { return try update(mappings) ? .reload : .none }
        guard let view = connection.ext(mappings.view) as? YapDatabaseViewConnection else {
            if let displaced = connection.current.displaced(mappings.view) { throw displaced.error }
            // It comes back, and the mappings keep what they show.
            if connection.current.isMissing(mappings.view) { return .none }
            mappings.clear()
            return .reload
        }
        do {
            return try view.outcome(for: commits, with: mappings)
        } catch let error as YapDatabaseError where error.code == .mismatchedMappings {
            // Other code moved the connection or the mappings, so what is on screen is unknown.
            return try update(mappings) ? .reload : .none
        }
    }

    private func update(_ mappings: YapDatabaseViewMappings) throws -> Bool {
        try connection.read { transaction in
            guard transaction.ext(mappings.view) is YapDatabaseViewTransaction else { return false }
            try mappings.update(with: transaction)
            return true
        }
    }
}
