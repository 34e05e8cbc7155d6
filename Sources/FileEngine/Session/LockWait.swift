import SQLiteBridge

/// A writer's wait for a writer of another process. Another thread may end it.
package struct LockWait: Sendable {
    fileprivate let waiter: SQLiteLockWaiter

    /// Lets ``end()`` stop the wait from now on until the transaction has begun: its beginning then fails at once.
    package func allowEnd() { waiter.allowEnd() }
    /// Does the same as ``allowEnd()`` for another attempt of a transaction that was rolled back.
    package func allowEndAgain() { waiter.allowEndAgain() }
    /// Forgets that the wait was ended, so that the next transaction can wait.
    package func reset() { waiter.reset() }
    /// Ends the wait. Called from any thread.
    package func end() { waiter.end() }
    /// Whether the beginning failed because the wait was ended.
    package var wasEnded: Bool { waiter.wasEnded }
}

extension Store {
    package var lockWait: LockWait { LockWait(waiter: handle.lockWaiter) }
}
