import ListChanges

extension Table {
    /// Returns which part of the list is visible.
    ///
    /// ```swift
    /// let state = table.scrollState(at: now)
    /// table.restore(state, source: rows, at: now)
    /// ```
    public func scrollState(at time: Double) -> ScrollState {
        if nextFrame(after: time) != nil { return .animating }
        return scrollState
    }

    /// Which part of the list is visible once everything is at rest.
    public var scrollState: ScrollState {
        switch scroll {
        case .edge(.start): return .atStart
        case .edge(.end): return .atEnd
        case .anchored(let anchor):
            return anchor.key.map { .anchored($0, line: anchor.y) }
                ?? .anchoredHeader(section: anchor.place.section, line: anchor.y)
        }
    }

    /// Shows the part of the list that was visible when `state` was read. Does nothing if its row is gone.
    ///
    /// Example: ``scrollState(at:)``.
    ///
    /// - Parameters:
    ///   - state: what ``scrollState`` was.
    ///   - source: the rows, as they are now.
    ///   - time: seconds of any monotonic clock.
    public mutating func restore(_ state: ScrollState, source: any TableSource, at time: Double) {
        switch state {
        case .atStart: scroll = .edge(.start)
        case .atEnd: scroll = .edge(.end)
        case .anchored(let key, let line):
            guard let path = source.path(of: key) else { return }
            scroll = .anchored(Anchor(place: .row(path), key: key, y: line))
        case .anchoredHeader(let section, let line):
            guard section < counts.sections, source.header(of: section) != nil else { return }
            scroll = .anchored(Anchor(place: .header(section: section), key: nil, y: line))
        case .animating: return
        }
        let layout = layout(source)
        leaving = []
        adopt(items(layout), layout)
    }

    /// The number of lines at the top that the sticky header covers.
    var inset: Int { sticky == nil ? 0 : 1 }

    mutating func scroll(by lines: Int, _ source: any TableSource, at time: Double, animated: Bool) {
        guard let first = items.first, lines != 0 else { return }
        let layout = layout(source, known: items)
        if abs(lines) > 20 * height {
            // Too far to walk row by row, and the rows in between are not visible.
            return scroll(toLine: (topLine ?? 0) + Double(lines), layout, at: time)
        }
        rescroll(layout.items(from: first.place, y: first.y - lines), layout, at: time, animated: animated)
    }

    mutating func scroll(toBarLine line: Int, _ source: any TableSource, at time: Double) {
        let layout = layout(source, known: items)
        let fraction = Double(min(max(0, line), height - 1)) / Double(max(1, height - 1))
        guard fraction > 0, fraction < 1, thumb.map({ $0.count < height }) ?? false else {
            return rescroll(layout.items(at: fraction > 0 ? .end : .start), layout, at: time, animated: false)
        }
        scroll(toLine: fraction * (listLines - Double(shownLines)), layout, at: time)
    }

    /// Scrolls a line of the list to the top, approximately if unmeasured rows are before it.
    private mutating func scroll(toLine line: Double, _ layout: Layout, at time: Double) {
        let shownLine = max(0, line - Double(outside.before) * heights.average)
        guard let (place, part) = place(atLine: shownLine, layout) else { return }
        let height = layout.item(at: place, y: 0).height
        let hidden = min((part * Double(height)).nearestInt, height - 1)
        rescroll(layout.items(from: place, y: -hidden), layout, at: time, animated: false)
    }

    /// Scrolls no more than needed to make a row fully visible; a row taller than the table shows its top.
    mutating func reveal(_ path: RowPath, _ source: any TableSource, at time: Double) {
        let layout = layout(source, known: items)
        let place = Place.row(path)
        let top = options.headersStick && source.header(of: path.section) != nil ? 1 : 0
        let shown = items.first { $0.place == place }
        if let shown, shown.y >= top, shown.bottom <= height { return }
        let row = shown ?? layout.item(at: place, y: 0)
        let isAbove = shown.map { $0.y < top } ?? (items.first.map { place < $0.place } ?? true)
        let line = isAbove || row.height > height - top ? top : height - row.height
        rescroll(layout.items(from: place, y: line), layout, at: time, animated: false)
    }

    mutating func center(_ source: any TableSource, at time: Double) {
        guard let path = selectedPath else { return }
        let layout = layout(source, known: items)
        let row = layout.item(at: .row(path), y: 0)
        let line = max(inset, (height - row.height) / 2)
        rescroll(layout.items(from: row.place, y: line), layout, at: time, animated: true)
    }
}
