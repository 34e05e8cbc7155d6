/// The object of a row: its place in the view, and a text that may change without moving it.
package struct LabRow: Hashable, Codable, Sendable {
    /// Nil if it is not in the view.
    package var group: String?
    package var sort: Int
    package var text: String
    /// The key of another row, which it names.
    package var other: String?
    /// The tags of the row. A row with several tags is in several groups.
    package var tags: [String]?

    package init(group: String? = nil, sort: Int, text: String, other: String? = nil, tags: [String]? = nil) {
        self.group = group
        self.sort = sort
        self.text = text
        self.other = other
        self.tags = tags
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
        other = try fields.optional("other")
        tags = try fields.optional("tags")
    }

    package var json: JSON { .object(members) }

    package var members: [JSON.Member] {
        let always = [
            JSON.Member("group", group?.json ?? .null), JSON.Member("sort", sort.json), JSON.Member("text", text.json),
        ]
        let related = [other.map { JSON.Member("other", $0.json) }, tags.map { JSON.Member("tags", $0.json) }]
        return always + related.compactMap(\.self)
    }
}
