/// How the mappings of a scenario are created and configured.
package struct MappingsSetup: Hashable, Sendable {
    /// The groups of the view that are shown, and their order.
    package enum Groups: Hashable, Sendable {
        case list([String])
        /// The groups that the view has at each moment, sorted by name; a filter, if any, selects among them.
        case dynamic(filter: [String]?, order: Order)
    }

    package enum Order: String, ScenarioWord {
        case ascending = "asc"
        case descending = "desc"
    }

    package var groups: Groups
    package var config: [MappingsCall] = []
    /// Whether the calls come after the first update instead of before it.
    package var configAfterUpdate = false

    package init(groups: Groups, config: [MappingsCall] = [], configAfterUpdate: Bool = false) {
        self.groups = groups
        self.config = config
        self.configAfterUpdate = configAfterUpdate
    }
}

extension MappingsSetup.Groups {
    /// Returns the groups shown of a view that has these; nil for a fixed list, which does not depend on the view.
    package func choose(from groups: some Sequence<String>) -> [String]? {
        guard case .dynamic(let filter, let order) = self else { return nil }
        let chosen = groups.filter { filter?.contains($0) ?? true }
        return chosen.sorted { order == .ascending ? $0 < $1 : $1 < $0 }
    }
}

extension MappingsSetup: ScenarioValue {
    package static let shape = "an object with groups and config"

    package init(json: JSON) throws(ScenarioError) {
        let fields = try Fields(json)
        if try fields.optional("dynamicGroups") ?? false {
            groups = .dynamic(
                filter: try fields.optional("groups"), order: try fields.optional("groupSort") ?? .ascending)
        } else {
            groups = .list(try fields.required("groups"))
        }
        config = try fields.optional("config") ?? []
        configAfterUpdate = try fields.optional("configAfterUpdate") ?? false
    }

    package var json: JSON {
        let (names, order): ([String]?, Order?) =
            switch groups {
            case .list(let names): (names, nil)
            case .dynamic(let filter, let order): (filter, order)
            }
        return .object(
            ("groups", names?.json), ("dynamicGroups", order.map { _ in true }), ("groupSort", order?.json),
            ("config", config.json), ("configAfterUpdate", configAfterUpdate ? true : nil))
    }
}

extension MappingsSetup {
    /// The mappings as text, one line for the groups and one for each call.
    package var words: [String] {
        [groups.words] + config.map(\.words) + (configAfterUpdate ? ["all this after the first update"] : [])
    }
}

extension MappingsSetup.Groups {
    fileprivate var words: String {
        switch self {
        case .list(let names): "groups \(names.joined(separator: ", "))"
        case .dynamic(let names, let order):
            "groups as the view has them"
                + (names.map { ", out of \($0.joined(separator: ", "))" } ?? "")
                + (order == .ascending ? ", in order" : ", in reverse order")
        }
    }
}

extension MappingsCall {
    /// The call on one line: `A: fixed range of 4, offset 1 from the beginning`.
    package var words: String {
        switch self {
        case .dynamicSection(let value, let group): "\(group): \(value ? "dynamic" : "static") section"
        case .dynamicSectionAll(let value): "all groups: \(value ? "dynamic" : "static") sections"
        case .reverse(let value, let group): "\(group): \(value ? "reversed" : "not reversed")"
        case .range(let range, let group): "\(group): \(range.words)"
        case .removeRange(let group): "\(group): no range"
        case .dependencies(let offsets, let group):
            "\(group): cells depend on neighbours at \(offsets.map(String.init).joined(separator: ", "))"
        case .consolidate(let threshold, let name): "below \(threshold) rows in all: one section \"\(name)\""
        }
    }
}

extension RangeSetup {
    fileprivate var words: String {
        let limits = [
            max.map { "at most \($0)" }, min.map { "at least \($0)" }, grow.map { "grows: \($0.rawValue)" },
        ]
        let place = "\(kind.rawValue) range of \(length), offset \(offset) from the \(from.rawValue)"
        return ([place] + limits.compactMap(\.self)).joined(separator: ", ")
    }
}
