import ListChanges

extension Table {
    /// Shows the rows of a source as they are now, without animation. The row at the top and the selected row stay where
    /// they are, if they are still there. A table without a size knows its rows from then on, and one can be selected.
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
        settle(items(layout), layout)
    }

    /// Gives the table another size; the row at the top keeps its line. The first call shows the source's rows.
    public mutating func resize(width: Int, height: Int, source: any TableSource, at time: Double) {
        guard width != self.width || height != self.height else { return }
        let isFirst = !isLoaded || counts.sections == 0
        if isFirst { counts = SectionCounts(of: source) }
        isLoaded = true
        // In another width rows wrap anew.
        if isFirst || width != self.width { heights = RowHeights(rows: counts.total) }
        self.width = max(0, width)
        self.height = max(0, height)
        leaving = []
        range = source.rangePosition
        let layout = layout(source)
        settle(items(layout), layout)
    }

    /// Gives the table other options and draws all its rows anew.
    public mutating func setOptions(_ options: TableOptions, source: any TableSource, at time: Double) {
        self.options = options
        heights = RowHeights(rows: counts.total)
        leaving = []
        let layout = layout(source)
        settle(items(layout), layout)
    }

    /// The selected row; where it is gone the next on the screen that is still there, or the one before.
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
