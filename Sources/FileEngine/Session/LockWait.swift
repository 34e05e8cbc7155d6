import SQLiteBridge

/// A writer's wait for a writer of another process, which another thread may end.
package struct LockWait: Sendable {
    fileprivate let waiter: SQLiteLockWaiter

    /// From now on until the transaction has begun, ``end()`` makes its beginning fail at once.
    package func allowEnd() { waiter.allowEnd() }
    /// The same for another attempt of a transaction that was rolled back.
    package func allowEndAgain() { waiter.allowEndAgain() }
    /// Forgets that it was ended, for the next who waits.
    package func reset() { waiter.reset() }
    /// From any thread.
    package func end() { waiter.end() }
    /// Whether the beginning failed for that reason.
    package var wasEnded: Bool { waiter.wasEnded }
}

extension Store {
    package var lockWait: LockWait { LockWait(waiter: handle.lockWaiter) }
}
