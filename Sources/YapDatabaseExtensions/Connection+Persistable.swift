import YapDatabase

// One transaction each.
extension YapDatabaseConnection {
    public func readByKey<Item: Persistable>(_ key: String) throws -> Item? {
        try read { try $0.readByKey(key) }
    }

    public func readByKeys<Item: Persistable>(_ keys: [String]) throws -> [Item] {
        try read { try $0.readByKeys(keys) }
    }

    public func readAll<Item: Persistable>() throws -> [Item] {
        try read { try $0.readAll() }
    }

    public func write<Item: Persistable>(_ item: Item) throws {
        try readWrite { try $0.write(item) }
    }

    public func write<Item: Persistable>(_ items: [Item]) throws {
        try readWrite { try $0.write(items) }
    }

    public func remove<Item: Persistable>(_ item: Item) throws {
        try readWrite { try $0.remove(item) }
    }
}
