import ListChanges

/// A list on the screen as a value: its layout, scroll position, selection and animations.
///
/// It does nothing by itself: every change is a call with the source to read from and the time (in seconds, on any
/// monotonic clock), and drawing is a function of the time. The cost is proportional to what is visible, whatever the
/// number of rows.
///
/// ```swift
/// var table = Table(options: TableOptions(theme: theme))
/// table.resize(width: 40, height: 20, source: rows, at: now)
/// if let misfit = table.apply(changes, source: rowsAfter, at: now) { log(misfit) }
/// table.draw(into: &grid, in: Rect(x: 0, y: 2, width: 40, height: 20), at: now)
/// let wakeUp = table.nextFrame(after: now)   // nil: sleep until something happens
/// ```
public struct Table: Sendable {
    /// Appearance and behaviour, as set last.
    public internal(set) var options: TableOptions
    /// Whether keys go to this table: the focused table's selected row has a tinted background.
    public var isFocused = true
    /// Shown instead of rows while they are being searched; nil shows the rows.
    public var progress: Progress?

    /// The selected row; it stays selected when it moves.
    public internal(set) var selection: RowKey?
    /// The path of the selected row.
    public internal(set) var selectedPath: RowPath?
    /// The number of rows inserted below the visible part since the end was last visible, in a table that follows its
    /// end.
    public internal(set) var newBelow = 0

    /// The number of columns; 0 until the first resize.
    public internal(set) var width = 0
    /// The number of lines; 0 until the first resize.
    public internal(set) var height = 0

    var counts = SectionCounts([])
    /// Whether the table has loaded the rows of any source. Until then it cannot apply a change-set.
    var isLoaded = false
    /// The measured heights of rows.
    var heights = RowHeights()
    /// The number of lines of a section's header: 0 in a list without headers.
    var headerHeight = 0
    var range: RangePosition?
    /// The number of rows of the list before and after the shown range.
    var outside: (before: Int, after: Int) { (range?.offsetFromBeginning ?? 0, range?.offsetFromEnd ?? 0) }
    var scroll: Scroll
    /// The visible items once everything is at rest, from top to bottom.
    var items: [Item] = []
    /// The items that leave the screen: deleted rows and rows that scroll out.
    var leaving: [Item] = []
    /// The header shown at the top for the section whose own header is scrolled away.
    var sticky: Item?

    /// Creates an empty table. It shows rows once it has a size and a source.
    public init(options: TableOptions = TableOptions()) {
        self.options = options
        scroll = .edge(options.opensAt)
    }

    /// The progress of a search for rows.
    public struct Progress: Hashable, Sendable {
        /// What is going on, in a few words.
        public var text: String
        /// 0 to 1; nil if unknown.
        public var fraction: Double?

        /// Creates the progress of a search; without `fraction` its end is unknown.
        /// - Parameters:
        ///   - text: what is shown.
        ///   - fraction: 0 to 1; nil if unknown.
        public init(_ text: String, fraction: Double? = nil) {
            self.text = text
            self.fraction = fraction
        }
    }
}
