import ListChanges
import Observation

/// A list for programs that build their interface with observation: sections and rows, kept in step with the database.
///
/// ```swift
/// let model = try YapListModel(order, in: database)
/// Task { try await model.follow() }
/// // in the code that draws, which runs again when the model changes:
/// for section in model.sections {
///     for row in 0..<section.count { print(section.group, model[section.index, row]?.title ?? "") }
/// }
/// ```
///
/// Only counts are kept: a row is read and decoded when it is asked for, so that the length of the list costs nothing.
@Observable @MainActor
public final class YapListModel<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable> {
    /// A section: its place, its group, and the number of its rows.
    public struct Section: Identifiable, Hashable, Sendable {
        /// The position of the section, counted from 0.
        public let index: Int
        /// The name of the group that the section shows.
        public let group: String
        /// The number of rows that the section shows.
        public let count: Int
        public var id: String { group }
    }

    /// The declaration of the list.
    public let list: YapList<Value, Key, Metadata>
    /// The sections at the commit ``snapshot``.
    public private(set) var sections: [Section] = []
    /// What led to the present state: for tables that animate.
    public private(set) var outcome = Outcome.reload
    /// The number of the commit that is shown.
    public private(set) var snapshot = 0
    /// The rows of the collection that are not in the list, because they cannot be decoded.
    public private(set) var problems: [YapDatabaseUndecodableRow] = []
    /// Why a row could not be read, or the list could not follow a commit; nil while everything is well.
    public private(set) var failure: (any Error)?

    @ObservationIgnored private let coordinator: YapDatabaseViewCoordinator
    @ObservationIgnored private let mappings: YapDatabaseViewMappings
    /// How many calls of ``follow()`` are under way.
    @ObservationIgnored private var followers = 0

    /// Shows the present state.
    /// - Parameters:
    ///   - list: the list. If it is not registered yet, the model is empty until it is, and a warning is logged.
    ///   - shown: which part is shown, and how.
    ///   - database: the database; the model opens a connection to it.
    /// - Throws: ``YapDatabaseError`` if the file cannot be read, and with `badExtension` if another program has registered something
    ///   else under the list's name.
    public init(_ list: YapList<Value, Key, Metadata>, _ shown: YapShown = .all, in database: YapDatabase) throws {
        self.list = list
        coordinator = try YapDatabaseViewCoordinator(connection: database.newConnection())
        mappings = list.mappings(shown)
        try coordinator.follow(mappings)
        coordinator.connection.yields.store(true, ordering: .relaxed)
        show(.reload)
        try loadProblems()
    }

    /// Follows the database until the task is cancelled or the database is closed. Call it in a task of its own, again after it was
    /// cancelled, and as often at once as you like.
    ///
    /// While nothing follows, the model shows the commit that it has, but does not keep it for long: when the program commits on, reading a
    /// row advances the model first.
    /// - Throws: `CancellationError`, and ``YapDatabaseError`` with `badExtension` if another program has registered something else under
    ///   the list's name. The model keeps its last rows then.
    public func follow() async throws {
        let connection = coordinator.connection
        // From before the first advance, so that no commit is missed.
        let commits = connection.database.commits
        followers += 1
        connection.yields.store(false, ordering: .relaxed)
        defer {
            followers -= 1
            if followers == 0 { connection.yields.store(true, ordering: .relaxed) }
        }
        try advanceUnlessDisplaced()
        for await _ in commits { try advanceUnlessDisplaced() }
        try Task.checkCancellation()
    }

    private func advanceUnlessDisplaced() throws {
        advance()
        if let failure = failure as? YapDatabaseError, failure.code == .badExtension { throw failure }
    }

    /// Shows the newest commit. ``follow()`` calls it.
    ///
    /// ```swift
    /// model.advance()   // for a program that does not follow with a task
    /// print(model.snapshot, model.count)
    /// ```
    public func advance() {
        do {
            for (_, outcome) in try coordinator.advance() where outcome != .none { show(outcome) }
            try loadProblems()
            failure = nil
        } catch {
            failure = error
        }
    }

    private func loadProblems() throws {
        guard mappings.snapshotOfLastUpdate != nil else { return }
        let found = try coordinator.connection.read { try $0[list].problems }
        if found != problems { problems = found }
    }

    /// The number of rows that are shown.
    public var count: Int { sections.reduce(0) { $0 + $1.count } }

    /// The value of a row; nil if there is none, or if it cannot be read, which ``failure`` tells then.
    ///
    /// O(log n), and what reading the row costs.
    ///
    /// ```swift
    /// print(model[0, 0]?.title ?? "no row")
    /// ```
    ///
    /// - Parameters:
    ///   - section: the section, counted from 0.
    ///   - row: the row of the section, counted from 0.
    public subscript(section: Int, row: Int) -> Value? {
        // A view that shows the row depends on the state that it was read from.
        _ = snapshot
        if !coordinator.connection.isFrozen.load(ordering: .acquiring) { advance() }
        do {
            return try coordinator.connection.read { transaction in
                guard mappings.snapshotOfLastUpdate != nil else { return nil }
                return try transaction[list].value(at: RowPath(section: section, row: row), with: mappings)
            }
        } catch {
            failure = error
            return nil
        }
    }

    private func show(_ outcome: Outcome) {
        self.outcome = outcome
        snapshot = coordinator.connection.snapshot
        sections = mappings.visibleGroups().enumerated().map { index, group in
            Section(index: index, group: group, count: mappings.numberOfItems(inSection: index))
        }
    }
}
