import ListChanges

// Mappings may be configured before the first update, after it, and between jumps. A setting also applies to groups
// that appear later.
extension YapDatabaseViewMappings {
    /// Sets whether a section is shown only while it has rows (dynamic) or always (static, the default).
    public func setIsDynamicSection(_ isDynamic: Bool, forGroup group: String) {
        value.setIsDynamicSection(isDynamic, forGroup: group)
    }

    /// Returns what was set for the group; false unless set.
    public func isDynamicSection(forGroup group: String) -> Bool { value.isDynamicSection(forGroup: group) }

    /// Sets whether every section is shown only while it has rows, whatever is set for its group.
    public func setIsDynamicSectionForAllGroups(_ isDynamic: Bool) {
        value.setIsDynamicSectionForAllGroups(isDynamic)
    }

    /// Returns whether every section is shown only while it has rows.
    public func isDynamicSectionForAllGroups() -> Bool { value.isDynamicSectionForAllGroups }

    /// Restricts the list to a part of the group; nil shows all of it. On a reversed group, offsets are in the order of
    /// the screen.
    public func setRangeOptions(_ options: YapDatabaseViewRangeOptions?, forGroup group: String) {
        value.setRangeOptions(options?.value, forGroup: group)
    }

    /// Returns a copy of the group's current range; a flexible one has moved since it was set.
    public func rangeOptions(forGroup group: String) -> YapDatabaseViewRangeOptions? {
        value.rangeOptions(forGroup: group).map { YapDatabaseViewRangeOptions($0) }
    }

    /// Shows the whole group again.
    public func removeRangeOptions(forGroup group: String) { value.removeRangeOptions(forGroup: group) }

    /// Declares that a cell depends on the cell `offset` rows further (-1: the one before). It is reported as updated
    /// when that neighbour changes, is replaced by another row, or comes into the range or leaves it.
    public func setCellDrawingDependencyForNeighboringCellWithOffset(_ offset: Int, forGroup group: String) {
        value.setCellDrawingDependency(forNeighboringCellWithOffset: offset, forGroup: group)
    }

    /// Declares all cells on which a cell of the group depends, by their distances: -1 for the one before.
    public func setCellDrawingDependencyOffsets(_ offsets: Set<Int>, forGroup group: String) {
        value.setCellDrawingDependencyOffsets(offsets, forGroup: group)
    }

    /// Returns the distances of the cells on which a cell of the group depends; empty unless set.
    public func cellDrawingDependencyOffsets(forGroup group: String) -> Set<Int> {
        value.cellDrawingDependencyOffsets(forGroup: group)
    }

    /// Sets whether the last row of the group is shown first. Ranges and dependencies set from then on refer to that
    /// order.
    public func setIsReversed(_ isReversed: Bool, forGroup group: String) {
        value.setIsReversed(isReversed, forGroup: group)
    }

    /// Returns whether the last row of the group is shown first.
    public func isReversed(forGroup group: String) -> Bool { value.isReversed(forGroup: group) }

    /// Shows all groups as one section of this name while they have fewer rows than `threshold` together.
    public func setAutoConsolidateGroupsThreshold(_ threshold: Int, withName name: String?) {
        value.setAutoConsolidateGroupsThreshold(threshold, withName: name)
    }

    /// Returns the number of rows from which on the groups are sections of their own; 0 unless set.
    public func autoConsolidateGroupsThreshold() -> Int { value.autoConsolidateGroupsThreshold }

    /// Returns the name of the section that shows all groups while they have few rows; nil unless set.
    public func consolidatedGroupName() -> String? { value.consolidatedGroupName }
}
