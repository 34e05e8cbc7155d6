/// The appearance and behaviour of a table.
public struct TableOptions: Hashable, Sendable {
    /// The colours and symbols.
    public var theme: Theme
    /// The amount of animation.
    public var motion: MotionLevel
    /// The edge that is shown first.
    public var opensAt: Edge
    /// The edges that the table follows while it shows them: at the end, an appended row scrolls the others up.
    public var follows: Edges
    /// Whether rows can be selected. If not, the commands that select only scroll.
    public var selects: Bool
    /// Whether the first column is reserved for the bar beside the selected row.
    public var hasGutter: Bool
    /// Whether the last column is reserved for the scroll bar.
    public var hasScrollBar: Bool
    /// Whether the header of the section at the top stays in the first line.
    public var headersStick: Bool
    /// Whether a new row can be read from the first frame of its animation on: it then stands above the rows that still move
    /// out of its place, instead of fading in after them.
    public var showsNewRowsAtOnce: Bool
    /// Shown if there are no rows.
    public var emptyText: String

    /// Creates options. The default is a list that opens at its start, follows its end, and has a selection and a
    /// scroll bar.
    ///
    /// - Parameters:
    ///   - theme: the colours and symbols.
    ///   - motion: the amount of animation.
    ///   - opensAt: the edge at which the table opens.
    ///   - follows: the edges at which the table stays when rows come there.
    ///   - selects: whether there is a selected row.
    ///   - hasGutter: whether the first column is kept for the bar beside the selected row.
    ///   - hasScrollBar: whether there is a scroll bar.
    ///   - headersStick: whether the header of the topmost section stays visible.
    ///   - showsNewRowsAtOnce: whether a new row can be read from the first frame of its animation on.
    ///   - emptyText: shown if there are no rows.
    public init(
        theme: Theme = Theme(), motion: MotionLevel = .full, opensAt: Edge = .start, follows: Edges = .end,
        selects: Bool = true, hasGutter: Bool = true, hasScrollBar: Bool = true, headersStick: Bool = true,
        showsNewRowsAtOnce: Bool = false, emptyText: String = "Nothing here"
    ) {
        self.theme = theme
        self.motion = motion
        self.opensAt = opensAt
        self.follows = follows
        self.selects = selects
        self.hasGutter = hasGutter
        self.hasScrollBar = hasScrollBar
        self.headersStick = headersStick
        self.showsNewRowsAtOnce = showsNewRowsAtOnce
        self.emptyText = emptyText
    }
}

/// The amount of animation.
public enum MotionLevel: String, Hashable, Sendable, CaseIterable {
    /// Rows slide to their places, come and go by fading, and changed rows are tinted for a moment.
    case full
    /// Nothing moves; changes are marked for a moment.
    case reduced
    /// The table shows the new rows at once.
    case none
}

/// One of the two ends of a list.
public enum Edge: Hashable, Sendable {
    /// Where the first row is.
    case start
    /// Where the last row is.
    case end
}

/// A set of ends of a list.
public struct Edges: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Where the first row is.
    public static let start = Edges(rawValue: 1 << 0)
    /// Where the last row is.
    public static let end = Edges(rawValue: 1 << 1)
    /// Both ends.
    public static let both: Edges = [.start, .end]
}
