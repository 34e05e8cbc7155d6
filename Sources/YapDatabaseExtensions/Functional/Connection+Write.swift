import YapDatabase

/// The functions of a transaction; each call is a read-write transaction, which blocks the calling thread.
extension YapDatabaseConnection {
    /// Reads and writes in one transaction, and returns what the closure returns: the same as `readWrite`.
    ///
    /// The closure runs on the calling thread.
    ///
    /// - Throws: what the closure throws, and `YapDatabaseError` as `YapDatabaseConnection.readWrite`: with code `closed`, `locked`,
    ///   `diskFull` and the like.
    @available(*, noasync, message: "In async code: `try await asyncWrite(…)` or `asyncRemove(…)`.")
    @discardableResult
    public func write<Value>(_ body: (YapDatabaseReadWriteTransaction) throws -> Value) throws -> Value {
        try readWrite(body)
    }

    /// Stores an item and its metadata under its key, and replaces one that is already there.
    ///
    /// ```swift
    /// try connection.write(book)
    /// try connection.remove(book)
    /// ```
    ///
    /// - Returns: the item.
    /// - Throws: `YapDatabaseError` with code `encodingFailed` or `valueTooLarge` if an item cannot be stored; otherwise as
    ///   `YapDatabaseConnection.readWrite`: `closed`, `locked`, `diskFull` and the like.
    @available(*, noasync, message: "In async code: `try await asyncWrite(…)` or `asyncRemove(…)`.")
    @discardableResult
    public func write<Item: Persistable>(_ item: Item) throws -> Item {
        try readWrite { try $0.write(item) }
    }

    /// Stores items under their keys in one commit.
    /// - Returns: the items.
    /// - Throws: `YapDatabaseError` with code `encodingFailed` or `valueTooLarge` if an item cannot be stored; otherwise as
    ///   `YapDatabaseConnection.readWrite`: `closed`, `locked`, `diskFull` and the like.
    @available(*, noasync, message: "In async code: `try await asyncWrite(…)` or `asyncRemove(…)`.")
    @discardableResult
    public func write<Items: Sequence>(_ items: Items) throws -> [Items.Element] where Items.Element: Persistable {
        try readWrite { try $0.write(items) }
    }

    /// Removes an item. Does nothing if it is not stored.
    ///
    /// Example: `write`.
    ///
    /// - Throws: `YapDatabaseError` as `YapDatabaseConnection.readWrite`: with code `closed`, `locked`, `diskFull` and the like.
    @available(*, noasync, message: "In async code: `try await asyncWrite(…)` or `asyncRemove(…)`.")
    public func remove<Item: Persistable>(_ item: Item) throws {
        try readWrite { try $0.remove(item) }
    }

    /// Removes items in one commit. Those that are not stored are ignored.
    ///
    /// Example: `write`.
    ///
    /// - Throws: `YapDatabaseError` as `YapDatabaseConnection.readWrite`: with code `closed`, `locked`, `diskFull` and the like.
    @available(*, noasync, message: "In async code: `try await asyncWrite(…)` or `asyncRemove(…)`.")
    public func remove<Items: Sequence>(_ items: Items) throws where Items.Element: Persistable {
        try readWrite { try $0.remove(items) }
    }
}
