import FileEngine
import ListChanges
import ViewPageKeys

extension ViewPages {
    /// Makes room in the log for the first rows that come together. Without, it takes up to twice as much. Later rows make it grow by itself, because
    /// each time that room is made, the log is copied.
    func reserveLog(_ count: Int) { if log.count < count { log.reserveCapacity(log.count + count) } }

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
            log.appendInsertion(of: row.keyNumber ?? log.keys.number(of: row.key), at: places[index] + index, in: group)
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

/// The smallest gap after labels are spread: at least 16 pages fit between any two before labels are spread again.
private let minSpreadGap: Int64 = 1 << 16

extension ViewPages {
    /// Makes room around a page: gives evenly spaced labels to the smallest neighbourhood that has enough space.
    ///
    /// Needed only after pages were split in the same place some thirty times in a row; O(w log p) for w pages.
    func spreadLabels(around label: Int64, inGroup group: String) {
        let pages = state.groups[group]!.pages
        let rank = pages.rank(of: label)
        var width = 16
        while true {
            let low = max(0, rank - width)
            let high = min(pages.count - 1, rank + width)
            let room = Int64(high - low + 2) * pageLabelGap
            let floor = pages.element(atRank: low - 1)?.key ?? pages.first!.key - room
            let ceiling = pages.element(atRank: high + 1)?.key ?? pages.last!.key + room
            let gap = (ceiling - floor) / Int64(high - low + 2)
            if gap >= minSpreadGap {
                let window = (low...high).map { pages.element(atRank: $0)! }
                relabel(window, from: floor, gap: gap, inGroup: group)
                return
            }
            width *= 2
        }
    }

    private func relabel(
        _ window: [SortedTree<Int64, Page>.Element], from floor: Int64, gap: Int64, inGroup group: String
    ) {
        state.groups.update(group) { list in
            for element in window { list.pages.remove(element.key) }
            for (position, element) in window.enumerated() {
                list.pages.insert(element.value, for: floor + Int64(position + 1) * gap)
            }
        }
        for (position, element) in window.enumerated() {
            state.addresses.update(element.value.content.name) { $0.label = floor + Int64(position + 1) * gap }
        }
    }
}
