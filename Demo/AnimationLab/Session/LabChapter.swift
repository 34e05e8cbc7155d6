import LiveTable

/// A stretch of the timeline in which the groups are chosen in one way.
///
/// That is as much as a scenario can hold: its mappings are made once, and no call on them chooses other groups.
struct LabChapter {
    let setup: MappingsSetup
    /// What is in the view at its beginning.
    let initial: [RowOperation]
}

extension MappingsSetup {
    /// Mappings of other groups that are set up like these.
    ///
    /// - Parameter names: the groups for which something may be set up, shown or not.
    init(_ groups: Groups, like mappings: Mappings, names: some Sequence<String>) {
        self.init(groups: groups, config: names.flatMap { Self.calls(for: $0, of: mappings) })
        if mappings.isDynamicSectionForAllGroups { config.append(.dynamicSectionAll(true)) }
        if let name = mappings.consolidatedGroupName {
            config.append(.consolidate(threshold: mappings.autoConsolidateGroupsThreshold, name: name))
        }
    }

    /// Reversal comes first: what follows is said in the order of the screen.
    private static func calls(for group: String, of mappings: Mappings) -> [MappingsCall] {
        let offsets = mappings.cellDrawingDependencyOffsets(forGroup: group).sorted()
        let calls: [MappingsCall?] = [
            mappings.isReversed(forGroup: group) ? .reverse(true, group: group) : nil,
            mappings.isDynamicSection(forGroup: group) ? .dynamicSection(true, group: group) : nil,
            mappings.rangeOptions(forGroup: group).map { .range(RangeSetup($0), group: group) },
            offsets.isEmpty ? nil : .dependencies(offsets, group: group),
        ]
        return calls.compactMap(\.self)
    }
}

extension MappingsSetup.Groups {
    /// The names of the list or of the filter; nil where nobody names any.
    var names: [String]? {
        switch self {
        case .list(let names): names
        case .dynamic(let names, _): names
        }
    }
}
