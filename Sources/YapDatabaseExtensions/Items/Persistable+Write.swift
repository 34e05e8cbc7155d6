import Dispatch
import Foundation
import YapDatabase

/// Reads and writes as closures that are given a transaction: `try connection.read(Book.readByKey("dune"))`.
extension Persistable {
    /// Returns a closure that reads the item at an index.
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public static func readAtIndex(_ index: YapDB.Index) -> (YapDatabaseReadTransaction) throws -> Self? {
        { try $0.readAtIndex(index) }
    }

    /// Returns a closure that reads the items at indexes.
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public static func readAtIndexes(
        _ indexes: some Sequence<YapDB.Index>
    ) -> (YapDatabaseReadTransaction) throws -> [Self] {
        { try $0.readAtIndexes(indexes) }
    }

    /// Returns a closure that reads the item with a key.
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public static func readByKey(_ key: String) -> (YapDatabaseReadTransaction) throws -> Self? {
        { try $0.readByKey(key) }
    }

    /// Returns a closure that reads the items with keys.
    /// - Throws: `YapDatabaseError` with code `decodingFailed` if a row does not hold the type; `closed`, `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public static func readByKeys(
        _ keys: some Sequence<String>
    ) -> (YapDatabaseReadTransaction) throws -> [Self] {
        { try $0.readByKeys(keys) }
    }

    /// Returns a closure that stores the item and returns it.
    /// - Throws: `YapDatabaseError` with code `encodingFailed` or `valueTooLarge`, after which the transaction may continue; `diskFull`,
    ///   `inputOutput`, `corrupt` or `badExtension`, after which it is lost.
    public func write() -> (YapDatabaseReadWriteTransaction) throws -> Self { { try $0.write(self) } }
}

/// Writes and removes the item itself. Errors are those of the functions of transactions and connections.
extension Persistable {
    /// Stores the item and its metadata, and returns it.
    /// - Throws: `YapDatabaseError` with code `encodingFailed` or `valueTooLarge`, after which the transaction may continue; `diskFull`,
    ///   `inputOutput`, `corrupt` or `badExtension`, after which it is lost.
    @discardableResult
    public func write(_ transaction: YapDatabaseReadWriteTransaction) throws -> Self { try transaction.write(self) }

    /// Stores the item and its metadata in a transaction of the connection, and returns it. Blocks the calling thread.
    /// - Throws: `YapDatabaseError` with code `encodingFailed` or `valueTooLarge` if an item cannot be stored; otherwise as
    ///   `YapDatabaseConnection.readWrite`: `closed`, `locked`, `diskFull` and the like.
    @available(*, noasync, message: "In async code: `try await asyncWrite(connection)` or `asyncRemove(connection)`.")
    @discardableResult
    public func write(_ connection: YapDatabaseConnection) throws -> Self { try connection.write(self) }

    /// The same as ``writeOperation(_:)``: `let write: Operation = item.write(connection)`.
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

    /// Returns an operation that stores the item and its metadata. The item must not be changed any more.
    public func writeOperation(_ connection: YapDatabaseConnection) -> YapDB.TransactionOperation {
        YapDB.TransactionOperation(connection) { try $0.write(self) }
    }

    /// Stores the item and its metadata, later. The block receives the item, also if it could not be stored: then the error goes to
    /// `YapDatabaseOptions.asyncErrorHandler`. The connection's function has a block that receives the error.
    ///
    /// - Parameters:
    ///   - connection: the connection that writes.
    ///   - queue: where the block runs.
    ///   - completion: receives the item on `queue`, also after an error.
    public func asyncWrite(
        _ connection: YapDatabaseConnection, queue: DispatchQueue = .main,
        completion: (@Sendable (_ written: Self) -> Void)? = nil
    ) {
        let sent = UncheckedSendable(self)
        connection.asyncWrite(self, queue: queue) { completion?(sent.value) }
    }

    /// Stores the item and its metadata, without blocking a thread, and returns it.
    /// - Throws: `YapDatabaseError` with code `encodingFailed` or `valueTooLarge` if an item cannot be stored; otherwise as
    ///   `YapDatabaseConnection.readWrite`: `closed`, `locked`, `diskFull` and the like. `CancellationError` too.
    @discardableResult
    public func asyncWrite(_ connection: YapDatabaseConnection) async throws -> Self {
        try await connection.asyncWrite(self)
    }

    /// Removes the item. Does nothing if it is not stored.
    /// - Throws: `YapDatabaseError` with code `diskFull`, `inputOutput`, `corrupt` or `badExtension`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before.
    public func remove(_ transaction: YapDatabaseReadWriteTransaction) throws { try transaction.remove(self) }

    /// Removes the item in a transaction of the connection. Blocks the calling thread.
    /// - Throws: `YapDatabaseError` as `YapDatabaseConnection.readWrite`: with code `closed`, `locked`, `diskFull` and the like.
    @available(*, noasync, message: "In async code: `try await asyncWrite(connection)` or `asyncRemove(connection)`.")
    public func remove(_ connection: YapDatabaseConnection) throws { try connection.remove(self) }

    /// Returns an operation that removes the item.
    public func removeOperation(_ connection: YapDatabaseConnection) -> YapDB.TransactionOperation {
        let index = index
        return connection.writeBlockOperation { try $0.removeAtIndex(index) }
    }

    /// Removes the item, later. The block receives the error, if there is one.
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

    /// Removes the item, without blocking a thread.
    /// - Throws: `YapDatabaseError` as `YapDatabaseConnection.readWrite`: with code `closed`, `locked`, `diskFull` and the like.
    ///   `CancellationError` too.
    public func asyncRemove(_ connection: YapDatabaseConnection) async throws { try await connection.asyncRemove(self) }
}
