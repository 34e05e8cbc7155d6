/// Where the rows of one group are on screen, before and after.
struct GroupOnScreen {
    /// One of the two sides.
    struct Side {
        /// The indexes that are shown; nothing if the mappings do not hold the group.
        var window = RowWindow.nothing
        /// The place of the group among the groups shown; -1 if it is not shown.
        var place = -1
        /// The section that its rows are in, and the number of rows of other groups above them there.
        var section = -1
        var rowsAbove = 0
        /// The name under which its rows are reported: its own, or the consolidated one.
        var name = ""
        var isReversed = false

        /// Where the row at `index` of the group is; it must be in the window.
        func path(_ index: Int) -> RowPath {
            let row = isReversed ? window.upper - 1 - index : index - window.lower
            return RowPath(section: section, row: rowsAbove + row)
        }
    }

    var before: Side
    var after: Side
}

extension Mappings {
    /// The sides of these groups, in the same order.
    func sides(of groups: [ReplayedGroup]) -> [GroupOnScreen.Side] {
        let rowsAbove = shownName != nil ? rowsAboveEachGroup() : [:]
        return groups.map { group in
            guard let place = shownSections[group.name] else { return GroupOnScreen.Side() }
            return GroupOnScreen.Side(
                window: window(ofGroup: group.name), place: place, section: shownName == nil ? place : 0,
                rowsAbove: rowsAbove[group.name] ?? 0,
                name: shownName ?? group.name,
                isReversed: isReversed(forGroup: group.name))
        }
    }

    private func rowsAboveEachGroup() -> [String: Int] {
        var (above, rows) = ([String: Int](), 0)
        for group in shownGroups {
            above[group] = rows
            rows += window(ofGroup: group).length
        }
        return above
    }
}
