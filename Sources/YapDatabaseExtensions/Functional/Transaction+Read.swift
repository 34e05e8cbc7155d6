import YapDatabase

/// Reads items of a ``Persistable`` type, with their metadata.
///
/// Functions throw `YapDatabaseError` if the file cannot be read, with code `decodingFailed` if a row does not hold the type.
extension YapDatabaseReadTransaction {
    /// Reads the item at an index; nil if there is none.
    ///
    /// ```swift
    /// let dune: Book? = try transaction.readAtIndex(YapDB.Index(collection: "books", key: "dune"))
    /// let some: [Book] = try transaction.readByKeys(["dune", "solaris"])
    /// let all: [Book] = try transaction.readAll()
    /// ```
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func readAtIndex<Item: Persistable>(_ index: YapDB.Index) throws -> Item? {
        Item.useCodings(in: .transaction(self))
        return try item(at: index)
    }

    /// Reads the items at indexes, in their order, without those that do not exist.
    ///
    /// Example: ``readAtIndex(_:)``.
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func readAtIndexes<Item: Persistable>(_ indexes: some Sequence<YapDB.Index>) throws -> [Item] {
        Item.useCodings(in: .transaction(self))
        return try indexes.compactMap { try item(at: $0) }
    }

    /// Reads the item with a key; nil if there is none.
    ///
    /// ```swift
    /// let dune: Book? = try transaction.readByKey("dune")
    /// ```
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func readByKey<Item: Persistable>(_ key: String) throws -> Item? {
        try readAtIndex(Item.indexWithKey(key))
    }

    /// Reads the items with these keys, in their order, each once, without those that do not exist.
    ///
    /// Example: ``readAtIndex(_:)``.
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func readByKeys<Item: Persistable>(_ keys: some Sequence<String>) throws -> [Item] {
        try readAtIndexes(Item.indexesWithKeys(keys))
    }

    /// Reads all items of the type, in the order of their keys' bytes, or of the numbers where these are the identifiers. O(items): decodes
    /// all of them.
    ///
    /// Example: ``readAtIndex(_:)``.
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func readAll<Item: Persistable>() throws -> [Item] {
        Item.useCodings(in: .transaction(self))
        var items: [Item] = []
        try iterateRows(inCollection: Item.collection) { key, object, metadata, _ in
            items.append(try Item.item(object, metadata, at: Item.indexWithKey(key)))
        }
        if let type = Item.IdentifierType.self as? any BinaryInteger.Type { items.sort(byIdentifiersOf: type) }
        return items
    }

    private func item<Item: Persistable>(at index: YapDB.Index) throws -> Item? {
        if Item.MetadataType.self == Void.self {
            return try object(forKey: index.key, inCollection: index.collection).map {
                try Item.item($0, nil, at: index)
            }
        }
        return try row(forKey: index.key, inCollection: index.collection).map {
            try Item.item($0.object, $0.metadata, at: index)
        }
    }
}

/// Reads metadata without its items.
extension YapDatabaseReadTransaction {
    /// Reads the metadata at an index; nil if there is none, or no row.
    ///
    /// Metadata that is `Codable` is read once its items' type is known: `Item.read(transaction).metadataAtIndex(index)` makes it
    /// known, and so does `YapDatabase.registerPersistable(_:)`.
    ///
    /// ```swift
    /// let date: Date? = try transaction.readMetadataAtIndex(YapDB.Index(collection: "books", key: "dune"))
    /// ```
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func readMetadataAtIndex<Metadata>(_ index: YapDB.Index) throws -> Metadata? {
        ArchivedClasses.add(Metadata.self)
        guard Metadata.self != Void.self,
            let stored = try metadata(forKey: index.key, inCollection: index.collection)
        else { return nil }
        return try typed(stored as? Metadata ?? (stored as? any CodingType)?.value, stored, "metadata", index)
    }

    /// Reads the metadata at indexes, in their order, without what does not exist.
    ///
    /// Example: ``readMetadataAtIndex(_:)``.
    ///
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func readMetadataAtIndexes<Metadata>(_ indexes: some Sequence<YapDB.Index>) throws -> [Metadata] {
        try indexes.compactMap { try readMetadataAtIndex($0) }
    }
}

extension Persistable {
    /// The item of a row.
    static func item(_ object: Any, _ metadata: Any?, at index: YapDB.Index) throws -> Self {
        var item: Self = try typed(objectCoding.value(object), object, "object", index)
        if MetadataType.self != Void.self {
            item.metadata = try metadata.map { try typed(metadataCoding.value($0), $0, "metadata", index) }
        }
        return item
    }
}

private func typed<Value>(_ value: Any?, _ stored: Any, _ what: String, _ index: YapDB.Index) throws -> Value {
    if let value = value as? Value { return value }
    throw YapDatabaseError(
        .decodingFailed,
        "The \(what) of \(index) is a \(type(of: stored)), which is not how a \(Value.self) is stored. Another type was written there."
    )
}

extension Array where Element: Persistable {
    fileprivate mutating func sort<Number: BinaryInteger>(byIdentifiersOf type: Number.Type) {
        func number(_ item: Element) -> Number {
            guard let number = item.identifier as? Number else { fatalError("An identifier is of its own type.") }
            return number
        }
        sort { number($0) < number($1) }
    }
}
