/// The position on screen of one group's rows, before and after.
struct GroupOnScreen {
    /// The position before or after.
    struct Side {
        /// The indexes that are shown; empty if the mappings do not hold the group.
        var window = RowWindow.nothing
        /// The group's index among the groups shown; -1 if it is not shown.
        var place = -1
        /// The section of its rows, and the number of rows of other groups above them there.
        var section = -1
        var rowsAbove = 0
        /// The name under which its rows are reported: its own, or the consolidated one.
        var name = ""
        var isReversed = false

        /// Returns the path of the row at `index` of the group, which must be in the window.
        func path(_ index: Int) -> RowPath {
            let row = isReversed ? window.upper - 1 - index : index - window.lower
            return RowPath(section: section, row: rowsAbove + row)
        }
    }

    var before: Side
    var after: Side
}

extension Mappings {
    /// Returns the sides of these groups, in the same order.
    func sides(of groups: [ReplayedGroup]) -> [GroupOnScreen.Side] {
        let rowsAbove = shownName != nil ? rowsAboveEachGroup() : ExactDictionary()
        // By index: an element in hand is a copy of the whole group.
        return groups.indices.map { index in
            let name = groups[index].name
            guard let place = shownSections[name] else { return GroupOnScreen.Side() }
            return GroupOnScreen.Side(
                window: window(ofGroup: name), place: place, section: shownName == nil ? place : 0,
                rowsAbove: rowsAbove[name] ?? 0,
                name: shownName ?? name,
                isReversed: isReversed(forGroup: name))
        }
    }

    private func rowsAboveEachGroup() -> ExactDictionary<Int> {
        var (above, rows) = (ExactDictionary<Int>(), 0)
        for group in shownGroups {
            above[group] = rows
            rows += window(ofGroup: group).length
        }
        return above
    }
}
