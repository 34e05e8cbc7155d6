import ListChanges
import TableModel
import YapDatabase

/// A row to be drawn: its position and its content. Valid only while its cell is being made.
public struct RowContext {
    public let transaction: YapDatabaseReadTransaction
    public let view: YapDatabaseViewTransaction
    public let path: RowPath
    /// The number of columns available.
    public let width: Int
    /// The table's colours and symbols.
    public let theme: Theme

    /// What `path` was resolved to.
    let row: ViewRow
    let isReversed: Bool

    public var key: RowKey { row.key }
    public var group: String { row.group }
    /// The row's position in its group.
    public var index: Int { row.index }

    /// Returns the row's object, decoded once and then taken from the connection's cache.
    public func object() throws -> Any? { try view.object(of: row) }

    public func metadata() throws -> Any? { try view.metadata(of: row) }

    /// Returns the object of the row `offset` rows further down the screen (-1: the row above), or nil beyond the
    /// group's ends. The row need not be shown.
    ///
    /// A cell that depends on a neighbour must declare it in the mappings:
    /// `setCellDrawingDependencyForNeighboringCellWithOffset`.
    public func neighbor(_ offset: Int) throws -> Any? {
        try view.object(at: isReversed ? index - offset : index + offset, inGroup: group)
    }
}
