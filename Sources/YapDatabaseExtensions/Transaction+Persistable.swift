import YapDatabase

extension YapDatabaseReadTransaction {
    /// Reads the value at an index, nil when there is none.
    ///
    /// - Throws: ``YapDatabaseError`` when the file cannot be read, and with code `.decodingFailed` when the row does
    ///   not hold the type.
    public func readAtIndex<Item: Persistable>(_ index: YapDB.Index) throws -> Item? {
        guard let object = try object(forKey: index.key, inCollection: index.collection) else { return nil }
        return try typed(object, index)
    }

    /// Reads the value under a key, nil when there is none.
    public func readByKey<Item: Persistable>(_ key: String) throws -> Item? {
        try readAtIndex(YapDB.Index(collection: Item.collection, key: key))
    }

    /// Reads the values under `keys`, in their order, without those that do not exist.
    public func readByKeys<Item: Persistable>(_ keys: [String]) throws -> [Item] {
        try keys.compactMap { try readByKey($0) }
    }

    /// Reads all values of the type, in the order of their keys. Decodes all of them.
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
    /// Stores a value under its key and replaces a value that is already there.
    public func write<Item: Persistable>(_ item: Item) throws {
        try setObject(item, forKey: item.key, inCollection: Item.collection)
    }

    /// Stores values under their keys.
    public func write<Item: Persistable>(_ items: [Item]) throws {
        for item in items { try write(item) }
    }

    /// Removes a value. Does nothing if it is not stored.
    public func remove<Item: Persistable>(_ item: Item) throws {
        try removeObject(forKey: item.key, inCollection: Item.collection)
    }
}
