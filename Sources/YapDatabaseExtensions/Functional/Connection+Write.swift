import YapDatabase

/// The functions of a transaction; each call is a read-write transaction, which blocks the calling thread.
extension YapDatabaseConnection {
    /// Reads and writes in one transaction, and returns what the closure returns: the same as `readWrite`.
    @discardableResult
    public func write<Value>(_ body: (YapDatabaseReadWriteTransaction) throws -> Value) throws -> Value {
        try readWrite(body)
    }

    /// Stores an item and its metadata under its key, and replaces one that is already there.
    /// - Returns: the item.
    @discardableResult
    public func write<Item: Persistable>(_ item: Item) throws -> Item {
        try readWrite { try $0.write(item) }
    }

    /// Stores items under their keys in one commit.
    /// - Returns: the items.
    @discardableResult
    public func write<Items: Sequence>(_ items: Items) throws -> [Items.Element] where Items.Element: Persistable {
        try readWrite { try $0.write(items) }
    }

    /// Removes an item. Does nothing if it is not stored.
    public func remove<Item: Persistable>(_ item: Item) throws {
        try readWrite { try $0.remove(item) }
    }

    /// Removes items in one commit. Those that are not stored are ignored.
    public func remove<Items: Sequence>(_ items: Items) throws where Items.Element: Persistable {
        try readWrite { try $0.remove(items) }
    }
}
