import ListChanges

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
