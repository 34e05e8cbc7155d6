import ListChanges

extension ViewPages {
    /// Inserts sorted rows that are not in the view; creates the group if it does not exist. Each page that gets rows is written
    /// once, and cut if it becomes too large. O(k + pages touched · log n).
    ///
    /// - Parameter places: for each row, the position among the present rows of the group, ascending.
    func merge(_ rows: [RowContent], at places: [Int], inGroup group: String) throws {
        guard !rows.isEmpty else { return }
        if state.groups[group] == nil { _ = addGroup(group) }
        let count = count(inGroup: group)
        // From the end, so that the positions before stay.
        var end = rows.count
        while end > 0 {
            let (label, first) = page(at: places[end - 1], of: count, inGroup: group)
            var start = end - 1
            while start > 0, places[start - 1] >= first { start -= 1 }
            try merge(rows[start..<end], at: places[start..<end].map { $0 - first }, into: label, of: group)
            end = start
        }
        for (index, row) in rows.enumerated() {
            log.append(.insertRow(group: group, index: places[index] + index, key: row.key))
        }
    }

    /// Returns the page that a row at a position joins, and the position of its first row.
    private func page(at place: Int, of count: Int, inGroup group: String) -> (label: Int64, first: Int) {
        let pages = state.groups[group]!.pages
        if place < count, let found = pages.element(atWeight: place) { return (found.key, place - found.offset) }
        let last = pages.last!
        return (last.key, count - last.value.count)
    }

    private func merge(_ rows: ArraySlice<RowContent>, at offsets: [Int], into label: Int64, of group: String) throws {
        let count = try edit(group, label, isFinal: false) { page, rowids in
            var merged: [Int64] = []
            merged.reserveCapacity(rowids.count + rows.count)
            var taken = 0
            for (row, offset) in zip(rows, offsets) {
                merged += rowids[taken..<offset]
                taken = offset
                merged.append(row.rowid)
                mapChanges.updateValue(page.content, forKey: row.rowid)
            }
            merged += rowids[taken...]
            rowids = merged
            return merged.count
        }
        guard count > Self.maxRowsWhileOpen else { return }
        let pages = state.groups[group]!.pages
        try split(
            label, ofGroup: group,
            into: Self.pieces(of: count, isFirst: pages.first!.key == label, isLast: pages.last!.key == label))
    }
}
