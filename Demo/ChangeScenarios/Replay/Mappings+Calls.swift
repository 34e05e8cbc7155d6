import YapDatabase

extension Mappings {
    /// Makes a scenario's calls.
    package mutating func perform(_ calls: [MappingsCall]) {
        for call in calls { perform(call) }
    }

    package mutating func perform(_ call: MappingsCall) {
        switch call {
        case .dynamicSection(let value, let group): setIsDynamicSection(value, forGroup: group)
        case .dynamicSectionAll(let value): setIsDynamicSectionForAllGroups(value)
        case .reverse(let value, let group): setIsReversed(value, forGroup: group)
        case .range(let range, let group): setRangeOptions(range.options, forGroup: group)
        case .removeRange(let group): removeRangeOptions(forGroup: group)
        case .dependencies(let offsets, let group): setCellDrawingDependencyOffsets(Set(offsets), forGroup: group)
        case .consolidate(let threshold, let name): setAutoConsolidateGroupsThreshold(threshold, withName: name)
        }
    }
}
