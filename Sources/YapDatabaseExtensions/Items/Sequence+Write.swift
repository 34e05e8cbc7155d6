import Dispatch
import Foundation
import YapDatabase

/// Writes and removes all items of a sequence, in one commit. Errors are those of the functions of transactions and connections.
extension Sequence where Element: Persistable {
    /// Stores the items and their metadata, and returns them.
    /// - Throws: `YapDatabaseError` with code `encodingFailed` or `valueTooLarge`, after which the transaction may continue; `diskFull`,
    ///   `inputOutput`, `corrupt` or `badExtension`, after which it is lost.
    @discardableResult
    public func write(_ transaction: YapDatabaseReadWriteTransaction) throws -> [Element] {
        try transaction.write(self)
    }

    /// Stores the items and their metadata in a transaction of the connection, and returns them. Blocks the calling thread.
    /// - Throws: `YapDatabaseError` with code `encodingFailed` or `valueTooLarge` if an item cannot be stored; otherwise as
    ///   `YapDatabaseConnection.readWrite`: `closed`, `locked`, `diskFull` and the like.
    @available(*, noasync, message: "In async code: `try await asyncWrite(connection)` or `asyncRemove(connection)`.")
    @discardableResult
    public func write(_ connection: YapDatabaseConnection) throws -> [Element] { try connection.write(self) }

    /// The same as ``writeOperation(_:)``: `let write: Operation = items.write(connection)`.
    /// - Parameters:
    ///   - connection: the connection that writes.
    ///   - qualityOfService: that of the operation.
    public func write(
        _ connection: YapDatabaseConnection, qualityOfService: QualityOfService = .default
    ) -> YapDB.TransactionOperation {
        let operation = writeOperation(connection)
        operation.qualityOfService = qualityOfService
        return operation
    }

    /// Returns an operation that stores the items and their metadata. The items must not be changed any more.
    public func writeOperation(_ connection: YapDatabaseConnection) -> YapDB.TransactionOperation {
        let items = Array(self)
        return YapDB.TransactionOperation(connection) { try $0.write(items) }
    }

    /// Stores the items and their metadata, later. The block receives the items, also if they could not be stored: then the error goes to
    /// `YapDatabaseOptions.asyncErrorHandler`. The connection's function has a block that receives the error.
    ///
    /// - Parameters:
    ///   - connection: the connection that writes.
    ///   - queue: where the block runs.
    ///   - completion: receives the items on `queue`, also after an error.
    public func asyncWrite(
        _ connection: YapDatabaseConnection, queue: DispatchQueue = .main,
        completion: (@Sendable (_ written: [Element]) -> Void)? = nil
    ) {
        let sent = UncheckedSendable(Array(self))
        connection.asyncWrite(sent.value, queue: queue) { completion?(sent.value) }
    }

    /// Stores the items and their metadata, without blocking a thread, and returns them.
    /// - Throws: `YapDatabaseError` with code `encodingFailed` or `valueTooLarge` if an item cannot be stored; otherwise as
    ///   `YapDatabaseConnection.readWrite`: `closed`, `locked`, `diskFull` and the like. `CancellationError` too.
    @discardableResult
    public func asyncWrite(_ connection: YapDatabaseConnection) async throws -> [Element] {
        try await connection.asyncWrite(self)
    }

    /// Removes the items. Does nothing for those that are not stored.
    /// - Throws: `YapDatabaseError` with code `diskFull`, `inputOutput`, `corrupt` or `badExtension`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before.
    public func remove(_ transaction: YapDatabaseReadWriteTransaction) throws { try transaction.remove(self) }

    /// Removes the items in a transaction of the connection. Blocks the calling thread.
    /// - Throws: `YapDatabaseError` as `YapDatabaseConnection.readWrite`: with code `closed`, `locked`, `diskFull` and the like.
    @available(*, noasync, message: "In async code: `try await asyncWrite(connection)` or `asyncRemove(connection)`.")
    public func remove(_ connection: YapDatabaseConnection) throws { try connection.remove(self) }

    /// Returns an operation that removes the items.
    public func removeOperation(_ connection: YapDatabaseConnection) -> YapDB.TransactionOperation {
        let indexes = map(\.index)
        return connection.writeBlockOperation { try $0.removeAtIndexes(indexes) }
    }

    /// Removes the items, later. The block receives the error, if there is one.
    /// - Parameters:
    ///   - connection: the connection that writes.
    ///   - queue: where the block runs.
    ///   - completion: receives the result, on `queue`. Without a block an error goes to `YapDatabaseOptions.asyncErrorHandler`.
    public func asyncRemove(
        _ connection: YapDatabaseConnection, queue: DispatchQueue = .main,
        completion: (@Sendable (Result<Void, any Error>) -> Void)? = nil
    ) {
        connection.asyncRemove(self, queue: queue, completion: completion)
    }

    /// Removes the items, without blocking a thread.
    /// - Throws: `YapDatabaseError` as `YapDatabaseConnection.readWrite`: with code `closed`, `locked`, `diskFull` and the like.
    ///   `CancellationError` too.
    public func asyncRemove(_ connection: YapDatabaseConnection) async throws { try await connection.asyncRemove(self) }
}
