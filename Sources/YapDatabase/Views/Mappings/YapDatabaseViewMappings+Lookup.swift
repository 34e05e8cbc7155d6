import ListChanges

// Sections and rows are positions on screen; an index is a position in the group of the view.
extension YapDatabaseViewMappings {
    /// The groups of the list, including those that currently have no section.
    public var allGroups: [String] { value.allGroups }

    /// Returns the group of each section, in order, or only the consolidated name while sections are consolidated.
    public func visibleGroups() -> [String] { value.visibleGroups }

    /// Returns whether the list shows no row.
    public func isEmpty() -> Bool { value.isEmpty }
    /// Returns whether all groups are one section now.
    public func isUsingConsolidatedGroup() -> Bool { value.isUsingConsolidatedGroup }

    /// Returns the number of sections: 1 while they are consolidated, 0 before the first update.
    public func numberOfSections() -> Int { value.numberOfSections }
    /// Returns the number of rows of a section; 0 if there is no such section.
    public func numberOfItems(inSection section: Int) -> Int { value.numberOfItems(inSection: section) }
    /// Returns the number of rows that the list shows of a group, or of the consolidated name.
    public func numberOfItems(inGroup group: String) -> Int { value.numberOfItems(inGroup: group) }
    /// Returns the number of rows that the list shows.
    public func numberOfItemsInAllGroups() -> Int { value.numberOfItemsInAllGroups }

    /// Returns the group of a section; nil if there is no such section.
    public func group(forSection section: Int) -> String? { value.group(forSection: section) }
    /// Returns the section of a group; nil if it is not shown, 0 while the groups are consolidated.
    public func section(forGroup group: String) -> Int? { value.section(forGroup: group) }

    /// Returns the group and the index of a row on screen, or nil for a path that is not on screen.
    public func groupAndIndex(at path: RowPath) -> (group: String, index: Int)? { value.groupAndIndex(at: path) }

    /// Returns the index, in its group, of a row of a section; nil if there is no such row.
    public func index(forRow row: Int, inSection section: Int) -> Int? { value.index(forRow: row, inSection: section) }
    /// Returns the index of the row that a group shows at a place of its section; nil if it shows no such row.
    public func index(forRow row: Int, inGroup group: String) -> Int? { value.index(forRow: row, inGroup: group) }

    /// Returns the path on screen of an index of a group, or nil if it is outside the range.
    public func path(forIndex index: Int, inGroup group: String) -> RowPath? {
        value.path(forIndex: index, inGroup: group)
    }

    /// Returns the place in its section of an index of a group; nil if it is outside the range.
    public func row(forIndex index: Int, inGroup group: String) -> Int? { value.row(forIndex: index, inGroup: group) }

    /// Returns how many rows are before, in and after the range, in the order of the screen.
    public func rangePosition(forGroup group: String) -> RangePosition { value.rangePosition(forGroup: group) }

    /// Returns where to go when a row has disappeared: the same row of the group or the group's last, else the last row
    /// of the closest section before, else the first row of the closest section after, else nil.
    public func nearestPath(forRow row: Int, inGroup group: String) -> RowPath? {
        value.nearestPath(forRow: row, inGroup: group)
    }
}
