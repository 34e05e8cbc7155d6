import Dispatch
import YapDatabase

/// Removals with a completion block. Queue, block and errors are those of `asyncWrite`.
extension YapDatabaseConnection {
    /// Removes an item, later. Does nothing if it is not stored.
    ///
    /// ```swift
    /// connection.asyncRemove(book) { result in print(result) }
    /// ```
    ///
    /// - Parameters:
    ///   - item: the item, which must not be changed any more.
    ///   - queue: where the block runs.
    ///   - completion: receives the result, on `queue`. Without a block an error goes to `YapDatabaseOptions.asyncErrorHandler`.
    public func asyncRemove<Item: Persistable>(
        _ item: Item, queue: DispatchQueue = .main, completion: (@Sendable (Result<Void, any Error>) -> Void)? = nil
    ) {
        let index = item.index
        asyncWrite({ try $0.removeAtIndex(index) }, queue: queue, completion: completion)
    }

    /// Removes an item, later. Does nothing if it is not stored.
    /// - Parameters:
    ///   - item: the item, which must not be changed any more.
    ///   - queue: where the block runs.
    ///   - completion: called on `queue`, also after an error, which goes to `YapDatabaseOptions.asyncErrorHandler`.
    public func asyncRemove<Item: Persistable>(
        _ item: Item, queue: DispatchQueue = .main, completion: @escaping @Sendable () -> Void
    ) {
        let index = item.index
        asyncWrite({ try $0.removeAtIndex(index) }, queue: queue, completion: completion)
    }

    /// Removes items in one commit, later. Those that are not stored are ignored.
    /// - Parameters:
    ///   - items: the items, which must not be changed any more.
    ///   - queue: where the block runs.
    ///   - completion: receives the result, on `queue`. Without a block an error goes to `YapDatabaseOptions.asyncErrorHandler`.
    public func asyncRemove<Items: Sequence>(
        _ items: Items, queue: DispatchQueue = .main, completion: (@Sendable (Result<Void, any Error>) -> Void)? = nil
    ) where Items.Element: Persistable {
        let indexes = items.map(\.index)
        asyncWrite({ try $0.removeAtIndexes(indexes) }, queue: queue, completion: completion)
    }

    /// Removes items in one commit, later. Those that are not stored are ignored.
    /// - Parameters:
    ///   - items: the items, which must not be changed any more.
    ///   - queue: where the block runs.
    ///   - completion: called on `queue`, also after an error, which goes to `YapDatabaseOptions.asyncErrorHandler`.
    public func asyncRemove<Items: Sequence>(
        _ items: Items, queue: DispatchQueue = .main, completion: @escaping @Sendable () -> Void
    ) where Items.Element: Persistable {
        let indexes = items.map(\.index)
        asyncWrite({ try $0.removeAtIndexes(indexes) }, queue: queue, completion: completion)
    }
}
