/// What the statements of one handle know of its transaction.
final class HeldTransaction {
    /// Whether somebody counts on the transaction to be open until he ends it.
    var isHeld = false
    /// The error with which SQLite ended it nevertheless.
    var loss: (any Error)?
}

extension SQLiteHandle {
    /// From here until `letGoOfTransaction()` no statement runs outside of the transaction that is open. After some errors,
    /// even of a read, SQLite ends it by itself: every later step then throws that error again, instead of reading another
    /// state, or committing on its own.
    public func holdTransaction() { transaction.isHeld = true }

    /// To be called when the transaction is over, or is about to be rolled back.
    public func letGoOfTransaction() {
        transaction.isHeld = false
        transaction.loss = nil
    }

    /// - Throws: the error with which SQLite ended the transaction that is held, if it did.
    public func checkTransaction() throws {
        if let loss = transaction.loss { throw loss }
    }
}
