import ListChanges

/// Determines which part of a list is visible.
enum Scroll: Hashable, Sendable {
    /// The table stays at one edge of the list.
    case edge(Edge)
    /// An item stays on its line.
    case anchored(Anchor)
}

/// An item of the list and its first line, which may be above the table.
struct Anchor: Hashable, Sendable {
    var place: Place
    var key: RowKey?
    var y: Int
}

/// Which part of a list is visible, for storing and for tests.
public enum ScrollState: Hashable, Sendable {
    /// The table stays at the beginning of the list.
    case atStart
    /// The table stays at the end of the list.
    case atEnd
    /// The row stays on its line, which is negative if the row's top is cut off.
    case anchored(RowKey, line: Int)
    /// No row is visible; the header of a section stays on its line.
    case anchoredHeader(section: Int, line: Int)
    /// An animation leads to one of the other states.
    case animating
}
