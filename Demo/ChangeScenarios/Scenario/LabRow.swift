/// The object of a row: its place in the view, and a text that may change without moving it.
package struct LabRow: Hashable, Sendable {
    /// Nil if it is not in the view.
    package var group: String?
    package var sort: Int
    package var text: String

    package init(group: String? = nil, sort: Int, text: String) {
        self.group = group
        self.sort = sort
        self.text = text
    }
}

extension LabRow: ScenarioValue {
    package static let shape = "an object with group, sort and text"

    package init(json: JSON) throws(ScenarioError) {
        try self.init(Fields(json))
    }

    package init(_ fields: Fields) throws(ScenarioError) {
        group = try fields.optional("group")
        sort = try fields.required("sort")
        text = try fields.required("text")
    }

    package var json: JSON { .object(members) }

    package var members: [JSON.Member] {
        [
            JSON.Member("group", group?.json ?? .null), JSON.Member("sort", sort.json), JSON.Member("text", text.json),
        ]
    }
}
