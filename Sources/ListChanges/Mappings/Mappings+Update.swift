extension Mappings {
    /// Adopts the counts of a snapshot without computing what changed.
    ///
    /// The first call opens the windows: a range shows as many of the requested rows as exist. Later calls keep each
    /// flexible window at its offset with its length, as far as the new counts allow.
    ///
    /// - Parameters:
    ///   - groups: the groups in order, for mappings with dynamic groups; ignored otherwise.
    ///   - counts: the number of rows of each group; a missing group is empty.
    /// - Complexity: O(number of groups)
    public mutating func update(groups: [String]? = nil, counts: [String: Int]) {
        update(groups: groups, counts: ExactDictionary(counts))
    }

    package mutating func update(groups: [String]? = nil, counts newCounts: ExactDictionary<Int>) {
        if groupsAreDynamic, let groups { replaceGroups(groups) }
        adopt(SharedDictionary(allGroups.map { ($0, min(max(newCounts[$0] ?? 0, 0), Self.maxRows)) }))
    }

    /// Updates mappings with dynamic groups. Each group must be given once.
    package mutating func update(distinctGroups groups: [(name: String, count: Int)]) {
        allGroups = groups.map(\.name)
        validateConsolidation()
        adopt(SharedDictionary(groups.lazy.map { (key: $0.name, value: min(max($0.count, 0), Self.maxRows)) }))
    }

    /// Whether the group is one of the list, shown or not. O(log groups).
    package func hasGroup(_ group: String) -> Bool { counts[group] != nil }

    private mutating func adopt(_ newCounts: SharedDictionary<Int>) {
        counts = newCounts
        for group in Array(setups.names) {
            if isUpdated { refitWindow(ofGroup: group) } else { openWindow(ofGroup: group) }
        }
        isUpdated = true
        refreshVisibility()
    }

    mutating func replaceGroups(_ groups: [String]) {
        allGroups = groups.firstOccurrences
        validateConsolidation()
    }

    mutating func validateConsolidation() {
        guard
            consolidationThreshold < 1
                || consolidationName.map({ name in allGroups.contains { $0.hasSameBytes(as: name) } }) ?? true
        else { return }
        consolidationThreshold = 0
        consolidationName = nil
    }

    /// Determines the sections after settings were changed, for a caller who shows all rows again and needs no change-set.
    package mutating func showSettings() {
        if isUpdated { refreshVisibility() }
    }

    /// Recomputes which groups are shown, and whether they are consolidated.
    mutating func refreshVisibility() {
        isSettled = false
        shownGroups = showsAllGroups ? allGroups : allGroups.filter { isShown($0) }
        shownSections = SectionsByGroup(shownGroups)
        let isConsolidated = consolidationThreshold > 0 && numberOfItemsInAllGroups < consolidationThreshold
        shownName = isConsolidated ? consolidationName : nil
    }

    /// Whether it is known without looking at each group that all are shown.
    private var showsAllGroups: Bool {
        guard setups.isEmpty else { return false }
        return !allSectionsAreDynamic || counts.count == allGroups.count && counts.values.allSatisfy { $0 > 0 }
    }

    /// Whether the group's window and settings let it be shown.
    func isShown(_ group: String) -> Bool {
        let isDynamic = allSectionsAreDynamic || isDynamicSection(forGroup: group)
        return !isDynamic || window(ofGroup: group).length > 0
    }

    /// Fits a window that was opened earlier to a group whose count was replaced.
    private mutating func refitWindow(ofGroup group: String) {
        guard let setup = setups[group], let range = setup.range, let requested = setup.requestedRange else { return }
        let count = counts[group] ?? 0
        let wanted = range.isFixedRange || range.length == 0 ? requested.length : range.length
        let opened = range.with(length: range.length(wanting: wanted, count: count))
        guard range.isFlexibleRange else { return setups[group]!.range = opened }
        setups[group]!.range = opened.opening(
            RowWindow(opened, count: count).fitted(to: opened, count: count), count: count)
    }
}
