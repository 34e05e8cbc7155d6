import ListChanges

// Mappings may be configured before the first update, after it, and between jumps. A setting also applies to groups
// that appear later.
extension YapDatabaseViewMappings {
    /// Sets whether a section is shown only while it has rows (dynamic) or always (static, the default).
    /// - Parameters:
    ///   - isDynamic: true to hide the section while it is empty.
    ///   - group: the name of the group.
    public func setIsDynamicSection(_ isDynamic: Bool, forGroup group: String) {
        value.setIsDynamicSection(isDynamic, forGroup: group)
    }

    /// Returns what was set for the group; false unless set.
    ///
    /// Example: ``setIsReversed(_:forGroup:)``.
    public func isDynamicSection(forGroup group: String) -> Bool { value.isDynamicSection(forGroup: group) }

    /// Sets whether every section is shown only while it has rows, whatever is set for its group.
    ///
    /// ```swift
    /// mappings.setIsDynamicSectionForAllGroups(true)
    /// print(mappings.isDynamicSectionForAllGroups())   // true
    /// ```
    public func setIsDynamicSectionForAllGroups(_ isDynamic: Bool) {
        value.setIsDynamicSectionForAllGroups(isDynamic)
    }

    /// Returns whether every section is shown only while it has rows.
    public func isDynamicSectionForAllGroups() -> Bool { value.isDynamicSectionForAllGroups }

    /// Restricts the list to a part of the group; nil shows all of it. On a reversed group, offsets are in the order of
    /// the screen.
    ///
    /// ```swift
    /// let newest = YapDatabaseViewRangeOptions.fixedRange(withLength: 50, offset: 0, from: .end)
    /// mappings.setRangeOptions(newest, forGroup: "messages")
    /// print(mappings.rangeOptions(forGroup: "messages")?.length ?? 0)
    /// mappings.removeRangeOptions(forGroup: "messages")   // all rows again
    /// ```
    ///
    /// - Parameters:
    ///   - options: the part to show; nil for all.
    ///   - group: the name of the group.
    public func setRangeOptions(_ options: YapDatabaseViewRangeOptions?, forGroup group: String) {
        value.setRangeOptions(options?.value, forGroup: group)
    }

    /// Restricts the list to a part of the group, given as a value, such as a constant of the program; nil shows all of it.
    ///
    /// ```swift
    /// let newest = RangeOptions.fixed(length: 50, offset: 0, from: .end)   // perhaps at file scope
    /// mappings.setRange(newest, forGroup: "messages")
    /// ```
    ///
    /// - Parameters:
    ///   - range: the part to show; nil for all.
    ///   - group: the name of the group.
    public func setRange(_ range: RangeOptions?, forGroup group: String) {
        value.setRangeOptions(range, forGroup: group)
    }

    /// Returns a copy of the group's current range; a flexible one has moved since it was set.
    ///
    /// Example: ``setRangeOptions(_:forGroup:)``.
    public func rangeOptions(forGroup group: String) -> YapDatabaseViewRangeOptions? {
        value.rangeOptions(forGroup: group).map { YapDatabaseViewRangeOptions($0) }
    }

    /// Shows the whole group again.
    ///
    /// Example: ``setRangeOptions(_:forGroup:)``.
    public func removeRangeOptions(forGroup group: String) { value.removeRangeOptions(forGroup: group) }

    /// Declares that a cell depends on the cell `offset` rows further (-1: the one before). It is reported as updated
    /// when that neighbour changes, is replaced by another row, or comes into the range or leaves it.
    ///
    /// ```swift
    /// // The cell of a message shows its date only if the message above is of another day.
    /// mappings.setCellDrawingDependencyForNeighboringCellWithOffset(-1, forGroup: "messages")
    /// ```
    ///
    /// - Parameters:
    ///   - offset: the distance of the neighbour: -1 for the cell above, 1 for the one below.
    ///   - group: the name of the group.
    public func setCellDrawingDependencyForNeighboringCellWithOffset(_ offset: Int, forGroup group: String) {
        value.setCellDrawingDependency(forNeighboringCellWithOffset: offset, forGroup: group)
    }

    /// Declares all cells on which a cell of the group depends, by their distances: -1 for the one before.
    ///
    /// ```swift
    /// mappings.setCellDrawingDependencyOffsets([-1, 1], forGroup: "messages")
    /// print(mappings.cellDrawingDependencyOffsets(forGroup: "messages").sorted())   // [-1, 1]
    /// ```
    ///
    /// - Parameters:
    ///   - offsets: the distances of the neighbours; empty for none.
    ///   - group: the name of the group.
    public func setCellDrawingDependencyOffsets(_ offsets: Set<Int>, forGroup group: String) {
        value.setCellDrawingDependencyOffsets(offsets, forGroup: group)
    }

    /// Returns the distances of the cells on which a cell of the group depends; empty unless set.
    ///
    /// Example: ``setCellDrawingDependencyOffsets(_:forGroup:)``.
    public func cellDrawingDependencyOffsets(forGroup group: String) -> Set<Int> {
        value.cellDrawingDependencyOffsets(forGroup: group)
    }

    /// Sets whether the last row of the group is shown first. Ranges and dependencies set from then on refer to that
    /// order.
    ///
    /// ```swift
    /// mappings.setIsReversed(true, forGroup: "messages")   // the newest first
    /// print(mappings.isReversed(forGroup: "messages"), mappings.isDynamicSection(forGroup: "messages"))   // true false
    /// ```
    ///
    /// - Parameters:
    ///   - isReversed: true to show the last row first.
    ///   - group: the name of the group.
    public func setIsReversed(_ isReversed: Bool, forGroup group: String) {
        value.setIsReversed(isReversed, forGroup: group)
    }

    /// Returns whether the last row of the group is shown first.
    ///
    /// Example: ``setIsReversed(_:forGroup:)``.
    public func isReversed(forGroup group: String) -> Bool { value.isReversed(forGroup: group) }

    /// Shows all groups as one section of this name while they have fewer rows than `threshold` together.
    ///
    /// ```swift
    /// mappings.setAutoConsolidateGroupsThreshold(10, withName: "everybody")
    /// print(mappings.isUsingConsolidatedGroup(), mappings.autoConsolidateGroupsThreshold())
    /// ```
    ///
    /// - Parameters:
    ///   - threshold: the number of rows from which on the groups have sections of their own; below 1 for never.
    ///   - name: the name of the one section; nil to switch this off.
    public func setAutoConsolidateGroupsThreshold(_ threshold: Int, withName name: String?) {
        value.setAutoConsolidateGroupsThreshold(threshold, withName: name)
    }

    /// Returns the number of rows from which on the groups are sections of their own; 0 unless set.
    public func autoConsolidateGroupsThreshold() -> Int { value.autoConsolidateGroupsThreshold }

    /// Returns the name of the section that shows all groups while they have few rows; nil unless set.
    public func consolidatedGroupName() -> String? { value.consolidatedGroupName }
}

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
    ///
    /// ```swift
    /// for (section, group) in mappings.visibleGroups().enumerated() {
    ///     print(group, mappings.numberOfItems(inSection: section))
    /// }
    /// print(mappings.numberOfSections(), mappings.numberOfItemsInAllGroups(), mappings.isEmpty())
    /// ```
    public func numberOfItems(inSection section: Int) -> Int { value.numberOfItems(inSection: section) }
    /// Returns the number of rows that the list shows of a group, or of the consolidated name.
    public func numberOfItems(inGroup group: String) -> Int { value.numberOfItems(inGroup: group) }
    /// Returns the number of rows that the list shows.
    public func numberOfItemsInAllGroups() -> Int { value.numberOfItemsInAllGroups }

    /// Returns the group of a section; nil if there is no such section.
    ///
    /// ```swift
    /// print(mappings.group(forSection: 0) ?? "no section", mappings.section(forGroup: "away") ?? -1)
    /// ```
    public func group(forSection section: Int) -> String? { value.group(forSection: section) }
    /// Returns the section of a group; nil if it is not shown, 0 while the groups are consolidated.
    ///
    /// Example: ``group(forSection:)``.
    public func section(forGroup group: String) -> Int? { value.section(forGroup: group) }

    /// Returns the group and the index of a row on screen, or nil for a path that is not on screen.
    ///
    /// ```swift
    /// if let (group, index) = mappings.groupAndIndex(at: RowPath(section: 1, row: 0)) { print(group, index) }
    /// ```
    public func groupAndIndex(at path: RowPath) -> (group: String, index: Int)? { value.groupAndIndex(at: path) }

    /// Returns the index, in its group, of a row of a section; nil if there is no such row.
    /// - Parameters:
    ///   - row: the row, counted in its section.
    ///   - section: the section, counted from 0.
    public func index(forRow row: Int, inSection section: Int) -> Int? { value.index(forRow: row, inSection: section) }
    /// Returns the index of the row that a group shows at a place of its section; nil if it shows no such row.
    ///
    /// ```swift
    /// // The row on screen, its position in the group, and back.
    /// let index = mappings.index(forRow: 0, inGroup: "messages") ?? 0
    /// print(mappings.path(forIndex: index, inGroup: "messages") ?? RowPath(section: 0, row: 0))
    /// print(mappings.row(forIndex: index, inGroup: "messages") ?? -1)
    /// ```
    ///
    /// - Parameters:
    ///   - row: the row, counted in its section.
    ///   - group: the name of the group.
    public func index(forRow row: Int, inGroup group: String) -> Int? { value.index(forRow: row, inGroup: group) }

    /// Returns the path on screen of an index of a group, or nil if it is outside the range.
    ///
    /// Example: ``index(forRow:inGroup:)``.
    ///
    /// - Parameters:
    ///   - index: the position in the group of the view.
    ///   - group: the name of the group.
    public func path(forIndex index: Int, inGroup group: String) -> RowPath? {
        value.path(forIndex: index, inGroup: group)
    }

    /// Returns the place in its section of an index of a group; nil if it is outside the range.
    ///
    /// Example: ``index(forRow:inGroup:)``.
    ///
    /// - Parameters:
    ///   - index: the position in the group of the view.
    ///   - group: the name of the group.
    public func row(forIndex index: Int, inGroup group: String) -> Int? { value.row(forIndex: index, inGroup: group) }

    /// Returns how many rows are before, in and after the range, in the order of the screen.
    ///
    /// ```swift
    /// let position = mappings.rangePosition(forGroup: "messages")
    /// if position.offsetFromBeginning > 0 { print("\(position.offsetFromBeginning) older messages") }
    /// ```
    public func rangePosition(forGroup group: String) -> RangePosition { value.rangePosition(forGroup: group) }

    /// Returns where to go when a row has disappeared: the same row of the group or the group's last, else the last row
    /// of the closest section before, else the first row of the closest section after, else nil.
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
        value.nearestPath(forRow: row, inGroup: group)
    }
}
