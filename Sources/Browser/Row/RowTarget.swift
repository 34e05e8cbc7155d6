import FileReading
import ObjectDecoding

/// Where a line of a row leads.
enum RowTarget: Hashable, Sendable {
    /// A group of a view, at a row.
    case place(ViewPlace, rowid: Int64)
    /// Another row of the list.
    case row(Int64)
    /// The row of a collection with a rowid, as in an edge.
    case stored(Int64)
    /// A list, at a row that it has; at its first one without a rowid.
    case list(TreeItem, rowid: Int64?)
    /// A line of the same value.
    case path(ValuePath)
    /// Unfolds or folds the value there.
    case fold(ValuePath)
}
