import ListChanges

/// The one authority for what part of a list is seen.
enum Scroll: Hashable, Sendable {
    /// Kept to one edge of the list.
    case edge(Edge)
    /// An item keeps its line.
    case anchored(Anchor)
}

/// An item of the list and the line on which it begins, which may be above the first.
struct Anchor: Hashable, Sendable {
    var place: Place
    var key: RowKey?
    var y: Int
}

/// What part of a list is seen, for a program that stores it and for tests.
public enum ScrollState: Hashable, Sendable {
    case atStart
    case atEnd
    /// The row keeps its line; the line may be above the first one when the row's top is cut off.
    case anchored(RowKey, line: Int)
    /// No row is seen; the header of a section keeps its line.
    case anchoredHeader(section: Int, line: Int)
    /// An animation is on its way to one of the other states.
    case animating
}
