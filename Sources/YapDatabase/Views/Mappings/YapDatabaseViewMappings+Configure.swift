import ListChanges

// Configuration may come before the first update, after it, and between jumps; it applies to groups that appear later.
extension YapDatabaseViewMappings {
    /// A dynamic section is shown only while it has rows to show; a static one (the default) always.
    public func setIsDynamicSection(_ isDynamic: Bool, forGroup group: String) {
        value.setIsDynamicSection(isDynamic, forGroup: group)
    }

    public func isDynamicSection(forGroup group: String) -> Bool { value.isDynamicSection(forGroup: group) }

    public func setIsDynamicSectionForAllGroups(_ isDynamic: Bool) {
        value.setIsDynamicSectionForAllGroups(isDynamic)
    }

    public func isDynamicSectionForAllGroups() -> Bool { value.isDynamicSectionForAllGroups }

    /// Shows a part of the group only. On a reversed group the caller speaks in the order of the screen.
    public func setRangeOptions(_ options: YapDatabaseViewRangeOptions?, forGroup group: String) {
        value.setRangeOptions(options?.value, forGroup: group)
    }

    /// The range as it is now: a flexible one has moved since it was set. A copy.
    public func rangeOptions(forGroup group: String) -> YapDatabaseViewRangeOptions? {
        value.rangeOptions(forGroup: group).map { YapDatabaseViewRangeOptions($0) }
    }

    public func removeRangeOptions(forGroup group: String) { value.removeRangeOptions(forGroup: group) }

    /// Says that drawing a cell looks at the cell so many rows further (-1: the one before), so that it is reported as
    /// updated when that neighbour changes or becomes another.
    public func setCellDrawingDependencyForNeighboringCellWithOffset(_ offset: Int, forGroup group: String) {
        value.setCellDrawingDependency(forNeighboringCellWithOffset: offset, forGroup: group)
    }

    public func setCellDrawingDependencyOffsets(_ offsets: Set<Int>, forGroup group: String) {
        value.setCellDrawingDependencyOffsets(offsets, forGroup: group)
    }

    public func cellDrawingDependencyOffsets(forGroup group: String) -> Set<Int> {
        value.cellDrawingDependencyOffsets(forGroup: group)
    }

    /// Shows the last row of the group first. Ranges and dependencies set from then on are meant in that order.
    public func setIsReversed(_ isReversed: Bool, forGroup group: String) {
        value.setIsReversed(isReversed, forGroup: group)
    }

    public func isReversed(forGroup group: String) -> Bool { value.isReversed(forGroup: group) }

    /// While all groups together have fewer rows than the threshold, they are shown as one section of this name.
    public func setAutoConsolidateGroupsThreshold(_ threshold: Int, withName name: String?) {
        value.setAutoConsolidateGroupsThreshold(threshold, withName: name)
    }

    public func autoConsolidateGroupsThreshold() -> Int { value.autoConsolidateGroupsThreshold }

    public func consolidatedGroupName() -> String? { value.consolidatedGroupName }
}
