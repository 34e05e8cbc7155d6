import YapDatabase

// Each call is a transaction of its own.
extension YapDatabaseConnection {
    /// Reads the value under a key, nil when there is none.
    public func readByKey<Item: Persistable>(_ key: String) throws -> Item? {
        try read { try $0.readByKey(key) }
    }

    /// Reads the values under `keys`, in their order, without those that do not exist.
    public func readByKeys<Item: Persistable>(_ keys: [String]) throws -> [Item] {
        try read { try $0.readByKeys(keys) }
    }

    /// Reads all values of the type, in the order of their keys. Decodes all of them.
    public func readAll<Item: Persistable>() throws -> [Item] {
        try read { try $0.readAll() }
    }

    /// Stores a value under its key and replaces a value that is already there.
    public func write<Item: Persistable>(_ item: Item) throws {
        try readWrite { try $0.write(item) }
    }

    /// Stores values under their keys in one commit.
    public func write<Item: Persistable>(_ items: [Item]) throws {
        try readWrite { try $0.write(items) }
    }

    /// Removes a value. Does nothing if it is not stored.
    public func remove<Item: Persistable>(_ item: Item) throws {
        try readWrite { try $0.remove(item) }
    }
}
