import Foundation
import ListChanges

extension YapDatabaseConnection {
    /// Freezes the connection on the newest state: every `read` sees it until the next jump, which goes to the state that is
    /// newest then.
    ///
    ///     let commits = try connection.jump()
    ///     let outcome = try view.outcome(for: commits, with: mappings)
    ///
    /// After some errors of the disk the state is lost: every read throws that error until the next jump. Never waits for a
    /// writer. Costs a few system calls and what the passed commits changed in the caches.
    /// - Returns: the commits between the state that the connection saw last and the new one, in order; empty when there was
    ///   none.
    @discardableResult
    public func jump() throws -> [YapDatabaseCommit] {
        let passed = try exclusively {
            try endLongLived()
            let (transaction, passed) = try beginRead()
            longLived = transaction
            return passed
        }
        return passed.map(YapDatabaseCommit.init)
    }

    /// Like ``jump()``, with the commits as the notifications of the original.
    @discardableResult
    public func beginLongLivedReadTransaction() throws -> [Notification] {
        try jump().map { $0.notification(from: database) }
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
            guard mark == current.mark else {
                throw YapDatabaseError(
                    .corrupt,
                    "The state that this connection was frozen on is gone: the log's index was damaged, or a program wrote without "
                        + "the file's locks. Begin the long-lived read transaction again.")
            }
        } catch {
            // The state is lost. The next read throws the reason, instead of silently reading another state.
            longLivedFailure = error
        }
    }

    /// Whether the connection is frozen on a state. Waits for what was asked of the connection before.
    public func isInLongLivedReadTransaction() -> Bool {
        inOrder { longLived != nil }
    }

    /// From now on a write on this connection during a long-lived read transaction, which would end that transaction, stops
    /// the program with a message: for a connection that feeds an interface and is not meant to write. May be called from
    /// any thread.
    public func enableExceptionsForImplicitlyEndingLongLivedReadTransaction() {
        keepsLongLived.store(true, ordering: .relaxed)
    }

    /// A write ends a long-lived read transaction of this connection, as at first.
    public func disableExceptionsForImplicitlyEndingLongLivedReadTransaction() {
        keepsLongLived.store(false, ordering: .relaxed)
    }

    func endLongLivedImplicitly() throws {
        require(
            longLived == nil || !keepsLongLived.load(ordering: .relaxed),
            "A write would end the long-lived read transaction of the connection \(name.map { "\"\($0)\" " } ?? "")by the "
                + "way. Write on another connection, or end that transaction first.")
        try endLongLived()
    }
}
