extension Mappings {
    /// Sets how groups are shown for which nothing else is set, also those that appear later.
    ///
    /// What was set for a group before stays. What is set later starts from this, so that ranges and distances are in screen order.
    package mutating func setAllGroups(isReversed: Bool, range: RangeOptions?) {
        let range = (isReversed ? range?.reversed : range)?.withinLimits
        unset = GroupSetup(isReversed: isReversed, requestedRange: range, range: range)
        setUp(allGroups)
    }

    /// Sets up groups that are about to appear. Their sections appear with the update or the change-set that brings them.
    package mutating func setUp(_ groups: some Sequence<String>) {
        guard unset != GroupSetup() else { return }
        for group in groups where setups[group] == nil {
            setups[group] = unset
            if isUpdated { openWindow(ofGroup: group) }
        }
    }

    /// Sets whether the group's section disappears while it shows no rows, or stays as an empty section.
    /// - Parameters:
    ///   - isDynamic: true to hide the section while it shows no row.
    ///   - group: the name of the group.
    public mutating func setIsDynamicSection(_ isDynamic: Bool, forGroup group: String) {
        setups[group, default: unset].isDynamic = isDynamic
        isSettled = false
    }

    /// Returns what was set for the group; false unless set. The setting for all groups is not considered.
    ///
    /// Example: ``setIsReversed(_:forGroup:)``.
    public func isDynamicSection(forGroup group: String) -> Bool {
        setups[group]?.isDynamic ?? false
    }

    /// Sets whether every section disappears while it shows no rows, whatever is set for its group.
    ///
    /// ```swift
    /// mappings.setIsDynamicSectionForAllGroups(true)
    /// ```
    public mutating func setIsDynamicSectionForAllGroups(_ isDynamic: Bool) {
        allSectionsAreDynamic = isDynamic
        isSettled = false
    }

    /// Whether every section disappears while it shows no rows; false unless set.
    public var isDynamicSectionForAllGroups: Bool { allSectionsAreDynamic }

    /// Sets whether the group's rows are shown from the last to the first. Earlier settings keep their meaning; later
    /// settings of the group are in screen order.
    ///
    /// ```swift
    /// mappings.setIsReversed(true, forGroup: "messages")   // the newest first
    /// print(mappings.isReversed(forGroup: "messages"), mappings.isDynamicSection(forGroup: "messages"))   // true false
    /// ```
    ///
    /// - Parameters:
    ///   - isReversed: true to show the last row first.
    ///   - group: the name of the group.
    public mutating func setIsReversed(_ isReversed: Bool, forGroup group: String) {
        setups[group, default: unset].isReversed = isReversed
    }

    /// Returns whether the group's rows are shown from the last to the first; false unless set.
    ///
    /// Example: ``setIsReversed(_:forGroup:)``.
    public func isReversed(forGroup group: String) -> Bool {
        (setups[group] ?? unset).isReversed
    }

    /// Declares the neighbours that a cell of the group depends on: -1 for the one above, 1 for the one below. Rows
    /// whose neighbour changes are then reported too. 0 is ignored.
    ///
    /// ```swift
    /// mappings.setCellDrawingDependencyOffsets([-1, 1], forGroup: "messages")
    /// print(mappings.cellDrawingDependencyOffsets(forGroup: "messages").sorted())   // [-1, 1]
    /// ```
    ///
    /// - Parameters:
    ///   - offsets: the distances of the neighbours; empty for none.
    ///   - group: the name of the group.
    public mutating func setCellDrawingDependencyOffsets(_ offsets: Set<Int>, forGroup group: String) {
        let sign = isReversed(forGroup: group) ? -1 : 1
        let sensible = -Self.maxRows...Self.maxRows
        setups[group, default: unset].dependencies = Set(
            offsets.lazy.filter { $0 != 0 && sensible.contains($0) }.map { $0 * sign })
    }

    /// Declares one neighbour that a cell of the group depends on, instead of those declared before: -1 for the row
    /// above, 1 for the row below.
    ///
    /// Example: ``setCellDrawingDependencyOffsets(_:forGroup:)``.
    ///
    /// - Parameters:
    ///   - offset: -1 for the cell above, 1 for the one below.
    ///   - group: the name of the group.
    public mutating func setCellDrawingDependency(forNeighboringCellWithOffset offset: Int, forGroup group: String) {
        setCellDrawingDependencyOffsets([offset], forGroup: group)
    }

    /// Whether cells of any group depend on their neighbours.
    package var hasCellDrawingDependencies: Bool { setups.values.contains { !$0.dependencies.isEmpty } }

    /// Returns the declared neighbours in screen order; empty unless set.
    ///
    /// Example: ``setCellDrawingDependencyOffsets(_:forGroup:)``.
    public func cellDrawingDependencyOffsets(forGroup group: String) -> Set<Int> {
        guard let setup = setups[group] else { return [] }
        return setup.isReversed ? Set(setup.dependencies.map { -$0 }) : setup.dependencies
    }

    /// Shows all groups as one section of this name while they have fewer than `threshold` rows together. A threshold
    /// below 1, no name, or the name of one of the groups switches it off.
    ///
    /// ```swift
    /// mappings.setAutoConsolidateGroupsThreshold(10, withName: "everybody")
    /// print(mappings.isUsingConsolidatedGroup, mappings.autoConsolidateGroupsThreshold)
    /// ```
    ///
    /// - Parameters:
    ///   - threshold: the number of rows from which on the groups have sections of their own; below 1 for never.
    ///   - name: the name of the one section; nil to switch this off.
    public mutating func setAutoConsolidateGroupsThreshold(_ threshold: Int, withName name: String?) {
        consolidationThreshold = threshold
        consolidationName = name
        validateConsolidation()
        isSettled = false
    }

    /// 0 unless set.
    public var autoConsolidateGroupsThreshold: Int { consolidationThreshold }

    /// The name of the one section that shows all groups while they have few rows; nil if that is switched off.
    public var consolidatedGroupName: String? { consolidationName }
}
