/// Where the collections of an extension are stored: ``CollectionRule``.
extension Store {
    private static let collectionsKey = "collections"

    /// Stores the rule; nil removes it. Writes nothing if it is there already.
    package func setCollectionRule(_ rule: CollectionRule?, ofExtension name: String) throws {
        try setYapText(rule?.text, extension: name, key: Self.collectionsKey)
    }

    /// Whether an extension derives rows from others, or has such rows.
    package func hasDerivedRows(extension name: String) throws -> Bool {
        guard let entry = try registeredExtension(name)?.withoutStaleMark else { return false }
        if TableOwner.Kind.derived.classes.contains(entry.className) { return true }
        let rule = try collectionRule(ofExtension: name, tag: entry.versionTag)
        return rule?.only?.contains { RowTable.isDerived($0) } ?? false
    }

    /// Whether an extension says that it has no rows of a collection; nil for all collections.
    package func excludes(_ collection: String?, extension name: String) throws -> Bool {
        guard let collection, let tag = try registeredExtension(name)?.withoutStaleMark.versionTag else { return false }
        return try collectionRule(ofExtension: name, tag: tag)?.allows(collection) == false
    }

    /// - Parameter tag: the version tag of the extension's content.
    func collectionRule(ofExtension name: String, tag: String) throws -> CollectionRule? {
        guard let text = try yapText(extension: name, key: Self.collectionsKey) else { return nil }
        if let known = collectionRules[name], known.text == text, known.tag == tag { return known.rule }
        let rule = CollectionRule(text, tag: tag)
        collectionRules[name] = (text, tag, rule)
        return rule
    }
}
