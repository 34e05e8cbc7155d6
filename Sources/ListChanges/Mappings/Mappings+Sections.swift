extension Mappings {
    /// The number of sections on screen: 1 while consolidated; 0 before the first update.
    public var numberOfSections: Int { shownName == nil ? shownGroups.count : 1 }

    /// Returns the number of rows shown in the section; 0 if there is no such section.
    ///
    /// ```swift
    /// for (section, group) in mappings.visibleGroups.enumerated() {
    ///     print(group, mappings.numberOfItems(inSection: section), mappings.fullCount(inGroup: group))
    /// }
    /// ```
    public func numberOfItems(inSection section: Int) -> Int {
        group(forSection: section).map { numberOfItems(inGroup: $0) } ?? 0
    }

    /// Returns the number of rows that the group shows, also while it is consolidated with others; for the consolidated
    /// name, while in use, the number in all groups. 0 for any other name and before the first update.
    public func numberOfItems(inGroup group: String) -> Int {
        if group.isName(shownName) { return numberOfItemsInAllGroups }
        return window(ofGroup: group).length
    }

    /// The number of rows shown in all groups together.
    public var numberOfItemsInAllGroups: Int {
        shownGroups.reduce(0) { $0 + window(ofGroup: $1).length }
    }

    /// Returns the number of rows in the group, shown or not; 0 if the mappings do not hold it.
    ///
    /// Example: ``numberOfItems(inSection:)``.
    public func fullCount(inGroup group: String) -> Int { counts[group] ?? 0 }

    /// The groups that are currently sections, in order; while consolidated, the consolidated name alone.
    public var visibleGroups: [String] {
        shownName.map { [$0] } ?? shownGroups
    }

    /// Whether no row is shown.
    public var isEmpty: Bool { numberOfItemsInAllGroups == 0 }

    /// Whether all groups are currently shown as one section because they have so few rows together.
    public var isUsingConsolidatedGroup: Bool { shownName != nil }

    /// Returns the group of a section; nil if there is no such section.
    ///
    /// ```swift
    /// print(mappings.group(forSection: 0) ?? "no section", mappings.section(forGroup: "away") ?? -1)
    /// ```
    public func group(forSection section: Int) -> String? {
        if let shownName { return section == 0 ? shownName : nil }
        return shownGroups.indices.contains(section) ? shownGroups[section] : nil
    }

    /// Returns the section that shows the group, 0 while consolidated; nil if it is not shown.
    ///
    /// Example: ``group(forSection:)``.
    public func section(forGroup group: String) -> Int? {
        guard let shownName else { return shownSections[group] }
        return group.isName(shownName) || shownSections[group] != nil ? 0 : nil
    }
}
