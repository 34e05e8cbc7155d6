/// The appearance and behaviour of a table.
public struct TableOptions: Hashable, Sendable {
    public var theme: Theme
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
    /// Shown if there are no rows.
    public var emptyText: String

    public init(
        theme: Theme = Theme(), motion: MotionLevel = .full, opensAt: Edge = .start, follows: Edges = .end,
        selects: Bool = true, hasGutter: Bool = true, hasScrollBar: Bool = true, headersStick: Bool = true,
        emptyText: String = "Nothing here"
    ) {
        self.theme = theme
        self.motion = motion
        self.opensAt = opensAt
        self.follows = follows
        self.selects = selects
        self.hasGutter = hasGutter
        self.hasScrollBar = hasScrollBar
        self.headersStick = headersStick
        self.emptyText = emptyText
    }
}

/// The amount of animation.
public enum MotionLevel: String, Hashable, Sendable, CaseIterable {
    case full
    /// Nothing moves; changes are marked for a moment.
    case reduced
    case none
}

public enum Edge: Hashable, Sendable {
    case start
    case end
}

public struct Edges: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let start = Edges(rawValue: 1 << 0)
    public static let end = Edges(rawValue: 1 << 1)
    public static let both: Edges = [.start, .end]
}
