import LiveTable

extension LabSettings {
    /// The number of rows of a range when it is switched on.
    private static let firstLength = 5
    /// The name and the threshold of the consolidated section when it is switched on.
    private static let consolidation = (name: "all", threshold: 5)

    /// Returns the calls that change a setting to its next or previous value; empty if there is none.
    func calls(changing setting: LabSetting, up: Bool) -> [MappingsCall] {
        switch setting {
        case .group, .isShown, .place, .groups, .sorting: return []
        case .section: return [.dynamicSection(!mappings.isDynamicSection(forGroup: group), group: group)]
        case .order: return [.reverse(!mappings.isReversed(forGroup: group), group: group)]
        case .range: return switchRange(up: up)
        case .dependencies:
            let now = mappings.cellDrawingDependencyOffsets(forGroup: group)
            return [.dependencies(Self.dependencies.neighbor(of: now, up: up).sorted(), group: group)]
        case .allSections: return [.dynamicSectionAll(!mappings.isDynamicSectionForAllGroups)]
        case .consolidation: return [consolidate(up: up)]
        case .length, .offset, .pin, .least, .most, .growth:
            guard let range else { return [] }
            var setup = RangeSetup(range)
            setup.change(setting, up: up)
            return setup == RangeSetup(range) ? [] : [.range(setup, group: group)]
        }
    }

    /// Switches between all rows, a fixed range and a flexible one.
    private func switchRange(up: Bool) -> [MappingsCall] {
        let kinds: [RangeSetup.Kind?] = [nil, .fixed, .flexible]
        let now = range.map { $0.isFixedRange ? RangeSetup.Kind.fixed : .flexible }
        guard let kind = kinds.neighbor(of: now, up: up) else { return [.removeRange(group: group)] }
        let old = RangeSetup(range)
        return [
            .range(
                RangeSetup(
                    kind: kind, length: range == nil ? Self.firstLength : old.length, offset: old.offset, from: old.from
                ),
                group: group)
        ]
    }

    private func consolidate(up: Bool) -> MappingsCall {
        let now = mappings.consolidatedGroupName == nil ? 0 : mappings.autoConsolidateGroupsThreshold
        let next = now == 0 ? (up ? Self.consolidation.threshold : 0) : max(0, now + (up ? 1 : -1))
        return .consolidate(threshold: next, name: Self.consolidation.name)
    }
}

extension RangeSetup {
    /// Creates the range in a scenario's form, or the default one if there is none.
    init(_ range: RangeOptions?) {
        guard let range else {
            self.init(kind: .flexible, length: 1, offset: 0, from: .end)
            return
        }
        self.init(
            kind: range.isFixedRange ? .fixed : .flexible,
            length: Swift.max(1, range.isFixedRange ? range.maxLength : range.length),
            offset: range.offset, from: range.pin == .beginning ? .beginning : .end)
        guard range.isFlexibleRange else { return }
        max = range.maxLength < Int.max ? range.maxLength : nil
        min = range.minLength > 0 ? range.minLength : nil
        grow = RangeSetup.Grow.order.first { $0.options == range.growOptions }
    }

    fileprivate mutating func change(_ setting: LabSetting, up: Bool) {
        let step = up ? 1 : -1
        switch setting {
        case .length: length = Swift.max(1, length + step)
        case .offset: offset = Swift.max(0, offset + step)
        case .pin: from = from == .beginning ? .end : .beginning
        case .least: min = stepped(min, by: step)
        case .most: max = max == nil && up ? length : stepped(max, by: step)
        case .growth: grow = Grow.order.neighbor(of: grow ?? .pin, up: up)
        default: break
        }
    }

    /// Returns the number plus or minus a step; nil below 1.
    private func stepped(_ number: Int?, by step: Int) -> Int? {
        let next = (number ?? 0) + step
        return next > 0 ? next : nil
    }
}
