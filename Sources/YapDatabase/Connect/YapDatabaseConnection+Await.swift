extension YapDatabaseConnection {
    /// Like the sync `read`, without blocking a thread of the caller.
    ///
    /// A task that is cancelled before the transaction begins leaves the queue at once. A transaction that has begun
    /// completes.
    /// - Throws: also `CancellationError`.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (YapDatabaseReadTransaction) throws -> Value
    ) async throws -> Value {
        checkPermission(.asyncRead)
        return try await WaitingCall<Value>().run { call in
            later { call.begin { Result { try self.readOnQueue(body) } } }
        }
    }

    /// Like the sync ``readWrite(_:)``, without blocking a thread of the caller, and without blocking any thread while other
    /// writers are ahead.
    ///
    /// A task that is cancelled before the transaction begins leaves the queue at once. A transaction that has begun
    /// completes.
    /// - Throws: also `CancellationError`.
    public func readWrite<Value: Sendable>(
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Value
    ) async throws -> Value {
        checkPermission(.asyncReadWrite)
        return try await WaitingCall<Value>().run { call in
            laterWrite(isWanted: { call.isWaiting }) { preparation in
                call.begin { preparation.flatMap { Result { try self.writeInTurn(body) } } }
            }
        }
    }

    /// The same as the async `readWrite`.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Value
    ) async throws -> Value {
        try await readWrite(body)
    }
}

/// An async call that is waiting for its turn.
private final class WaitingCall<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Value, any Error>)
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
            end()?.resume(throwing: CancellationError())
        }
    }

    /// Runs the work, unless the call was cancelled.
    func begin(_ work: () -> Result<Value, any Error>) {
        guard let continuation = end() else { return }
        continuation.resume(with: work())
    }

    private func end() -> CheckedContinuation<Value, any Error>? {
        state.withLock { state in
            defer { state = .over }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
    }
}
