import ListChanges

extension Table {
    /// Shows the items of a new layout, and determines from it which row the table keeps in place from now on.
    mutating func adopt(_ laidOut: [Item], _ layout: Layout) {
        items = laidOut
        sticky = stickyHeader(layout)
        guard height > 0 else { return }
        measureHeights(layout)
        scroll = scrollState(layout)
        let below = items.last.map { rowsBelow($0.place) } ?? 0
        newBelow = min(newBelow, below)
    }

    func layout(_ source: any TableSource, known: [Item] = []) -> Layout {
        Layout(source: source, counts: counts, options: options, width: width, height: height, known: known)
    }

    /// Returns the layout for the scroll state.
    func items(_ layout: Layout) -> [Item] {
        guard height > 0 else { return [] }
        switch scroll {
        case .edge(let edge): return layout.items(at: edge)
        case .anchored(let anchor):
            // After a re-wrap the row may be shorter than the part of it that was scrolled away.
            let shortest = layout.item(at: anchor.place, y: 0).height
            return layout.items(from: anchor.place, y: max(anchor.y, 1 - shortest))
        }
    }

    /// The first visible row, or the first header if no row is visible.
    var topItem: Item? {
        let inset = sticky == nil ? 0 : 1
        return items.first { $0.key != nil && $0.bottom > inset } ?? items.last { $0.key != nil } ?? items.first
    }

    private func scrollState(_ layout: Layout) -> Scroll {
        guard let first = items.first, let last = items.last, let top = topItem else { return .edge(options.opensAt) }
        var shown: Edges = []
        if first.y >= 0, layout.previous(before: first.place) == nil { shown.insert(.start) }
        if last.bottom <= height, layout.next(after: last.place) == nil { shown.insert(.end) }
        shown.formIntersection(options.follows)
        if shown == .both { return .edge(options.opensAt) }
        if shown == .start { return .edge(.start) }
        if shown == .end { return .edge(.end) }
        return .anchored(Anchor(place: top.place, key: top.key, y: top.y))
    }

    private func stickyHeader(_ layout: Layout) -> Item? {
        guard options.headersStick, let first = items.first else { return nil }
        let place = Place.header(section: first.place.section)
        guard first.place != place || first.y < 0, layout.source.header(of: place.section) != nil else { return nil }
        return layout.item(at: place, y: 0)
    }

    /// Returns the number of rows after an item.
    func rowsBelow(_ place: Place) -> Int {
        let row = place.path ?? RowPath(section: place.section, row: -1)
        return counts.total - counts.rank(of: row) - 1
    }
}
