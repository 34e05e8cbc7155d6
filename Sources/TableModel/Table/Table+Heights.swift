import ListChanges

extension Table {
    /// With more changes, heights are estimated again: exact heights of invisible rows are not worth the time.
    static let maxShiftedRows = 512

    /// Records the heights of the visible rows: O(visible).
    mutating func measureHeights(_ layout: Layout) {
        for item in items {
            if let path = item.place.path { heights.measure(counts.rank(of: path), item.height) }
        }
        if let first = items.first { headerHeight = layout.source.header(of: first.place.section) == nil ? 0 : 1 }
    }

    /// Moves measured heights along with their rows: O(k log m), for at most ``maxShiftedRows`` changes.
    mutating func shiftHeights(_ changes: ChangeSet, _ map: PathMap, before: SectionCounts) {
        guard changes.rowChanges.count + changes.sectionChanges.count <= Self.maxShiftedRows else {
            return heights = RowHeights(rows: counts.total)
        }
        for (rank, count) in removedRanks(changes, map, before).sorted(by: { $0.rank > $1.rank }) {
            heights.remove(count, at: rank)
        }
        for (rank, count) in addedRanks(changes, map).sorted(by: { $0.rank < $1.rank }) {
            heights.insert(count, at: rank)
        }
        for change in changes.rowChanges where change.type == .update {
            if let path = change.before.flatMap(map.after) { heights.forget(counts.rank(of: path)) }
        }
    }

    /// Marks invisible updated rows as unmeasured, for a change-set that moves no row.
    mutating func forgetHeights(ofUpdated changes: ChangeSet) {
        guard changes.rowChanges.count <= Self.maxShiftedRows else {
            heights = RowHeights(rows: counts.total)
            for item in items {
                if let path = item.place.path { heights.measure(counts.rank(of: path), item.height) }
            }
            return
        }
        for path in changes.rowChanges.compactMap(\.before) where items.index(of: .row(path)) == nil {
            heights.forget(counts.rank(of: path))
        }
    }

    private func removedRanks(
        _ changes: ChangeSet, _ map: PathMap, _ before: SectionCounts
    ) -> [(rank: Int, count: Int)] {
        let sections = changes.sectionChanges.filter { $0.type == .delete }.map { section in
            (before.rank(of: RowPath(section: section.index, row: 0)), before[section.index])
        }
        let rows = changes.rowChanges.compactMap { change in
            change.type == .delete || change.type == .move ? change.before : nil
        }
        return sections
            + rows.filter { map.sections.after($0.section) != nil }.map { (before.rank(of: $0), 1) }
    }

    private func addedRanks(_ changes: ChangeSet, _ map: PathMap) -> [(rank: Int, count: Int)] {
        let sections = changes.sectionChanges.filter { $0.type == .insert }.map { section in
            (counts.rank(of: RowPath(section: section.index, row: 0)), counts[section.index])
        }
        let rows = changes.rowChanges.compactMap { change in
            change.type == .insert || change.type == .move ? change.after : nil
        }
        return sections + rows.filter { map.sections.before($0.section) != nil }.map { (counts.rank(of: $0), 1) }
    }
}
