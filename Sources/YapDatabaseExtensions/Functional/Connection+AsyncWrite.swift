import Dispatch
import YapDatabase

/// Writes with a completion block, which runs on a queue: the main queue if no other is given.
///
/// The first form of each receives the result. Without a block an error goes to `YapDatabaseOptions.asyncErrorHandler`; so it does
/// in the form whose block receives nothing, which is called anyway. An item must not be changed any more once it is given away.
extension YapDatabaseConnection {
    /// Stores an item and its metadata, later.
    ///
    /// ```swift
    /// connection.asyncWrite(book) { (result: Result<Book, any Error>) in print(result) }
    /// ```
    ///
    /// - Parameters:
    ///   - item: the item, which must not be changed any more.
    ///   - queue: where the block runs.
    ///   - completion: receives the result, on `queue`. Without a block an error goes to `YapDatabaseOptions.asyncErrorHandler`.
    public func asyncWrite<Item: Persistable>(
        _ item: Item, queue: DispatchQueue = .main,
        completion: (@Sendable (Result<Item, any Error>) -> Void)? = nil
    ) {
        let sent = UncheckedSendable(item)
        asyncSend(queue, completion) { try $0.write(sent.value) }
    }

    /// Stores an item and its metadata, later.
    /// - Parameters:
    ///   - item: the item, which must not be changed any more.
    ///   - queue: where the block runs.
    ///   - completion: called on `queue`, also after an error, which goes to `YapDatabaseOptions.asyncErrorHandler`.
    public func asyncWrite<Item: Persistable>(
        _ item: Item, queue: DispatchQueue = .main, completion: @escaping @Sendable () -> Void
    ) {
        let sent = UncheckedSendable(item)
        asyncWrite({ try $0.write(sent.value) }, queue: queue, completion: completion)
    }

    /// Stores items in one commit, later.
    /// - Parameters:
    ///   - items: the items, which must not be changed any more.
    ///   - queue: where the block runs.
    ///   - completion: receives the result, on `queue`. Without a block an error goes to `YapDatabaseOptions.asyncErrorHandler`.
    public func asyncWrite<Items: Sequence>(
        _ items: Items, queue: DispatchQueue = .main,
        completion: (@Sendable (Result<[Items.Element], any Error>) -> Void)? = nil
    ) where Items.Element: Persistable {
        let sent = UncheckedSendable(Array(items))
        asyncSend(queue, completion) { try $0.write(sent.value) }
    }

    /// Stores items in one commit, later.
    /// - Parameters:
    ///   - items: the items, which must not be changed any more.
    ///   - queue: where the block runs.
    ///   - completion: called on `queue`, also after an error, which goes to `YapDatabaseOptions.asyncErrorHandler`.
    public func asyncWrite<Items: Sequence>(
        _ items: Items, queue: DispatchQueue = .main, completion: @escaping @Sendable () -> Void
    ) where Items.Element: Persistable {
        let sent = UncheckedSendable(Array(items))
        asyncWrite({ try $0.write(sent.value) }, queue: queue, completion: completion)
    }

    /// Reads and writes in one transaction, later.
    /// - Parameters:
    ///   - body: runs on the connection's queue.
    ///   - queue: where the block runs.
    ///   - completion: receives the result, on `queue`. Without a block an error goes to `YapDatabaseOptions.asyncErrorHandler`.
    public func asyncWrite<Value: Sendable>(
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Value, queue: DispatchQueue = .main,
        completion: (@Sendable (Result<Value, any Error>) -> Void)? = nil
    ) {
        asyncReadWrite(body, completionQueue: queue, completionBlock: completion)
    }

    /// Reads and writes in one transaction, later.
    /// - Parameters:
    ///   - body: runs on the connection's queue.
    ///   - queue: where the block runs.
    ///   - completion: called on `queue`, also after an error, which goes to `YapDatabaseOptions.asyncErrorHandler`.
    public func asyncWrite(
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Void, queue: DispatchQueue = .main,
        completion: @escaping @Sendable () -> Void
    ) {
        asyncReadWrite(body, completionQueue: queue, completionBlock: completion)
    }

    private func asyncSend<Value>(
        _ queue: DispatchQueue, _ completion: (@Sendable (Result<Value, any Error>) -> Void)?,
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Value
    ) {
        let sent: (@Sendable (YapDatabaseReadWriteTransaction) throws -> UncheckedSendable<Value>) = {
            UncheckedSendable(try body($0))
        }
        guard let completion else { return asyncReadWrite(sent, completionQueue: queue) }
        asyncReadWrite(sent, completionQueue: queue) { (result: Result<UncheckedSendable<Value>, any Error>) in
            completion(result.map { $0.value })
        }
    }
}
