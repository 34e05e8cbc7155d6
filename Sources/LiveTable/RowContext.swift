import ListChanges
import TableModel
import YapDatabase

/// A row to be drawn: its position and its content. Valid only while its cell is being made.
public struct RowContext {
    public let transaction: YapDatabaseReadTransaction
    public let view: YapDatabaseViewTransaction
    public let key: RowKey
    public let path: RowPath
    public let group: String
    /// The row's position in its group.
    public let index: Int
    /// The number of columns available.
    public let width: Int
    /// The table's colours and symbols.
    public let theme: Theme

    let isReversed: Bool

    /// Returns the row's object, decoded once and then taken from the connection's cache.
    public func object() throws -> Any? { try view.object(at: index, inGroup: group) }

    public func metadata() throws -> Any? { try view.metadata(at: index, inGroup: group) }

    /// Returns the object of the row `offset` rows further down the screen (-1: the row above), or nil beyond the
    /// group's ends. The row need not be shown.
    ///
    /// A cell that depends on a neighbour must declare it in the mappings:
    /// `setCellDrawingDependencyForNeighboringCellWithOffset`.
    public func neighbor(_ offset: Int) throws -> Any? {
        try view.object(at: isReversed ? index - offset : index + offset, inGroup: group)
    }
}
