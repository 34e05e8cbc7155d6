import ListChanges

extension Table {
    /// Shows the present rows of a source without animation. The row at the top and the selected row keep their places
    /// if they still exist. A table without a size loads its rows, so that one can be selected.
    ///
    /// ```swift
    /// table.resize(width: 80, height: 24, source: rows, at: now)
    /// table.reload(source: rows, at: now)
    /// ```
    ///
    /// - Parameters:
    ///   - source: the rows, as they are now.
    ///   - time: seconds of any monotonic clock.
    public mutating func reload(source: any TableSource, at time: Double) {
        isLoaded = true
        counts = SectionCounts(of: source)
        heights = RowHeights(rows: counts.total)
        range = source.rangePosition
        leaving = []
        selectedPath = reloadedSelection(source)
        selection = selectedPath.map(source.key(at:))
        if case .anchored(let anchor) = scroll { scroll = reloaded(anchor, source: source) }
        let layout = layout(source)
        adopt(items(layout), layout)
    }

    /// Sets the table's size; the row at the top keeps its line. The first call shows the source's rows.
    ///
    /// Example: ``reload(source:at:)``.
    ///
    /// - Parameters:
    ///   - width: columns.
    ///   - height: lines.
    ///   - source: the rows, as they are now.
    ///   - time: seconds of any monotonic clock.
    public mutating func resize(width: Int, height: Int, source: any TableSource, at time: Double) {
        guard width != self.width || height != self.height else { return }
        let isFirst = !isLoaded || counts.sections == 0
        if isFirst { counts = SectionCounts(of: source) }
        isLoaded = true
        // In another width rows wrap differently.
        if isFirst || width != self.width { heights = RowHeights(rows: counts.total) }
        self.width = max(0, width)
        self.height = max(0, height)
        leaving = []
        range = source.rangePosition
        let layout = layout(source)
        adopt(items(layout), layout)
    }

    /// Sets the table's options and redraws all rows.
    ///
    /// ```swift
    /// var options = table.options
    /// options.motion = .reduced
    /// table.setOptions(options, source: rows, at: now)
    /// ```
    ///
    /// - Parameters:
    ///   - options: the appearance and the behaviour.
    ///   - source: the rows, as they are now.
    ///   - time: seconds of any monotonic clock.
    public mutating func setOptions(_ options: TableOptions, source: any TableSource, at time: Double) {
        self.options = options
        heights = RowHeights(rows: counts.total)
        leaving = []
        let layout = layout(source)
        adopt(items(layout), layout)
    }

    /// Draws everything in another theme.
    package mutating func setTheme(_ theme: Theme, source: any TableSource, at time: Double) {
        var options = options
        options.theme = theme
        setOptions(options, source: source, at: time)
    }

    /// Returns the selected row; if it is gone, the next visible row that still exists, or the one before.
    private func reloadedSelection(_ source: any TableSource) -> RowPath? {
        guard let selectedPath else { return nil }
        if let path = selection.flatMap(source.path(of:)) { return path }
        let rows = items.filter { $0.key != nil && $0.place.path != nil }
        let next =
            rows.filter { $0.place.path! > selectedPath } + rows.filter { $0.place.path! < selectedPath }.reversed()
        return next.lazy.compactMap { $0.key.flatMap(source.path(of:)) }.first ?? counts.nearest(to: selectedPath)
    }

    private func reloaded(_ anchor: Anchor, source: any TableSource) -> Scroll {
        if anchor.key == nil, anchor.place.section < counts.sections, source.header(of: anchor.place.section) != nil {
            return .anchored(anchor)
        }
        for item in [(anchor.key, anchor.y)] + items.filter({ $0.place >= anchor.place }).map({ ($0.key, $0.y) }) {
            if let key = item.0, let path = source.path(of: key) {
                return .anchored(Anchor(place: .row(path), key: key, y: item.1))
            }
        }
        let old = anchor.place.path ?? RowPath(section: anchor.place.section, row: 0)
        guard let path = counts.nearest(to: old) else { return .edge(options.opensAt) }
        return .anchored(Anchor(place: .row(path), key: source.key(at: path), y: anchor.y))
    }
}
