import ListChanges

extension Table {
    /// Performs a user's command. It takes effect at once, even during an animation.
    ///
    /// ```swift
    /// if !table.perform(.selectNext(), source: rows, at: now) { print("nothing to select") }
    /// ```
    ///
    /// - Parameters:
    ///   - command: what to do.
    ///   - source: the rows, as they are now.
    ///   - time: seconds of any monotonic clock.
    /// - Returns: false if there was nothing to do, as for a click beside the rows.
    @discardableResult
    public mutating func perform(_ command: TableCommand, source: any TableSource, at time: Double) -> Bool {
        guard counts.total > 0 || counts.sections > 0, height > 0 else { return false }
        switch command {
        case .selectNext(let rows): step(by: Self.bounded(rows), source, at: time)
        case .selectPrevious(let rows): step(by: -Self.bounded(rows), source, at: time)
        case .pageDown(let pages): page(lines: Self.bounded(pages) * pageLines, source, at: time)
        case .pageUp(let pages): page(lines: -Self.bounded(pages) * pageLines, source, at: time)
        case .halfPageDown(let pages): page(lines: Self.bounded(pages) * max(1, height / 2), source, at: time)
        case .halfPageUp(let pages): page(lines: -Self.bounded(pages) * max(1, height / 2), source, at: time)
        case .selectFirst: go(to: .start, source, at: time)
        case .selectLast: go(to: .end, source, at: time)
        case .selectNumber(let number): select(rank: Self.bounded(number) - 1, source, at: time)
        case .center: center(source, at: time)
        case .scroll(let lines): scroll(by: Self.bounded(lines), source, at: time, animated: false)
        case .click(_, let y):
            guard options.selects, case .row(_, let path) = hit(line: y, at: time) else { return false }
            select(path, source: source, at: time)
        case .dragScrollBar(let y): scroll(toBarLine: y, source, at: time)
        }
        return true
    }

    /// The number of the selected row among those of all sections, as ``TableCommand/selectNumber(_:)`` takes it; nil if
    /// none is selected. O(log s) for s sections.
    package var selectedNumber: Int? { selectedPath.map { counts.rank(of: $0) + 1 } }

    /// Selects the row with a key without scrolling, for restoring a stored selection. Selects nothing if the key is
    /// nil or not shown.
    ///
    /// ```swift
    /// table.markSelected(RowKey(collection: "books", key: "dune"), source: rows)
    /// ```
    ///
    /// - Parameters:
    ///   - key: the row; nil for none.
    ///   - source: the rows, as they are now.
    public mutating func markSelected(_ key: RowKey?, source: any TableSource) {
        selectedPath = key.flatMap(source.path(of:))
        selection = selectedPath.map(source.key(at:))
    }

    /// Selects a row and scrolls no more than needed to show it; nil selects nothing.
    ///
    /// ```swift
    /// table.select(RowPath(section: 0, row: 0), source: rows, at: now)
    /// ```
    ///
    /// - Parameters:
    ///   - path: the row; nil for none.
    ///   - source: the rows, as they are now.
    ///   - time: seconds of any monotonic clock.
    public mutating func select(_ path: RowPath?, source: any TableSource, at time: Double) {
        selectedPath = path.flatMap(counts.nearest(to:))
        selection = selectedPath.map(source.key(at:))
        if let path = selectedPath { reveal(path, source, at: time) }
    }

    /// Scrolls to an edge of the list, for example after the user sent a message.
    ///
    /// ```swift
    /// table.scroll(to: .end, source: rows, at: now)
    /// ```
    ///
    /// - Parameters:
    ///   - edge: the start or the end.
    ///   - source: the rows, as they are now.
    ///   - time: seconds of any monotonic clock.
    public mutating func scroll(to edge: Edge, source: any TableSource, at time: Double) {
        let layout = layout(source, known: items)
        rescroll(layout.items(at: edge), layout, at: time, animated: true)
    }

    /// A page overlaps the one before by one line, and by the line under the sticky header.
    private var pageLines: Int { max(1, height - (sticky == nil ? 1 : 2)) }

    private mutating func step(by rows: Int, _ source: any TableSource, at time: Double) {
        guard options.selects else { return scroll(by: rows, source, at: time, animated: false) }
        guard let path = selectedPath else {
            return select(rows < 0 ? bottomPath : topItem?.place.path, source: source, at: time)
        }
        select(rank: counts.rank(of: path) + rows, source, at: time)
    }

    private mutating func select(rank: Int, _ source: any TableSource, at time: Double) {
        select(counts.path(ofRank: min(max(0, rank), counts.total - 1)), source: source, at: time)
    }

    private mutating func go(to edge: Edge, _ source: any TableSource, at time: Double) {
        if options.selects {
            selectedPath = counts.path(ofRank: edge == .start ? 0 : counts.total - 1)
            selection = selectedPath.map(source.key(at:))
        }
        scroll(to: edge, source: source, at: time)
    }

    /// Scrolls, and moves the selection along if it would leave the screen.
    private mutating func page(lines: Int, _ source: any TableSource, at time: Double) {
        let before = items.first.map { ($0.place, $0.y) }
        scroll(by: lines, source, at: time, animated: true)
        guard options.selects, let selected = selectedPath else { return }
        if let before, let first = items.first, before == (first.place, first.y) {
            return go(to: lines < 0 ? .start : .end, source, at: time)
        }
        let whole = items.filter { $0.key != nil && $0.y >= inset && $0.bottom <= height }
        let rows = (whole.isEmpty ? items.filter { $0.key != nil } : whole).compactMap(\.place.path)
        guard let first = rows.first, let last = rows.last else { return }
        selectedPath = min(max(selected, first), last)
        selection = selectedPath.map(source.key(at:))
    }

    private var bottomPath: RowPath? { items.last { $0.key != nil }?.place.path }

    /// Cuts counts to a size beyond any list that can be multiplied without overflow.
    private static func bounded(_ count: Int) -> Int { max(-(1 << 32), min(1 << 32, count)) }
}
