import ListChanges

/// A list on the screen as a value: what is laid out, where it is scrolled, what is selected, what moves.
///
/// It does no work of its own: every change is a call with the source to read from and the time (in seconds, on any
/// clock that only goes forward), and drawing is a function of the time. All work is in proportion to what can be seen,
/// whatever the number of rows.
///
///     var table = Table(options: TableOptions(theme: theme))
///     table.resize(width: 40, height: 20, source: rows, at: now)
///     if let misfit = table.apply(changes, source: rowsAfter, at: now) { log(misfit) }
///     table.draw(into: &grid, in: Rect(x: 0, y: 2, width: 40, height: 20), at: now)
///     let wakeUp = table.nextFrame(after: now)   // nil: sleep until something happens
public struct Table: Sendable {
    public internal(set) var options: TableOptions
    /// Whether keys go to this table: the selected row of the focused one has a tinted background.
    public var isFocused = true
    /// What stands in the place of rows while they are being found; nil to show the rows.
    public var progress: Progress?

    /// The selected row; it stays selected wherever it goes.
    public internal(set) var selection: RowKey?
    /// Where the selected row is.
    public internal(set) var selectedPath: RowPath?
    /// Rows that were inserted below what can be seen since the end was last seen, in a table that follows its end.
    public internal(set) var newBelow = 0

    public internal(set) var width = 0
    public internal(set) var height = 0

    var counts = SectionCounts([])
    /// Whether the table has seen the rows of any source. Until then no change-set can lead on from what it shows.
    var isLoaded = false
    /// How tall rows are, as far as they were seen.
    var heights = RowHeights()
    /// The lines of a section's header: 0 in a list without.
    var headerHeight = 0
    var range: RangePosition?
    /// Rows of the list before and after those that are shown.
    var outside: (before: Int, after: Int) { (range?.offsetFromBeginning ?? 0, range?.offsetFromEnd ?? 0) }
    var scroll: Scroll
    /// What can be seen once everything is at rest, from top to bottom.
    var items: [Item] = []
    /// What is on its way out: rows that were deleted, rows that leave the screen.
    var leaving: [Item] = []
    /// The header that stands at the top for the section whose own one is scrolled away.
    var sticky: Item?

    public init(options: TableOptions = TableOptions()) {
        self.options = options
        scroll = .edge(options.opensAt)
    }

    /// The state of a search for rows.
    public struct Progress: Hashable, Sendable {
        public var text: String
        /// 0 to 1; nil when nobody knows.
        public var fraction: Double?

        public init(_ text: String, fraction: Double? = nil) {
            self.text = text
            self.fraction = fraction
        }
    }
}
