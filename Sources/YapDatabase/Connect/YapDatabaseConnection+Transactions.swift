import FileEngine
import Foundation

/// Begins, runs and ends transactions, on the connection's queue.
extension YapDatabaseConnection {
    func store() throws -> Store {
        guard let openStore else {
            throw YapDatabaseError(.closed, "The database was closed. Open it again to read or write it.")
        }
        return openStore
    }

    func readOnQueue<Value>(_ body: (YapDatabaseReadTransaction) throws -> Value) throws -> Value {
        if let longLivedFailure { throw longLivedFailure }
        if let longLived { return try readLongLived(longLived, body) }
        let transaction = try beginRead().transaction
        let store = transaction.store
        defer { transaction.invalidate() }
        return try store.orRollback {
            let value = try body(transaction)
            if let failure = transaction.failure { throw failure }
            try store.commit()
            return value
        }
    }

    /// Reads in the long-lived transaction. Throws if SQLite has ended it, which a closure that catches errors may
    /// hide.
    private func readLongLived<Value>(
        _ transaction: YapDatabaseReadTransaction, _ body: (YapDatabaseReadTransaction) throws -> Value
    ) throws -> Value {
        try transaction.store.checkTransaction()
        // One of an earlier read; the next use of the list meets it again.
        transaction.failure = nil
        let value = try body(transaction)
        if let failure = transaction.failure { throw failure }
        try transaction.store.checkTransaction()
        return value
    }

    func writeOnQueue<Value>(_ body: (YapDatabaseReadWriteTransaction) throws -> Value) throws -> Value {
        try prepareWrite()
        return try database.writeGate.pass { try writeInTurn(body) }
    }

    /// Called before the write waits for its turn, so that a waiting writer does not keep an old state in the log.
    func prepareWrite() throws {
        try endLongLivedImplicitly()
        if let openStore { database.checkpointer.delayWriter(openStore) }
    }

    func writeInTurn<Value>(_ body: (YapDatabaseReadWriteTransaction) throws -> Value) throws -> Value {
        if let authority = database.authority { return try authority.write(on: self, body) }
        return try writeHere(body, confirming: database.refuseLoneChanges)
    }

    /// Runs one write transaction, in the writers' turn.
    /// - Parameter confirm: called when everything is written and the commit has a number, before it is made. If it throws, the
    ///   transaction rolls back.
    package func writeHere<Value>(
        _ body: (YapDatabaseReadWriteTransaction) throws -> Value,
        confirming confirm: ((YapDatabaseReadWriteTransaction) throws -> Void)? = nil
    ) throws -> Value {
        let transaction = try beginWrite()
        defer { transaction.invalidate() }
        do {
            try transaction.loadLeftOutRows()
            try transaction.recoverExtensions()
            try transaction.restoreMissingExtensions()
            let value = try body(transaction)
            try transaction.finish(confirming: confirm)
            return value
        } catch {
            // The error that ended the transaction is the one to know, also if rolling back meets another.
            try? transaction.abandon()
            throw error
        }
    }

    /// Begins a read transaction on the newest state. The caller ends the store's transaction.
    /// - Returns: the transaction, and the commits between the state last read and this one.
    func beginRead() throws -> (transaction: YapDatabaseReadTransaction, between: [Commit]) {
        let store = try store()
        var attempt = 0
        while attempt < Self.beginLimit {
            // Only commits of other programs without a record change the log meanwhile, so a second attempt is rare.
            if attempt > 10 { usleep(1_000) }
            let start = database.commitLog.start
            let version = try store.beginRead(expecting: start.known)
            if let between = try store.orRollback({ try move(to: version, after: start, store) }) {
                if version != start.known?.version, let read = store.lastKnown { database.commitLog.note(read) }
                let codings = database.codings
                caches.begin(with: codings)
                let transaction = YapDatabaseReadTransaction(
                    connection: self, store: store, codings: codings, snapshot: current)
                return (transaction, between)
            }
            try store.rollback()
            if database.commitLog.isAwaited(before: version) { usleep(100) } else { attempt += 1 }
        }
        throw tooManyForeignChanges
    }

    private static let beginLimit = 500

    private var tooManyForeignChanges: YapDatabaseError {
        YapDatabaseError(
            .locked,
            "Other programs keep changing the database without commit records, so that it has to be reloaded. Try again when they are "
                + "done.")
    }

    private func beginWrite() throws -> YapDatabaseReadWriteTransaction {
        let store = try store()
        let version = try store.beginWrite()
        return try store.orRollback {
            // While this transaction writes, its state stays the newest, even if readers restart the log.
            var attempts = 0
            while try move(to: version, after: database.commitLog.start, store) == nil {
                attempts += 1
                guard attempts < Self.beginLimit else { throw tooManyForeignChanges }
            }
            let codings = database.codings
            caches.begin(with: codings)
            database.writeGate.memory.begin(at: version, with: codings)
            return YapDatabaseReadWriteTransaction(
                connection: self, store: store, codings: codings, snapshot: current)
        }
    }

    func endLongLived() throws {
        isFollowing.store(false, ordering: .relaxed)
        try thaw()
    }

    /// Ends the long-lived transaction, if there is one.
    func thaw() throws {
        guard let transaction = longLived else { return }
        longLived = nil
        longLivedFailure = nil
        defer { transaction.invalidate() }
        // Not a COMMIT, which would throw the error after which SQLite may have ended the transaction.
        try transaction.store.rollback()
    }

    /// Closes the connection's handle.
    func shutDown() throws {
        defer {
            caches.removeAll()
            openStore = nil
        }
        try endLongLived()
    }
}
