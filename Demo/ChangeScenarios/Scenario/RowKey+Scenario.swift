import YapDatabase

extension RowKey {
    /// The collection of rows for which a scenario names none.
    static let defaultCollection = "c"

    /// How scenarios and results name the row: by its key alone in the default collection.
    package var scenarioName: String { collection == Self.defaultCollection ? key : "\(collection)/\(key)" }

    package init(_ fields: Fields) throws(ScenarioError) {
        self.init(collection: try Self.collection(fields), key: try fields.required("key"))
    }

    package static func collection(_ fields: Fields) throws(ScenarioError) -> String {
        try fields.optional("collection") ?? defaultCollection
    }

    package var members: [JSON.Member] { Self.members(collection) + [JSON.Member("key", key.json)] }

    /// The collection, if it has to be named.
    package static func members(_ collection: String) -> [JSON.Member] {
        collection == defaultCollection ? [] : [JSON.Member("collection", collection.json)]
    }
}

extension RowKey {
    /// Reads what `scenarioName` says. A key with a slash in the default collection is not told apart; scenarios that
    /// are answered by others have none.
    package init(scenarioName name: String) {
        let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        self = parts.count == 2 ? RowKey(collection: parts[0], key: parts[1]) : .lab(name)
    }

    /// The row of this key in the default collection.
    package static func lab(_ key: String) -> RowKey { RowKey(collection: defaultCollection, key: key) }
}
