import LiveTable

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
