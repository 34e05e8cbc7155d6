import Foundation
import Synchronization
import YapDatabase

extension YapDB {
    /// An operation for an `OperationQueue`, which is finished when its transaction is committed or has failed.
    public final class TransactionOperation: Operation, @unchecked Sendable {
        // @unchecked: the closure runs once, on the queue's thread; the error is behind a lock.
        private let connection: YapDatabaseConnection
        private let body: (YapDatabaseReadWriteTransaction) throws -> Void
        private let failure = Mutex<(any Error)?>(nil)

        init(_ connection: YapDatabaseConnection, _ body: @escaping (YapDatabaseReadWriteTransaction) throws -> Void) {
            self.connection = connection
            self.body = body
        }

        /// Why the transaction failed; nil before it is finished and if it was committed. The error is logged too, and goes to
        /// `YapDatabaseOptions.asyncErrorHandler` if the program has set one.
        public var error: (any Error)? { failure.withLock { $0 } }

        /// Runs the transaction and waits for it.
        public override func main() {
            do {
                try connection.readWrite(body)
            } catch {
                failure.withLock { $0 = error }
                YapDatabase.log(.error, "A transaction of an operation failed: \(error)")
                let options = connection.database.options
                if options.hasErrorHandler { options.asyncErrorHandler(error) }
            }
        }
    }
}

extension YapDatabaseConnection {
    /// Returns an operation that reads and writes in one transaction:
    ///
    ///     queue.addOperation(connection.writeBlockOperation { transaction in
    ///         try transaction.write(person)
    ///         try transaction.remove(barcode)
    ///     })
    ///
    /// The closure runs on a thread of the operation queue.
    ///
    /// ```swift
    /// let operation = connection.writeBlockOperation { transaction in try transaction.removeAllObjects(inCollection: "books") }
    /// ```
    public func writeBlockOperation(
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Void
    ) -> YapDB.TransactionOperation {
        YapDB.TransactionOperation(self, body)
    }
}
