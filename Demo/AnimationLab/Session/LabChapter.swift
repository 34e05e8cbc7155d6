import LiveTable

/// A part of the timeline with one choice of groups.
///
/// A scenario cannot hold more: its mappings are created once, and no call on them chooses other groups.
struct LabChapter {
    let setup: MappingsSetup
    /// The rows at its beginning.
    let initial: [RowOperation]
}

extension MappingsSetup {
    /// Creates the setup of other groups with the settings of existing mappings.
    ///
    /// - Parameter names: the groups that may have settings, shown or not.
    init(_ groups: Groups, like mappings: Mappings, names: some Sequence<String>) {
        self.init(groups: groups, config: names.flatMap { Self.calls(for: $0, of: mappings) })
        if mappings.isDynamicSectionForAllGroups { config.append(.dynamicSectionAll(true)) }
        if let name = mappings.consolidatedGroupName {
            config.append(.consolidate(threshold: mappings.autoConsolidateGroupsThreshold, name: name))
        }
    }

    /// Returns a group's calls. Reversal comes first, because the calls after it are in the order of the screen.
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
    /// The names of the list or of the filter; nil if there are none.
    var names: [String]? {
        switch self {
        case .list(let names): names
        case .dynamic(let names, _): names
        }
    }
}
