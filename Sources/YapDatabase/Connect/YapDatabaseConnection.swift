import Dispatch
import Foundation
import ListChanges
import Synchronization

/// One connection: at most one transaction at a time, on one snapshot. Use several to read and write at once.
///
/// Transactions of one connection run one after the other, in the order in which they were asked for, whether sync or
/// async. Readers never wait for the writer.
///
/// A sync call inside a transaction of the same connection would wait for itself: it stops the program with a message. So
/// does a sync call that closes a circle of transactions which wait for each other.
public final class YapDatabaseConnection: @unchecked Sendable {
    // @unchecked: everything that changes is touched on `queue` only, or is atomic.

    /// Whose connection it is; held as long as the connection.
    public let database: YapDatabase
    let queue = SerialQueue("YapDatabaseConnection", .connection)

    /// Nil after the database was closed.
    private var openStore: Store?
    /// The state that the last transaction saw.
    var current: Snapshot { didSet { seenNumber.store(current.number, ordering: .releasing) } }
    private let seenNumber: Atomic<Int>
    let permitted = Atomic(YapDatabasePermittedTransactions.all.rawValue)
    private let label = Locked<String?>(nil)
    /// Whether a write may not end a long-lived read transaction by the way.
    let keepsLongLived = Atomic(false)
    /// Transactions that run or wait.
    private let pending = Atomic(0)
    var caches: RowCaches
    var config: YapDatabaseConnectionConfig
    /// The transaction that `beginLongLivedReadTransaction` began.
    var longLived: YapDatabaseReadTransaction? {
        didSet { isFrozen.store(longLived != nil, ordering: .releasing) }
    }
    /// Whether there is such a transaction, for those who must not wait for the queue to ask.
    let isFrozen = Atomic(false)
    /// Why the long-lived transaction cannot be read any more.
    var longLivedFailure: (any Error)?

    init(database: YapDatabase, store: Store, snapshot: Snapshot, config: YapDatabaseConnectionConfig) {
        self.database = database
        openStore = store
        current = snapshot
        seenNumber = Atomic(snapshot.number)
        self.config = config
        caches = RowCaches(config)
    }

    deinit {
        longLived?.invalidate()
        if let openStore { database.idleStores.add(openStore) }
    }

    /// What the owner calls the connection, for messages; nil at first. May be changed and read from any thread.
    public var name: String? {
        get { label.withLock { $0 } }
        set { label.withLock { $0 = newValue } }
    }

    /// The number of the commit that the connection last saw. May be read from any thread.
    public var snapshot: Int { seenNumber.load(ordering: .acquiring) }

    /// Transactions of the connection that run or wait for their turn. May be read from any thread.
    public var pendingTransactionCount: Int { pending.load(ordering: .relaxed) }

    /// Reads one committed state of the database and returns what the closure returns.
    ///
    /// In a long-lived read transaction that is the state it began with, otherwise the newest.
    /// - Throws: what the closure throws, and ``YapDatabaseError`` when the file cannot be read.
    public func read<Value>(_ body: (YapDatabaseReadTransaction) throws -> Value) throws -> Value {
        checkPermission(.syncRead)
        return try exclusively { try readOnQueue(body) }
    }

    /// Reads and writes the newest state; everything written is committed when the closure returns, and shows to others
    /// at once. Ends a long-lived read transaction of this connection.
    ///
    /// Nothing of it remains when the closure throws or calls ``YapDatabaseReadWriteTransaction/rollback()``, or when a
    /// write inside it failed midway.
    /// - Throws: what the closure throws, and ``YapDatabaseError`` when the file cannot be read or written.
    public func readWrite<Value>(_ body: (YapDatabaseReadWriteTransaction) throws -> Value) throws -> Value {
        checkPermission(.syncReadWrite)
        return try exclusively { try writeOnQueue(body) }
    }

    /// Waits for the connection's other work and runs the body on its queue.
    func exclusively<Value>(_ body: () throws -> Value) rethrows -> Value {
        require(
            !queue.isEnteredByCurrentThread,
            "A sync call inside a transaction of the same connection would wait for itself forever: use the "
                + "transaction at hand, or another connection.")
        pending.add(1, ordering: .relaxed)
        defer { pending.subtract(1, ordering: .relaxed) }
        return try queue.sync(body)
    }

    /// Like ``exclusively(_:)``, but may also be called inside a transaction of the connection.
    func inOrder<Value>(_ body: () throws -> Value) rethrows -> Value {
        queue.isEnteredByCurrentThread ? try body() : try exclusively(body)
    }

    /// Runs the body on the connection's queue, later.
    func later(_ body: @escaping @Sendable () -> Void) {
        pending.add(1, ordering: .relaxed)
        queue.async {
            body()
            self.pending.subtract(1, ordering: .relaxed)
        }
    }

    /// Writes later: in its turn on this connection, and then in its turn among all writers of the database. Holds no thread
    /// while it waits.
    /// - Parameters:
    ///   - isWanted: asked in the connection's turn; false ends the call.
    ///   - write: runs in the turn of the writers. It gets the error that stands in the way of a transaction.
    func laterWrite(
        isWanted: @escaping @Sendable () -> Bool = { true },
        _ write: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        pending.add(1, ordering: .relaxed)
        let preparation = Locked<Result<Void, any Error>>(.success(()))
        queue.async(inside: database.writeGate.queue) { [self] in
            guard isWanted() else {
                pending.subtract(1, ordering: .relaxed)
                return false
            }
            let result = Result { try prepareWrite() }
            preparation.withLock { $0 = result }
            return true
        } _: { [self] in
            write(preparation.withLock { $0 })
            pending.subtract(1, ordering: .relaxed)
        }
    }
}

// MARK: On the queue

extension YapDatabaseConnection {
    func store() throws -> Store {
        guard let openStore else {
            throw YapDatabaseError(.closed, "The database was closed. Open it anew to read or write it.")
        }
        return openStore
    }

    func readOnQueue<Value>(_ body: (YapDatabaseReadTransaction) throws -> Value) throws -> Value {
        if let longLivedFailure { throw longLivedFailure }
        if let longLived { return try whileItStands(longLived, body) }
        let transaction = try beginRead().transaction
        let store = transaction.store
        defer { transaction.invalidate() }
        do {
            let value = try body(transaction)
            try store.commit()
            return value
        } catch {
            try store.rollback()
            throw error
        }
    }

    /// Reads in the long-lived transaction, unless SQLite has ended it, which a closure that catches errors may not notice.
    private func whileItStands<Value>(
        _ transaction: YapDatabaseReadTransaction, _ body: (YapDatabaseReadTransaction) throws -> Value
    ) throws -> Value {
        try transaction.store.checkTransaction()
        let value = try body(transaction)
        try transaction.store.checkTransaction()
        return value
    }

    func writeOnQueue<Value>(_ body: (YapDatabaseReadWriteTransaction) throws -> Value) throws -> Value {
        try prepareWrite()
        return try database.writeGate.pass { try writeInTurn(body) }
    }

    /// Before the write waits for its turn, so that no old state keeps the log long meanwhile.
    private func prepareWrite() throws {
        try endLongLivedImplicitly()
        if let openStore { database.checkpointer.holdBack(openStore) }
    }

    func writeInTurn<Value>(_ body: (YapDatabaseReadWriteTransaction) throws -> Value) throws -> Value {
        let transaction = try beginWrite()
        defer { transaction.invalidate() }
        do {
            try transaction.restoreMissingExtensions()
            let value = try body(transaction)
            try transaction.finish()
            return value
        } catch {
            try transaction.abandon()
            throw error
        }
    }

    /// Begins to read the newest state. The caller ends the store's transaction.
    /// - Returns: also the commits between the state seen last and this one.
    func beginRead() throws -> (transaction: YapDatabaseReadTransaction, passed: [Commit]) {
        let store = try store()
        for attempt in 0..<Self.beginLimit {
            // The log changes only with commits of other programs that left no record: a second attempt is rare.
            if attempt > 10 { usleep(1_000) }
            let tip = database.commitLog.tip
            let mark = try store.beginRead()
            do {
                if let passed = try move(to: mark, after: tip, store) {
                    let transaction = YapDatabaseReadTransaction(
                        connection: self, store: store, codings: database.codings, snapshot: current)
                    return (transaction, passed)
                }
            } catch {
                try store.rollback()
                throw error
            }
            try store.rollback()
        }
        throw changesAllTheTime
    }

    private static let beginLimit = 500

    private var changesAllTheTime: YapDatabaseError {
        YapDatabaseError(
            .locked,
            "Other programs change the database all the time, in ways that this one has to load whole. Try again when they are "
                + "done.")
    }

    private func beginWrite() throws -> YapDatabaseReadWriteTransaction {
        let store = try store()
        let mark = try store.beginWrite()
        do {
            // While this transaction writes, its state stays the newest one, whatever readers put into the log meanwhile.
            var attempts = 0
            while try move(to: mark, after: database.commitLog.tip, store) == nil {
                attempts += 1
                guard attempts < Self.beginLimit else { throw changesAllTheTime }
            }
            caches.beginWrite(at: mark)
            return YapDatabaseReadWriteTransaction(
                connection: self, store: store, codings: database.codings, snapshot: current)
        } catch {
            try store.rollback()
            throw error
        }
    }

    func endLongLived() throws {
        guard let transaction = longLived else { return }
        longLived = nil
        longLivedFailure = nil
        defer { transaction.invalidate() }
        // Not by a COMMIT, which would throw what is over now: the error with which SQLite may have ended it.
        try transaction.store.rollback()
    }

    /// Lets go of the file.
    func shutDown() throws {
        defer {
            caches.removeAll()
            openStore = nil
        }
        try endLongLived()
    }
}
