import ListChanges
import TableModel
import YapDatabase

/// The live tables of one screen: one connection in a long-lived read transaction, so that all show the same commit.
///
/// Call ``advance(at:)`` for each `YapDatabaseModified` notification; ``CommitObserver`` says when. One thread uses it.
public final class LiveTables {
    public let coordinator: YapDatabaseViewCoordinator
    public private(set) var all: [LiveTable] = []

    /// - Parameter connection: used by these tables alone.
    public init(connection: YapDatabaseConnection) throws {
        coordinator = try YapDatabaseViewCoordinator(connection: connection)
    }

    public var connection: YapDatabaseConnection { coordinator.connection }

    /// Shows a table's rows from now on. If its view is not registered yet, they come with the commit that registers it.
    public func add(_ table: LiveTable) throws {
        require(table.coordinator == nil, "A live table belongs to one connection.")
        table.coordinator = coordinator
        all.append(table)
        try coordinator.follow(table.mappings)
        try table.load()
    }

    /// Jumps to the newest commit and sets the tables in motion that it changed.
    ///
    /// O(1) for a table whose view did not change, else O(k log n) for k changes and O(visible) for the motion.
    ///
    /// - Returns: change-sets that did not fit, which should never be; their tables show the rows as they are.
    public func advance(at time: Double) throws -> [Misfit] {
        try coordinator.advance().compactMap { list, outcome in
            try all.first { $0.mappings === list }?.follow(outcome, at: time)
        }
    }

    /// When the next frame of any table is due, nil while nothing moves.
    ///
    /// - Parameter time: when the frame that is on the screen was drawn. Asked with a later time, the last frame of an
    ///   animation may be missed.
    public func nextFrame(after time: Double) -> Double? {
        all.compactMap { $0.table.nextFrame(after: time) }.min()
    }
}
