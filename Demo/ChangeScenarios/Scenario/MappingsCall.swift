/// One call that configures mappings.
package enum MappingsCall: Hashable, Sendable {
    case dynamicSection(Bool, group: String)
    case dynamicSectionAll(Bool)
    case reverse(Bool, group: String)
    case range(RangeSetup, group: String)
    case removeRange(group: String)
    case dependencies([Int], group: String)
    case consolidate(threshold: Int, name: String)
}

extension MappingsCall {
    /// The group that is configured; nil for a setting of all groups.
    package var group: String? {
        switch self {
        case .dynamicSection(_, let group), .reverse(_, let group), .range(_, let group), .removeRange(let group),
            .dependencies(_, let group):
            group
        case .dynamicSectionAll, .consolidate: nil
        }
    }
}

extension MappingsCall: ScenarioValue {
    private enum Verb: String, ScenarioWord {
        case dynamicSection, dynamicSectionAll, reverse, range, removeRange, dependencies, consolidate
    }

    package static let shape = "an object with do"

    package init(json: JSON) throws(ScenarioError) {
        let fields = try Fields(json)
        switch try fields.required("do", Verb.self) {
        case .dynamicSection:
            self = .dynamicSection(try fields.required("value"), group: try fields.required("group"))
        case .dynamicSectionAll: self = .dynamicSectionAll(try fields.required("value"))
        case .reverse: self = .reverse(try fields.required("value"), group: try fields.required("group"))
        case .range: self = .range(try RangeSetup(fields), group: try fields.required("group"))
        case .removeRange: self = .removeRange(group: try fields.required("group"))
        case .dependencies: self = .dependencies(try fields.required("offsets"), group: try fields.required("group"))
        case .consolidate:
            self = .consolidate(threshold: try fields.required("threshold"), name: try fields.required("name"))
        }
    }

    package var json: JSON {
        switch self {
        case .dynamicSection(let value, let group):
            call(.dynamicSection, ("group", group.json), ("value", value.json))
        case .dynamicSectionAll(let value): call(.dynamicSectionAll, ("value", value.json))
        case .reverse(let value, let group): call(.reverse, ("group", group.json), ("value", value.json))
        case .range(let range, let group): call(.range, [JSON.Member("group", group.json)] + range.members)
        case .removeRange(let group): call(.removeRange, ("group", group.json))
        case .dependencies(let offsets, let group):
            call(.dependencies, ("group", group.json), ("offsets", offsets.json))
        case .consolidate(let threshold, let name):
            call(.consolidate, ("threshold", threshold.json), ("name", name.json))
        }
    }

    private func call(_ verb: Verb, _ members: (String, JSON)...) -> JSON {
        call(verb, members.map { JSON.Member($0, $1) })
    }

    private func call(_ verb: Verb, _ members: [JSON.Member]) -> JSON {
        .object([JSON.Member("do", verb.json)] + members)
    }
}
