import Dispatch
import Foundation

extension YapDatabaseConnection {
    /// Like the sync `read`, without blocking a thread of the caller.
    ///
    /// The closure may capture values that are not `Sendable` and that nothing else uses any more, and return such values that it
    /// made: it is sent to the connection's queue, and its result back.
    ///
    /// A task that is cancelled before the transaction begins leaves the queue at once. A transaction that has begun
    /// completes.
    ///
    /// ```swift
    /// let count = try await connection.read { transaction in try transaction.numberOfKeys(inCollection: "books") }
    /// ```
    ///
    /// - Throws: also `CancellationError`.
    public func read<Value>(
        _ body: sending @escaping (YapDatabaseReadTransaction) throws -> sending Value
    ) async throws -> sending Value {
        checkPermission(.asyncRead)
        let body = UncheckedSendable(body)
        return try await WaitingCall<UncheckedSendable<Value>>().run { call in
            later { call.begin { Result { UncheckedSendable(try self.readOnQueue(body.value)) } } }
        }.value
    }

    /// Like the sync ``readWrite(_:)``, without blocking a thread of the caller, and without blocking any thread while other
    /// writers are ahead. The closure may capture and return values like that of the async `read`.
    ///
    /// A task that is cancelled before the transaction begins leaves the queue at once, also while a writer of another process is ahead.
    /// A transaction that has begun completes.
    ///
    /// ```swift
    /// try await connection.readWrite { transaction in
    ///     try transaction.setObject("Dune", forKey: "dune", inCollection: "books")
    /// }
    /// ```
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func readWrite<Value>(
        _ body: sending @escaping (YapDatabaseReadWriteTransaction) throws -> sending Value
    ) async throws -> sending Value {
        checkPermission(.asyncReadWrite)
        let body = UncheckedSendable(body)
        return try await inWritersTurn { UncheckedSendable(try self.writeInTurn(body.value)) }.value
    }

    /// Runs the work in the writers' turn, without blocking a thread while others are ahead.
    func inWritersTurn<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await WaitingCall<Value>().run { call in
            laterWrite(isWanted: { call.isWaiting }) { preparation in
                let waiter = try? self.store().lockWait
                call.begin(waitingWith: waiter) {
                    preparation.flatMap { Result { try work() } }
                        .mapError { waiter?.wasEnded == true ? CancellationError() : $0 }
                }
            }
        }
    }

    /// The same as the async `readWrite`.
    ///
    /// The block runs on the queue of the writers, in the connection's turn.
    ///
    /// - Throws: as the async `readWrite`: the block's error, `CancellationError`, and ``YapDatabaseError`` with code `closed`, `locked`,
    ///   `diskFull` and the like.
    @discardableResult
    public func write<Value>(
        _ body: sending @escaping (YapDatabaseReadWriteTransaction) throws -> sending Value
    ) async throws -> sending Value {
        try await readWrite(body)
    }
}

/// The async forms for functions, whose results are not marked `sending`. For a closure the forms above are taken, which let it capture more.
extension YapDatabaseConnection {
    /// The async `read` for a function: of a type or a file, or a local one that is marked `@Sendable`.
    ///
    /// The function runs on the connection's queue.
    ///
    /// ```swift
    /// @Sendable func count(_ transaction: YapDatabaseReadTransaction) throws -> Int {
    ///     try transaction.numberOfKeys(inCollection: "books")
    /// }
    /// let count = try await connection.read(count)
    /// ```
    ///
    /// - Throws: as the async `read`: the function's error, `CancellationError`, and ``YapDatabaseError`` with code `closed`, `corrupt` or
    ///   `inputOutput`.
    @_disfavoredOverload
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (YapDatabaseReadTransaction) throws -> Value
    ) async throws -> Value {
        try await read { try body($0) }
    }

    /// The async `readWrite` for a function.
    ///
    /// The function runs on the queue of the writers, in the connection's turn.
    ///
    /// - Throws: as the async `readWrite`: the function's error, `CancellationError`, and ``YapDatabaseError`` with code `closed`, `locked`,
    ///   `diskFull` and the like.
    @_disfavoredOverload
    @discardableResult
    public func readWrite<Value: Sendable>(
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Value
    ) async throws -> Value {
        try await readWrite { try body($0) }
    }

    /// The same as the async `readWrite` for a function.
    ///
    /// - Throws: as that one: the function's error, `CancellationError`, and ``YapDatabaseError``.
    @_disfavoredOverload
    @discardableResult
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Value
    ) async throws -> Value {
        try await readWrite { try body($0) }
    }
}

extension YapDatabaseConnection {
    /// The sync `read` in async code, where `read` is the async one. Blocks the thread until the connection's earlier work is
    /// done, so it suits a connection of the task's own.
    ///
    /// The block runs on the calling thread.
    ///
    /// ```swift
    /// let count = try connection.syncRead { transaction in try transaction.numberOfKeys(inCollection: "books") }
    /// ```
    ///
    /// - Throws: as the sync `read`: the block's error, and ``YapDatabaseError`` with code `closed`, `corrupt` or `inputOutput`.
    public func syncRead<Value>(_ body: (YapDatabaseReadTransaction) throws -> Value) throws -> Value { try read(body) }

    /// The sync `readWrite` in async code, where `readWrite` is the async one. Blocks the thread while other writers are ahead.
    ///
    /// The block runs on the calling thread.
    ///
    /// ```swift
    /// try connection.syncReadWrite { transaction in try transaction.setObject("Dune", forKey: "dune") }
    /// ```
    ///
    /// - Throws: as the sync `readWrite`: the block's error, and ``YapDatabaseError`` with code `closed`, `locked`, `fileReplaced`,
    ///   `diskFull` and the like.
    public func syncReadWrite<Value>(_ body: (YapDatabaseReadWriteTransaction) throws -> Value) throws -> Value {
        try readWrite(body)
    }
}

/// A value on its way to a connection's queue, or back.
package struct UncheckedSendable<Value>: @unchecked Sendable {
    // @unchecked: either the signature says `sending`, so that the sender has no other reference, or the documentation tells the sender
    // not to change the value any more, as with each object that is stored.
    package let value: Value

    package init(_ value: Value) { self.value = value }
}

/// An async call that is waiting for its turn.
private final class WaitingCall<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Value, any Error>)
        /// The call has begun, and may wait for a lock.
        case begun(LockWait)
        /// The call has begun or was cancelled.
        case over
    }

    private let state = Locked(State.new)

    var isWaiting: Bool { state.withLock { if case .waiting = $0 { true } else { false } } }

    /// - Parameter enqueue: arranges for ``begin(_:)`` to be called in the call's turn.
    func run(_ enqueue: (WaitingCall) -> Void) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard case .new = state else { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) } else { enqueue(self) }
            }
        } onCancel: {
            if case .begun(let waiter) = state.withLock({ $0 }) { return waiter.end() }
            end()?.resume(throwing: CancellationError())
        }
    }

    /// Runs the work, unless the call was cancelled.
    /// - Parameter waiter: waits for a lock in the work; a cancellation ends that.
    func begin(waitingWith waiter: LockWait? = nil, _ work: () -> Result<Value, any Error>) {
        waiter?.allowEnd()
        guard let continuation = end(followedBy: waiter.map(State.begun) ?? .over) else { return }
        let result = work()
        _ = end()
        waiter?.reset()
        continuation.resume(with: result)
    }

    private func end(followedBy next: State = .over) -> CheckedContinuation<Value, any Error>? {
        state.withLock { state in
            defer { if case .over = state {} else { state = next } }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
    }
}

extension YapDatabaseConnection {
    /// Like `read`, but asynchronous, on the connection's queue.
    ///
    /// ```swift
    /// connection.asyncRead { transaction in
    ///     try transaction.numberOfKeys(inCollection: "books")
    /// } completionBlock: { result in
    ///     print((try? result.get()) ?? 0)   // on the main queue
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - body: reads, on the connection's queue.
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

    /// Like `readWrite`, but asynchronous. See
    /// `asyncRead`.
    ///
    /// Where calls come faster than the file takes them, so that 16,384 wait on the connection, the caller waits, and after a second a
    /// warning says so. A call inside of a transaction does not wait.
    ///
    /// ```swift
    /// connection.asyncReadWrite { transaction in
    ///     try transaction.setObject("Dune", forKey: "dune", inCollection: "books")
    /// } completionBlock: { result in
    ///     if case .failure(let error) = result { print(error) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - body: runs on the queue of the writers, after the connection's earlier calls and the writers that are ahead. No thread is
    ///     blocked meanwhile.
    ///   - completionQueue: where the completion block runs; nil for the main queue.
    ///   - completionBlock: receives the closure's result or the error, on `completionQueue`. Without one, an error goes to
    ///     ``YapDatabaseOptions/asyncErrorHandler``.
    public func asyncReadWrite<Value: Sendable>(
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Value,
        completionQueue: DispatchQueue? = nil,
        completionBlock: (@Sendable (Result<Value, any Error>) -> Void)? = nil
    ) {
        checkPermission(.asyncReadWrite)
        waitForRoom()
        laterWrite { preparation in
            let result = preparation.flatMap { Result { try self.writeInTurn(body) } }
            self.complete(completionQueue, completionBlock, with: result)
        }
    }

    /// Calls the block after all earlier calls of the connection are done.
    ///
    /// ```swift
    /// connection.asyncReadWrite { transaction in try transaction.removeObject(forKey: "dune") }
    /// connection.flushTransactions { print("written") }
    /// ```
    ///
    /// - Parameters:
    ///   - completionQueue: where the completion block runs; nil for the main queue.
    ///   - completionBlock: called once, on that queue.
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

    /// Keeps a caller that is faster than the file from filling the memory with waiting calls. The others of this kind block or suspend
    /// their caller anyway.
    private func waitForRoom() {
        let limit = database.options.pendingWriteLimit
        // A transaction would wait for itself.
        guard pendingTransactionCount >= limit, !SerialQueue.isAnyEnteredByCurrentThread else { return }
        let start = ContinuousClock.now
        var isTold = false
        while pendingTransactionCount >= limit {
            usleep(1_000)
            if !isTold, .now - start >= .seconds(1) {
                isTold = true
                YapDatabase.log(
                    .warning,
                    "\(database.path): \(limit) calls of asyncReadWrite wait on a connection, and the next one waits for room. Write less often, or "
                        + "several rows in a transaction.")
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
