import LiveTable

extension RowKey {
    /// The collection of rows for which a scenario names none.
    static let defaultCollection = "c"

    /// How scenarios and results name the row: by its key alone in the default collection.
    var scenarioName: String { collection == Self.defaultCollection ? key : "\(collection)/\(key)" }

    init(_ fields: Fields) throws(ScenarioError) {
        self.init(collection: try Self.collection(fields), key: try fields.required("key"))
    }

    static func collection(_ fields: Fields) throws(ScenarioError) -> String {
        try fields.optional("collection") ?? defaultCollection
    }

    var members: [JSON.Member] { Self.members(collection) + [JSON.Member("key", key.json)] }

    /// The collection, if it has to be named.
    static func members(_ collection: String) -> [JSON.Member] {
        collection == defaultCollection ? [] : [JSON.Member("collection", collection.json)]
    }
}
