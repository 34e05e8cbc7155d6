extension Mappings {
    /// Returns the view's group and the index in it of the row at `path`; nil if there is no such row. While
    /// consolidated, it is the row's real group.
    ///
    /// O(1); O(groups) while consolidated.
    ///
    /// ```swift
    /// if let (group, index) = mappings.groupAndIndex(at: RowPath(section: 0, row: 2)) {
    ///     print(group, index, mappings.path(forIndex: index, inGroup: group) == RowPath(section: 0, row: 2))   // true
    /// }
    /// ```
    public func groupAndIndex(at path: RowPath) -> (group: String, index: Int)? {
        if shownName != nil { return path.section == 0 ? groupAndIndex(ofConsolidatedRow: path.row) : nil }
        guard let group = group(forSection: path.section),
            let index = index(forRow: path.row, inGroup: group)
        else { return nil }
        return (group, index)
    }

    /// Returns the index, in its own group, of a row of the section; nil if there is no such row.
    ///
    /// Example: ``groupAndIndex(at:)``.
    ///
    /// - Parameters:
    ///   - row: the row, counted in its section.
    ///   - section: the section, counted from 0.
    public func index(forRow row: Int, inSection section: Int) -> Int? {
        groupAndIndex(at: RowPath(section: section, row: row))?.index
    }

    /// Returns the index of the row that the group shows at `row`; nil if it shows no such row. The consolidated name,
    /// while in use, stands for all groups together.
    ///
    /// Example: ``groupAndIndex(at:)``.
    ///
    /// - Parameters:
    ///   - row: the row, counted in its section.
    ///   - group: the name of the group.
    public func index(forRow row: Int, inGroup group: String) -> Int? {
        if group.isName(shownName) { return groupAndIndex(ofConsolidatedRow: row)?.index }
        let window = window(ofGroup: group)
        guard row >= 0, row < window.length else { return nil }
        return isReversed(forGroup: group) ? window.upper - 1 - row : window.lower + row
    }

    /// Returns the path on screen of the row at `index` of the view's group; nil if it is not shown.
    ///
    /// Example: ``groupAndIndex(at:)``.
    ///
    /// - Parameters:
    ///   - index: the position in the group of the view.
    ///   - group: the name of the group.
    public func path(forIndex index: Int, inGroup group: String) -> RowPath? {
        guard let section = shownSections[group], let row = row(forIndex: index, inGroup: group) else { return nil }
        return shownName != nil
            ? RowPath(section: 0, row: rowOffset(ofGroup: group) + row) : RowPath(section: section, row: row)
    }

    /// Returns the row, counted in the group's own section, that shows `index` of the group; nil if it is not shown.
    ///
    /// Example: ``groupAndIndex(at:)``.
    ///
    /// - Parameters:
    ///   - index: the position in the group of the view.
    ///   - group: the name of the group.
    public func row(forIndex index: Int, inGroup group: String) -> Int? {
        let window = window(ofGroup: group)
        guard window.contains(index) else { return nil }
        return isReversed(forGroup: group) ? window.upper - 1 - index : index - window.lower
    }

    /// Returns the row on screen nearest to the former place of `row` of the group, for keeping a selection after a
    /// delete: in the same group if it shows any row, else the last row of the closest group before it, else the first
    /// row of the closest group after it. Nil if nothing is shown or the mappings do not hold the group.
    ///
    /// ```swift
    /// let selected = RowPath(section: 0, row: 4)
    /// let next = mappings.nearestPath(forRow: selected.row, inGroup: "messages")
    /// ```
    ///
    /// - Parameters:
    ///   - row: the row that has disappeared, counted in its section.
    ///   - group: the name of the group.
    public func nearestPath(forRow row: Int, inGroup group: String) -> RowPath? {
        guard let position = allGroups.firstIndex(where: { $0.hasSameBytes(as: group) }) else { return nil }
        let length = numberOfItems(inGroup: group)
        if length > 0 { return path(ofRow: min(max(row, 0), length - 1), inGroup: group) }
        if let above = allGroups[..<position].last(where: { window(ofGroup: $0).length > 0 }) {
            return path(ofRow: numberOfItems(inGroup: above) - 1, inGroup: above)
        }
        let below = allGroups[position...].first { window(ofGroup: $0).length > 0 }
        return below.flatMap { path(ofRow: 0, inGroup: $0) }
    }

    private func path(ofRow row: Int, inGroup group: String) -> RowPath? {
        index(forRow: row, inGroup: group).flatMap { path(forIndex: $0, inGroup: group) }
    }

    /// Returns the number of rows that the consolidated section shows above the group's first.
    private func rowOffset(ofGroup group: String) -> Int {
        shownGroups.prefix { !$0.hasSameBytes(as: group) }.reduce(0) { $0 + window(ofGroup: $1).length }
    }

    private func groupAndIndex(ofConsolidatedRow row: Int) -> (group: String, index: Int)? {
        var rest = row
        for group in shownGroups where rest >= 0 {
            if let index = index(forRow: rest, inGroup: group) { return (group, index) }
            rest -= window(ofGroup: group).length
        }
        return nil
    }
}
