import SQLiteBridge

/// A writer's wait for a writer of another process, which another thread may end.
package struct LockWait: Sendable {
    fileprivate let waiter: SQLiteLockWaiter

    /// From now on until the transaction has begun, ``end()`` makes its beginning fail at once.
    package func allowEnd() { waiter.allowEnd() }
    /// From any thread.
    package func end() { waiter.end() }
    /// Whether the beginning failed for that reason.
    package var wasEnded: Bool { waiter.wasEnded }
}

extension Store {
    package var lockWait: LockWait { LockWait(waiter: handle.lockWaiter) }
}
