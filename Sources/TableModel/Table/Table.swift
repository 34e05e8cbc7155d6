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

// What the table shows, which its source may be ahead of.
extension Table {
    /// The number of sections.
    public var numberOfSections: Int { counts.sections }

    /// Returns the number of rows of a section; 0 if there is no such section.
    ///
    /// ```swift
    /// print(table.numberOfRows(in: 0), table.isVisible(RowPath(section: 0, row: 0)))
    /// ```
    public func numberOfRows(in section: Int) -> Int { counts[section] }

    /// Returns whether any line of a row is on the screen when everything is at rest.
    ///
    /// Example: ``numberOfRows(in:)``.
    public func isVisible(_ path: RowPath) -> Bool { items.index(of: .row(path)) != nil }
}

extension Table {
    /// Applies a change-set that leaves every row in place: only updates, and no visible row changes its height.
    ///
    /// - Returns: false, with nothing done, for any other change-set.
    mutating func redraw(_ changes: ChangeSet, _ after: any TableSource, at time: Double) -> Bool {
        forgetGone(at: time)
        guard changes.sectionChanges.isEmpty, changes.rowChanges.allSatisfy({ $0.type == .update }),
            !leaving.contains(where: { !$0.isGhost })
        else { return false }
        guard items.allSatisfy({ !$0.isHeader || after.header(of: $0.place.section) != nil }) else { return false }
        let layout = layout(after)
        var redrawn: [(index: Int, picture: Picture)] = []
        for change in changes.rowChanges {
            guard let path = change.before, let index = items.index(of: .row(path)) else { continue }
            let picture = layout.item(at: .row(path), y: 0).picture
            guard picture.lines.count == items[index].height else { return false }
            redrawn.append((index, picture))
        }
        for (index, picture) in redrawn {
            items[index].picture = picture
            items[index].mark(Schedule([], at: time), options.motion)
        }
        forgetHeights(ofUpdated: changes)
        redrawHeaders(layout)
        range = after.rangePosition
        return true
    }

    /// Redraws headers, which may depend on the rows below them.
    private mutating func redrawHeaders(_ layout: Layout) {
        for index in items.indices where items[index].isHeader {
            items[index].picture = layout.item(at: items[index].place, y: 0).picture
        }
        if let place = sticky?.place { sticky = layout.item(at: place, y: 0) }
    }
}

extension Item {
    /// Marks changed content. The item's movement continues.
    fileprivate mutating func mark(_ schedule: Schedule, _ level: MotionLevel) {
        guard level != .none else { return }
        var motion = self.motion ?? Motion(from: nil, slide: schedule.slide)
        motion.tint = .updated(schedule, level)
        self.motion = motion
    }
}

extension Table {
    /// The number of lines of the list, including rows outside the shown range; an estimate for unmeasured rows.
    var listLines: Double {
        heights.total + Double(counts.sections * headerHeight) + Double(outside.before + outside.after)
            * heights.average
    }

    /// The number of lines of the list above the first visible one; nil if nothing is visible.
    var topLine: Double? {
        items.first.map { Double(outside.before) * heights.average + lines(before: $0.place) - Double($0.y) }
    }

    /// The number of screen lines that show the list: all, or fewer for a short list.
    var shownLines: Int {
        guard let first = items.first, let last = items.last else { return 0 }
        return min(height, last.bottom) - max(0, first.y)
    }

    /// Returns the item at a line of the shown range, and the part of it, from 0 to 1, above that line: O(log).
    func place(atLine line: Double, _ layout: Layout) -> (place: Place, part: Double)? {
        let section = headerHeight == 0 ? -1 : section(atLine: line)
        let headers = Double((section + 1) * headerHeight)
        if section >= 0, layout.source.header(of: section) != nil {
            let part = line - lines(before: .header(section: section))
            if part < 1 || counts[section] == 0 { return (.header(section: section), min(max(0, part), 1)) }
        }
        return heights.row(atLine: line - headers).flatMap { row in
            counts.path(ofRank: row.rank).map { (.row($0), row.part) }
        }
    }

    private func lines(before place: Place) -> Double {
        switch place {
        case .header(let section):
            heights.lines(before: counts.rank(of: RowPath(section: section, row: 0))) + Double(section * headerHeight)
        case .row(let path):
            heights.lines(before: counts.rank(of: path)) + Double((path.section + 1) * headerHeight)
        }
    }

    /// Returns the last section that begins at or above a line.
    private func section(atLine line: Double) -> Int {
        var low = 0
        var high = counts.sections
        while high - low > 1 {
            let middle = (low + high) / 2
            if lines(before: .header(section: middle)) <= line { low = middle } else { high = middle }
        }
        return low
    }
}
