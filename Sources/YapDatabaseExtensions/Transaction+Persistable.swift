import YapDatabase

extension YapDatabaseReadTransaction {
    /// The value that is stored at an index, nil when there is none.
    ///
    /// - Throws: ``YapDatabaseError`` when the file cannot be read, and with code `.decodingFailed` when the row holds
    ///   something else than the type.
    public func readAtIndex<Item: Persistable>(_ index: YapDB.Index) throws -> Item? {
        guard let object = try object(forKey: index.key, inCollection: index.collection) else { return nil }
        return try typed(object, index)
    }

    /// The value under a key, nil when there is none.
    public func readByKey<Item: Persistable>(_ key: String) throws -> Item? {
        try readAtIndex(YapDB.Index(collection: Item.collection, key: key))
    }

    /// The values that exist, in the order of the keys asked for.
    public func readByKeys<Item: Persistable>(_ keys: [String]) throws -> [Item] {
        try keys.compactMap { try readByKey($0) }
    }

    /// Every value of the type, in the order of their keys. Decodes all of them.
    public func readAll<Item: Persistable>() throws -> [Item] {
        try allKeys(inCollection: Item.collection).sorted().compactMap { try readByKey($0) }
    }

    private func typed<Item: Persistable>(_ object: Any, _ index: YapDB.Index) throws -> Item {
        guard let item = object as? Item else {
            throw YapDatabaseError(
                .decodingFailed,
                "\(index) holds a \(type(of: object)), not a \(Item.self). Call registerPersistable before reading.")
        }
        return item
    }
}

extension YapDatabaseReadWriteTransaction {
    /// Stores a value in its place, over the one that is there.
    public func write<Item: Persistable>(_ item: Item) throws {
        try setObject(item, forKey: item.key, inCollection: Item.collection)
    }

    /// Stores values in their places.
    public func write<Item: Persistable>(_ items: [Item]) throws {
        for item in items { try write(item) }
    }

    /// Removes a value. Does nothing when it is not there.
    public func remove<Item: Persistable>(_ item: Item) throws {
        try removeObject(forKey: item.key, inCollection: Item.collection)
    }
}
