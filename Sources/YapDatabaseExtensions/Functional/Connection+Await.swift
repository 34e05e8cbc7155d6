import YapDatabase

/// Writes and removals that are awaited, without blocking a thread. A task that is cancelled before the transaction begins throws
/// `CancellationError`; a transaction that has begun completes. An item must not be changed any more once it is given away.
extension YapDatabaseConnection {
    /// Stores an item and its metadata.
    /// - Returns: the item.
    /// - Throws: `YapDatabaseError` with code `encodingFailed` or `valueTooLarge` if an item cannot be stored; otherwise as
    ///   `YapDatabaseConnection.readWrite`: `closed`, `locked`, `diskFull` and the like. `CancellationError` if the task was cancelled
    ///   before the transaction began.
    @discardableResult
    public func asyncWrite<Item: Persistable>(_ item: Item) async throws -> Item {
        let sent = UncheckedSendable(item)
        return try await readWrite { UncheckedSendable(try $0.write(sent.value)) }.value
    }

    /// Stores items in one commit.
    /// - Returns: the items.
    /// - Throws: `YapDatabaseError` with code `encodingFailed` or `valueTooLarge` if an item cannot be stored; otherwise as
    ///   `YapDatabaseConnection.readWrite`: `closed`, `locked`, `diskFull` and the like. `CancellationError` if the task was cancelled
    ///   before the transaction began.
    @discardableResult
    public func asyncWrite<Items: Sequence>(_ items: Items) async throws -> [Items.Element]
    where Items.Element: Persistable {
        let sent = UncheckedSendable(Array(items))
        return try await readWrite { UncheckedSendable(try $0.write(sent.value)) }.value
    }

    /// Reads and writes in one transaction, and returns what the closure returns: the same as the async `readWrite`.
    ///
    /// The closure runs on the connection's queue.
    ///
    /// - Throws: what the closure throws, `CancellationError`, and `YapDatabaseError` as `YapDatabaseConnection.readWrite`: with code
    ///   `closed`, `locked`, `diskFull` and the like.
    @discardableResult
    public func asyncWrite<Value>(
        _ body: sending @escaping (YapDatabaseReadWriteTransaction) throws -> sending Value
    ) async throws -> sending Value {
        try await readWrite(body)
    }

    /// Removes an item. Does nothing if it is not stored.
    /// - Throws: `YapDatabaseError` as `YapDatabaseConnection.readWrite`: with code `closed`, `locked`, `diskFull` and the like.
    ///   `CancellationError` if the task was cancelled before the transaction began.
    public func asyncRemove<Item: Persistable>(_ item: Item) async throws {
        let index = item.index
        try await readWrite { try $0.removeAtIndex(index) }
    }

    /// Removes items in one commit. Those that are not stored are ignored.
    /// - Throws: `YapDatabaseError` as `YapDatabaseConnection.readWrite`: with code `closed`, `locked`, `diskFull` and the like.
    ///   `CancellationError` if the task was cancelled before the transaction began.
    public func asyncRemove<Items: Sequence>(_ items: Items) async throws where Items.Element: Persistable {
        let indexes = items.map(\.index)
        try await readWrite { try $0.removeAtIndexes(indexes) }
    }
}
