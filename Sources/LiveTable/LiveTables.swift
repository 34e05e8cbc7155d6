import ListChanges
import TableModel
import YapDatabase

/// The live tables of one screen: one connection in a long-lived read transaction, so that all tables show the same
/// commit.
///
/// Call ``advance(at:)`` for each of ``YapDatabase/YapDatabase/commits``; ``CommitObserver`` calls back when there is one.
/// Use it on one thread.
public final class LiveTables {
    /// The coordinator that advances the mappings of all tables together.
    public let coordinator: YapDatabaseViewCoordinator
    /// The tables, in the order in which they were added.
    public private(set) var all: [LiveTable] = []

    /// Begins a long-lived read transaction on the connection.
    ///
    /// ```swift
    /// let tables = try LiveTables(connection: database.newConnection())
    /// try tables.add(roster)
    /// ```
    ///
    /// - Parameter connection: a connection that nothing else uses.
    /// - Throws: ``YapDatabase/YapDatabaseError`` with code `closed`, `locked`, `corrupt` or `inputOutput` if the database cannot be
    ///   read.
    public init(connection: YapDatabaseConnection) throws {
        coordinator = try YapDatabaseViewCoordinator(connection: connection)
    }

    /// The connection in a long-lived read transaction, from which the tables read.
    public var connection: YapDatabaseConnection { coordinator.connection }

    /// Adds a table and shows its rows. If its view is not registered yet, the rows appear with the commit that
    /// registers it, and a warning is logged.
    ///
    /// Costs the cells of the visible rows.
    ///
    /// Example: ``init(connection:)``.
    ///
    /// - Throws: ``YapDatabase/YapDatabaseError`` with code `badExtension` if another program has registered another view under the name;
    ///   `closed`, `corrupt`, `inputOutput` or `interrupted` if the database cannot be read.
    public func add(_ table: LiveTable) throws {
        require(table.coordinator == nil, "A live table belongs to one connection.")
        table.coordinator = coordinator
        all.append(table)
        try coordinator.follow(table.mappings)
        try table.load()
    }

    /// Jumps to the newest commit and animates the tables that it changed.
    ///
    /// O(1) for a table whose view did not change, otherwise O(k log n) for k changes and O(visible rows) for the
    /// animation.
    ///
    /// ```swift
    /// for await _ in database.commits {
    ///     for misfit in try tables.advance(at: now) { print(misfit) }
    /// }
    /// ```
    ///
    /// - Returns: change-sets that did not fit. There should be none; the tables show the present rows in any case.
    /// - Throws: ``YapDatabase/YapDatabaseError`` with code `badExtension` if another program has registered another view under the name;
    ///   `closed`, `corrupt`, `inputOutput` or `interrupted` if the database cannot be read.
    public func advance(at time: Double) throws -> [Misfit] {
        try coordinator.advance().compactMap { list, outcome in
            try all.first { $0.mappings === list }?.apply(outcome, at: time)
        }
    }

    /// Returns the time at which the next frame of any table is due, nil while nothing moves.
    ///
    /// ```swift
    /// if let next = tables.nextFrame(after: now) { print("draw again at \(next)") }
    /// ```
    ///
    /// - Parameter time: when the frame on the screen was drawn. A later time may miss the last frame of an animation.
    public func nextFrame(after time: Double) -> Double? {
        all.compactMap { $0.table.nextFrame(after: time) }.min()
    }
}
