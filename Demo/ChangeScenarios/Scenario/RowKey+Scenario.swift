import YapDatabase

extension RowKey {
    /// The collection of rows without an explicit one.
    static let defaultCollection = "c"
    /// The collection of the rows that others name.
    static let othersCollection = "others"

    /// The row's name in scenarios and results: its key alone in the default collection, and in a list over related rows.
    package var scenarioName: String {
        if let list = LabListName(ofRows: collection) { return list.name(ofRow: key) }
        return collection == Self.defaultCollection ? key : "\(collection)/\(key)"
    }

    package init(_ fields: Fields) throws(ScenarioError) {
        self.init(collection: try Self.collection(fields), key: try fields.required("key"))
    }

    package static func collection(_ fields: Fields) throws(ScenarioError) -> String {
        try fields.optional("collection") ?? defaultCollection
    }

    package var members: [JSON.Member] { Self.members(collection) + [JSON.Member("key", key.json)] }

    /// Returns the collection as a member, unless it is the default one.
    package static func members(_ collection: String) -> [JSON.Member] {
        collection == defaultCollection ? [] : [JSON.Member("collection", collection.json)]
    }
}

extension RowKey {
    /// Reads a name of the form of `scenarioName`. A key with a slash in the default collection is ambiguous; scenarios
    /// with expected answers have none.
    package init(scenarioName name: String) {
        let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        self = parts.count == 2 ? RowKey(collection: parts[0], key: parts[1]) : .lab(name)
    }

    /// Returns the row of this key in the default collection.
    package static func lab(_ key: String) -> RowKey { RowKey(collection: defaultCollection, key: key) }
}
