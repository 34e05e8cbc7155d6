import Dispatch

extension YapDatabaseConnection {
    /// Like `read`, but asynchronous, on the connection's queue.
    /// - Parameters:
    ///   - completionQueue: where the completion block runs; nil for the main queue.
    ///   - completionBlock: receives the closure's result or the error. Without one, an error goes to
    ///     ``YapDatabaseOptions/asyncErrorHandler``.
    public func asyncRead<Value: Sendable>(
        _ body: @escaping @Sendable (YapDatabaseReadTransaction) throws -> Value,
        completionQueue: DispatchQueue? = nil,
        completionBlock: (@Sendable (Result<Value, any Error>) -> Void)? = nil
    ) {
        checkPermission(.asyncRead)
        later {
            self.complete(completionQueue, completionBlock, with: Result { try self.readOnQueue(body) })
        }
    }

    /// Like `readWrite`, but asynchronous, on the connection's queue. See
    /// `asyncRead`.
    public func asyncReadWrite<Value: Sendable>(
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Value,
        completionQueue: DispatchQueue? = nil,
        completionBlock: (@Sendable (Result<Value, any Error>) -> Void)? = nil
    ) {
        checkPermission(.asyncReadWrite)
        laterWrite { preparation in
            let result = preparation.flatMap { Result { try self.writeInTurn(body) } }
            self.complete(completionQueue, completionBlock, with: result)
        }
    }

    /// Calls the block after all earlier calls of the connection are done.
    public func flushTransactions(
        withCompletionQueue completionQueue: DispatchQueue? = nil, completionBlock: @escaping @Sendable () -> Void
    ) {
        queue.async { (completionQueue ?? .main).async(execute: completionBlock) }
    }

    /// Runs the work on the connection's queue, later, and calls the block with nil or the error.
    func later(
        _ completionQueue: DispatchQueue?, _ completionBlock: @escaping @Sendable ((any Error)?) -> Void,
        _ work: @escaping @Sendable () throws -> Void
    ) {
        later {
            let result = Result { try work() }
            (completionQueue ?? .main).async {
                if case .failure(let error) = result { completionBlock(error) } else { completionBlock(nil) }
            }
        }
    }

    private func complete<Value: Sendable>(
        _ queue: DispatchQueue?, _ block: (@Sendable (Result<Value, any Error>) -> Void)?,
        with result: Result<Value, any Error>
    ) {
        if let block {
            (queue ?? .main).async { block(result) }
        } else if case .failure(let error) = result {
            database.options.asyncErrorHandler(error)
        }
    }
}
