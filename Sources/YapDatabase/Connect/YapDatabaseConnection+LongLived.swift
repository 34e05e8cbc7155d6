import Foundation

extension YapDatabaseConnection {
    /// Freezes the connection on the newest state: every `read` sees it until the next call of this method, which jumps
    /// to the state that is newest then.
    ///
    /// Never waits for a writer. Costs a few SQLite calls and what the passed commits changed in the caches.
    /// - Returns: the notifications of the commits between the state that the connection saw last and the new one, in
    ///   order; empty when there was none.
    @discardableResult
    public func beginLongLivedReadTransaction() throws -> [Notification] {
        let passed = try exclusively {
            try endLongLived()
            let (transaction, passed) = try beginRead()
            longLived = transaction
            return passed
        }
        return passed.map { $0.notification(from: database) }
    }

    /// Lets the connection follow the newest state again. Does nothing without a long-lived read transaction.
    public func endLongLivedReadTransaction() throws {
        try exclusively { try endLongLived() }
    }

    /// Begins the long-lived transaction again on the same state, so that it is read from the file and not from the log.
    /// Called on the queue, while nobody can commit.
    func stepOutOfLog() {
        guard let transaction = longLived, current.mark == database.commitLog.latest.mark else { return }
        do {
            try transaction.store.commit()
            let mark = try transaction.store.beginRead()
            precondition(mark == current.mark, "Somebody committed although the write lock was held.")
        } catch {
            // The state is lost. Whoever reads next learns why, instead of reading another state unawares.
            longLivedFailure = error
        }
    }

    public func isInLongLivedReadTransaction() -> Bool {
        inOrder { longLived != nil }
    }
}
