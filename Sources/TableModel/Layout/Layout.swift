import ListChanges

/// Computes the visible items from an anchor: O(visible), whatever the number of rows.
struct Layout {
    let source: any TableSource
    let counts: SectionCounts
    let options: TableOptions
    let width: Int
    let height: Int
    /// Items whose keys and pictures are still valid, in the order of the list.
    var known: [Item] = []

    /// The columns available for cells.
    var cellWidth: Int {
        max(1, width - (options.hasGutter ? 1 : 0) - (options.hasScrollBar ? 1 : 0))
    }

    /// Returns the visible items if one begins at a line, moved as little as needed to fill the table.
    func items(from anchor: Place, y: Int) -> [Item] {
        guard height > 0 else { return [] }
        var below = down(from: anchor, y: y)
        var shortage = height - (below.last?.bottom ?? y)
        if shortage < 0 || next(after: below.last?.place ?? anchor) != nil { shortage = 0 }
        shift(&below, by: shortage)
        var above = up(from: anchor, bottom: below.first?.y ?? y)
        let excess = above.last?.y ?? below.first?.y ?? 0
        if excess > 0 {
            shift(&above, by: -excess)
            shift(&below, by: -excess)
            if let last = below.last ?? above.first, let following = next(after: last.place) {
                below += down(from: following, y: last.bottom)
            }
        }
        return (above.reversed() + below).filter { $0.bottom > 0 && $0.y < height }
    }

    /// Returns the visible items at one edge of the list.
    func items(at edge: Edge) -> [Item] {
        switch edge {
        case .start: first.map { items(from: $0, y: 0) } ?? []
        case .end: last.map { items(from: $0, y: height - item(at: $0, y: 0).height) } ?? []
        }
    }

    func item(at place: Place, y: Int) -> Item {
        if let item = known.item(at: place) { return Item(place: place, key: item.key, picture: item.picture, y: y) }
        return Item(place: place, key: place.path.map(source.key(at:)), picture: picture(of: place), y: y)
    }

    private func down(from place: Place, y: Int) -> [Item] {
        var items: [Item] = []
        var current: Place? = place
        var line = y
        while let place = current, line < height || items.isEmpty {
            items.append(item(at: place, y: line))
            line = items[items.count - 1].bottom
            current = next(after: place)
        }
        return items
    }

    /// Returns the items above one, from the bottom up.
    private func up(from place: Place, bottom: Int) -> [Item] {
        var items: [Item] = []
        var current = previous(before: place)
        var line = bottom
        while let place = current, line > 0 {
            var item = item(at: place, y: 0)
            line -= item.height
            item.y = line
            items.append(item)
            current = previous(before: place)
        }
        return items
    }

    private func shift(_ items: inout [Item], by lines: Int) {
        guard lines != 0 else { return }
        for index in items.indices { items[index].y += lines }
    }

    private func picture(of place: Place) -> Picture {
        switch place {
        case .header(let section):
            // If a source changes a header without a section change, the result is at worst a blank line.
            let header = source.header(of: section) ?? SectionHeader("")
            return Picture(header, width: cellWidth, theme: options.theme)
        case .row(let path):
            return Picture(source.cell(at: path, width: cellWidth), width: cellWidth, theme: options.theme)
        }
    }
}

extension Layout {
    var first: Place? { firstPlace(from: 0) }
    var last: Place? { lastPlace(from: counts.sections - 1) }

    func next(after place: Place) -> Place? {
        let row = place.path.map { $0.row + 1 } ?? 0
        if row < counts[place.section] { return .row(RowPath(section: place.section, row: row)) }
        return firstPlace(from: place.section + 1)
    }

    func previous(before place: Place) -> Place? {
        guard case .row(let path) = place else { return lastPlace(from: place.section - 1) }
        if path.row > 0 { return .row(RowPath(section: path.section, row: path.row - 1)) }
        if source.header(of: path.section) != nil { return .header(section: path.section) }
        return lastPlace(from: path.section - 1)
    }

    private func firstPlace(from start: Int) -> Place? {
        var section = start
        while section < counts.sections {
            if source.header(of: section) != nil { return .header(section: section) }
            if counts[section] > 0 { return .row(RowPath(section: section, row: 0)) }
            section += 1
        }
        return nil
    }

    private func lastPlace(from start: Int) -> Place? {
        var section = start
        while section >= 0 {
            if counts[section] > 0 { return .row(RowPath(section: section, row: counts[section] - 1)) }
            if source.header(of: section) != nil { return .header(section: section) }
            section -= 1
        }
        return nil
    }
}
