/// The object of a row: its place in the view, and a text that may change without moving it.
struct LabRow: Hashable, Sendable {
    /// Nil if it is not in the view.
    var group: String?
    var sort: Int
    var text: String
}

extension LabRow: ScenarioValue {
    static let shape = "an object with group, sort and text"

    init(json: JSON) throws(ScenarioError) {
        try self.init(Fields(json))
    }

    init(_ fields: Fields) throws(ScenarioError) {
        group = try fields.optional("group")
        sort = try fields.required("sort")
        text = try fields.required("text")
    }

    var json: JSON { .object(members) }

    var members: [JSON.Member] {
        [
            JSON.Member("group", group?.json ?? .null), JSON.Member("sort", sort.json), JSON.Member("text", text.json),
        ]
    }
}
