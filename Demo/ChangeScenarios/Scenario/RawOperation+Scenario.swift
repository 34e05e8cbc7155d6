import YapDatabase

extension RawOperation: ScenarioValue {
    private enum Verb: String, ScenarioWord {
        case insertRow, deleteRow, updateRow, insertSection, deleteSection, resetSection
    }

    package static let shape = "an object with op and group"

    package init(json: JSON) throws(ScenarioError) {
        let fields = try Fields(json)
        let verb = try fields.required("op", Verb.self)
        let group: String = try fields.required("group")
        switch verb {
        case .insertRow:
            self = .insertRow(group: group, index: try fields.required("index", atLeast: 0), key: try RowKey(fields))
        case .deleteRow:
            self = .deleteRow(group: group, index: try fields.required("index", atLeast: 0), key: try RowKey(fields))
        case .updateRow:
            self = .updateRow(
                group: group, index: try fields.required("index", atLeast: 0), key: try RowKey(fields),
                flags: ChangeFlags(try fields.required("changes", [ChangeWord].self)))
        case .insertSection: self = .insertSection(group: group)
        case .deleteSection: self = .deleteSection(group: group)
        case .resetSection: self = .resetSection(group: group)
        }
    }

    package var json: JSON {
        switch self {
        case .insertRow(let group, let index, let key): row(.insertRow, group, index, key)
        case .deleteRow(let group, let index, let key): row(.deleteRow, group, index, key)
        case .updateRow(let group, let index, let key, let flags):
            row(.updateRow, group, index, key, [JSON.Member("changes", flags.words.json)])
        case .insertSection(let group): section(.insertSection, group)
        case .deleteSection(let group): section(.deleteSection, group)
        case .resetSection(let group): section(.resetSection, group)
        }
    }

    private func row(
        _ verb: Verb, _ group: String, _ index: Int, _ key: RowKey, _ more: [JSON.Member] = []
    ) -> JSON {
        let place = [JSON.Member("op", verb.json), JSON.Member("group", group.json), JSON.Member("index", index.json)]
        return .object(place + key.members + more)
    }

    private func section(_ verb: Verb, _ group: String) -> JSON {
        .object([JSON.Member("op", verb.json), JSON.Member("group", group.json)])
    }
}
