/// The state of one handle's transaction, shared with its statements.
final class HeldTransaction {
    /// Whether the owner requires the transaction to stay open until it ends it.
    var isHeld = false
    /// The error with which SQLite ended the transaction nevertheless.
    var loss: (any Error)?
}

extension SQLiteHandle {
    /// Requires every statement to run inside the open transaction until `letGoOfTransaction()`.
    ///
    /// SQLite ends the transaction by itself after some errors, even of a read. A later statement would then read another state, or commit on its
    /// own. So every later step throws that error again.
    public func holdTransaction() { transaction.isHeld = true }

    /// Must be called when the transaction is over, or is about to be rolled back.
    public func letGoOfTransaction() {
        transaction.isHeld = false
        transaction.loss = nil
    }

    /// Checks that SQLite has not ended the held transaction.
    /// - Throws: the error with which SQLite ended it.
    public func checkTransaction() throws {
        if let loss = transaction.loss { throw loss }
    }
}
