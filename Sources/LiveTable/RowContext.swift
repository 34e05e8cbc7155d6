import ListChanges
import TableModel
import YapDatabase

/// A row to be drawn: its position and its content. Valid only while its cell is being made.
public struct RowContext {
    /// The transaction of the commit on the screen, for reading other rows.
    public let transaction: YapDatabaseReadTransaction
    /// The transaction of the view that the table shows.
    public let view: YapDatabaseViewTransaction
    /// The row's position on the screen.
    public let path: RowPath
    /// The number of columns available.
    public let width: Int
    /// The table's colours and symbols.
    public let theme: Theme

    /// What `path` was resolved to.
    let row: ViewRow
    let isReversed: Bool

    /// The row's collection and key.
    public var key: RowKey { row.key }
    /// The group that holds the row.
    public var group: String { row.group }
    /// The row's position in its group.
    public var index: Int { row.index }

    /// Returns the row's object, decoded once and then taken from the connection's cache.
    ///
    /// ```swift
    /// let table = LiveTable(mappings: mappings) { row in RowCell((try row.object() as? String) ?? "") }
    /// ```
    ///
    /// - Throws: ``YapDatabase/YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func object() throws -> Any? { try view.object(of: row) }

    /// Returns the row's metadata, decoded once and then taken from the connection's cache; nil if it has none.
    /// - Throws: ``YapDatabase/YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func metadata() throws -> Any? { try view.metadata(of: row) }

    /// Returns the object of the row `offset` rows further down the screen (-1: the row above), or nil beyond the
    /// group's ends. The row need not be shown: ``path`` tells whether it is.
    ///
    /// A cell that depends on a neighbour must declare it in the mappings:
    /// `setCellDrawingDependencyForNeighboringCellWithOffset`. It is drawn again when the neighbour changes or is another row, and when it
    /// comes onto the screen or leaves it.
    ///
    /// - Throws: ``YapDatabase/YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func neighbor(_ offset: Int) throws -> Any? {
        try view.object(at: isReversed ? index - offset : index + offset, inGroup: group)
    }
}
