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

extension LabSettings {
    /// The place of the group in a fixed list; nil if it is not in one.
    var place: Int? {
        if case .list(let names) = groups { names.firstIndex(of: group) } else { nil }
    }

    /// The order of the view's groups; nil for a fixed list.
    var order: MappingsSetup.Order? {
        if case .dynamic(_, let order) = groups { order } else { nil }
    }

    /// Whether the group is in the list, or is shown as soon as it has rows.
    var isShown: Bool { groups.names?.contains(group) ?? true }

    /// Returns the choice of groups after changing a setting to its next or previous value; nil for a setting that does
    /// not concern groups, and if there is no other value.
    func groups(changing setting: LabSetting, up: Bool) -> MappingsSetup.Groups? {
        switch setting {
        case .groups: return source(up: up)
        case .sorting:
            return order.map { .dynamic(filter: groups.names, order: $0 == .ascending ? .descending : .ascending) }
        case .isShown:
            let names = groups.names ?? known
            return groups.with(isShown ? names.filter { $0 != group } : names + [group])
        case .place:
            guard let place, var names = groups.names, names.indices.contains(place + (up ? 1 : -1)) else { return nil }
            names.swapAt(place, place + (up ? 1 : -1))
            return .list(names)
        default: return nil
        }
    }

    /// Returns the groups with a new one.
    func groups(adding name: String) throws(LabRefusal) -> MappingsSetup.Groups {
        guard let names = groups.names else { throw LabRefusal("A group is shown as soon as it has rows.") }
        guard !names.contains(name) else { throw LabRefusal("\(name) is one of the groups already.") }
        return groups.with(names + [name])
    }

    /// Switches between a fixed list, those of its groups that have rows, and all groups that have rows.
    private func source(up: Bool) -> MappingsSetup.Groups {
        let names = groups.names ?? known
        let order = order ?? .ascending
        let list = MappingsSetup.Groups.list(names)
        let some = MappingsSetup.Groups.dynamic(filter: names, order: order)
        let all = MappingsSetup.Groups.dynamic(filter: nil, order: order)
        return [list, some, all].neighbor(of: groups, up: up)
    }
}

extension MappingsSetup.Groups {
    /// Returns the same kind of choice with other names.
    fileprivate func with(_ names: [String]) -> Self {
        switch self {
        case .list: .list(names)
        case .dynamic(_, let order): .dynamic(filter: names, order: order)
        }
    }
}

extension LabSettings {
    /// Explains a setting's value in words that fit beside a title.
    func meaning(of setting: LabSetting) -> String {
        switch setting {
        case .group: "the group that this form is about"
        case .section:
            mappings.isDynamicSection(forGroup: group)
                ? "goes away while it shows no rows" : "stays when it shows no rows"
        case .order: mappings.isReversed(forGroup: group) ? "the view's last row first" : "the view's first row first"
        case .range:
            switch range {
            case nil: "the whole group"
            case let range? where range.isFixedRange: "places stay, rows pass through"
            default: "rows stay, the window moves along"
            }
        case .length: "rows in the window"
        case .offset: "rows between that end and the window"
        case .pin: "the end from which it is counted"
        case .least: "with fewer it takes in more rows"
        case .most: "with more, rows leave at the far end"
        case .growth: "where new rows join it"
        case .dependencies: "rows whose change redraws this one"
        case .isShown: isShown ? "the group has its section" : "the group is left out"
        case .place: "sections are in this order"
        case .allSections:
            mappings.isDynamicSectionForAllGroups ? "all go away while empty" : "as it is set for each group"
        case .consolidation: "few rows in all make one section"
        case .groups:
            switch groups {
            case .list: "these, with rows or without"
            case .dynamic(nil, _): "they come and go with their rows"
            case .dynamic: "those of them that have rows"
            }
        case .sorting: "the order of groups that come and go"
        }
    }
}
