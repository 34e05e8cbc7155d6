import YapDatabase

// One transaction each.
extension YapDatabaseConnection {
    /// The value under a key, nil when there is none.
    public func readByKey<Item: Persistable>(_ key: String) throws -> Item? {
        try read { try $0.readByKey(key) }
    }

    /// The values that exist, in the order of the keys asked for.
    public func readByKeys<Item: Persistable>(_ keys: [String]) throws -> [Item] {
        try read { try $0.readByKeys(keys) }
    }

    /// Every value of the type, in the order of their keys.
    public func readAll<Item: Persistable>() throws -> [Item] {
        try read { try $0.readAll() }
    }

    /// Stores a value in its place, over the one that is there.
    public func write<Item: Persistable>(_ item: Item) throws {
        try readWrite { try $0.write(item) }
    }

    /// Stores values in their places, all in one commit.
    public func write<Item: Persistable>(_ items: [Item]) throws {
        try readWrite { try $0.write(items) }
    }

    /// Removes a value. Does nothing when it is not there.
    public func remove<Item: Persistable>(_ item: Item) throws {
        try readWrite { try $0.remove(item) }
    }
}
