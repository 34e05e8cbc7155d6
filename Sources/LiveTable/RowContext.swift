import ListChanges
import TableModel
import YapDatabase

/// A row that is to be drawn: where it is and how to read it. Valid only while the cell is being made.
public struct RowContext {
    public let transaction: YapDatabaseReadTransaction
    public let view: YapDatabaseViewTransaction
    public let key: RowKey
    public let path: RowPath
    public let group: String
    /// The row's position in the whole group.
    public let index: Int
    /// How many columns there are.
    public let width: Int
    /// The table's colours and symbols.
    public let theme: Theme

    let isReversed: Bool

    /// The row's object; decoded once, then from the connection's cache.
    public func object() throws -> Any? { try view.object(at: index, inGroup: group) }

    public func metadata() throws -> Any? { try view.metadata(at: index, inGroup: group) }

    /// The object so many rows further down the screen (-1: the row above), shown or not; nil beyond the group's ends.
    ///
    /// A cell that looks at a neighbour must say so to the mappings:
    /// `setCellDrawingDependencyForNeighboringCellWithOffset`.
    public func neighbor(_ offset: Int) throws -> Any? {
        try view.object(at: isReversed ? index - offset : index + offset, inGroup: group)
    }
}
