import YapDatabase

/// Mappings on which a scenario's calls are made: a value, or those of a view.
protocol ConfigurableMappings {
    mutating func setIsDynamicSection(_ isDynamic: Bool, forGroup group: String)
    mutating func setIsDynamicSectionForAllGroups(_ isDynamic: Bool)
    mutating func setIsReversed(_ isReversed: Bool, forGroup group: String)
    mutating func setRangeOptions(_ options: YapDatabaseViewRangeOptions?, forGroup group: String)
    mutating func removeRangeOptions(forGroup group: String)
    mutating func setCellDrawingDependencyOffsets(_ offsets: Set<Int>, forGroup group: String)
    mutating func setAutoConsolidateGroupsThreshold(_ threshold: Int, withName name: String?)
}

extension YapDatabaseViewMappings: ConfigurableMappings {}

extension Mappings: ConfigurableMappings {
    mutating func setRangeOptions(_ options: YapDatabaseViewRangeOptions?, forGroup group: String) {
        setRangeOptions(options?.value, forGroup: group)
    }
}

extension ConfigurableMappings {
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
