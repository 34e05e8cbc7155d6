import Dispatch
import Foundation
import ListChanges
import Synchronization

/// A connection to a database, which runs one transaction at a time on one snapshot. Use several to read and write at
/// once.
///
/// Sync and async transactions of one connection run one after the other, in the order of the calls. Readers never wait
/// for the writer.
///
/// A sync call that would deadlock stops the program with a message: one inside a transaction of the same connection,
/// and one that closes a cycle of transactions that wait for each other.
public final class YapDatabaseConnection: @unchecked Sendable {
    // @unchecked: everything that changes is touched on `queue` only, or is atomic.

    /// The database, which the connection keeps alive.
    public let database: YapDatabase
    let queue = SerialQueue("YapDatabaseConnection", .connection)

    /// Nil once the database is closed.
    var openStore: Store?
    /// The state that the last transaction read.
    var current: Snapshot { didSet { seenNumber.store(current.number, ordering: .releasing) } }
    private let seenNumber: Atomic<Int>
    let permitted = Atomic(YapDatabasePermittedTransactions.all.rawValue)
    private let label = Locked<String?>(nil)
    /// What extensions keep for this connection, by their names.
    let extensionValues = Locked<[String: Any]>([:])
    /// Whether a write must not end a long-lived read transaction.
    let keepsLongLived = Atomic(false)
    /// Running and waiting transactions.
    private let pending = Atomic(0)
    var caches: RowCaches
    var lastWrites = LastWrites()
    /// The codings of the collection that a transaction used last, and the version of the table that they are from.
    var lastCoding: (coding: RowCoding, version: Int)?
    var config: YapDatabaseConnectionConfig
    /// The transaction that ``jump()`` began.
    var longLived: YapDatabaseReadTransaction? {
        didSet {
            isFrozen.store(longLived != nil, ordering: .releasing)
            holdsLog.store(longLived != nil, ordering: .releasing)
        }
    }
    /// Whether there is such a transaction, readable without waiting for the queue.
    let isFrozen = Atomic(false)
    /// Whether its state may keep the log from beginning again: not after it was given up. Readable without waiting for the queue.
    let holdsLog = Atomic(false)
    /// Whether a frozen state is given up when the database has gone on for a while.
    let yields = Atomic(false)
    /// Whether the connection jumps from state to state, so that it wants every commit between them. Readable without waiting for the
    /// queue.
    let isFollowing = Atomic(false)
    /// The error that ended the long-lived transaction.
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

    /// A name for messages, initially nil. May be changed and read from any thread.
    public var name: String? {
        get { label.withLock { $0 } }
        set { label.withLock { $0 = newValue } }
    }

    /// The number of the commit that the connection last read. May be read from any thread.
    public var snapshot: Int { seenNumber.load(ordering: .acquiring) }

    /// The number of running and waiting transactions. May be read from any thread.
    public var pendingTransactionCount: Int { pending.load(ordering: .relaxed) }

    /// Reads one committed state of the database and returns what the closure returns.
    ///
    /// In a long-lived read transaction that is the frozen state, otherwise the newest.
    ///
    /// The closure runs on the calling thread, once the earlier calls of the connection are done. Async code gets the async form instead,
    /// except at the top level of `main.swift`, where Swift takes this one also with `await`, and an error says so: await there in an async
    /// function, such as that of `@main`. ``syncRead(_:)`` blocks in async code.
    ///
    /// ```swift
    /// let title = try connection.read { transaction in
    ///     try transaction.object(forKey: "dune", inCollection: "books") as? String
    /// }
    /// ```
    ///
    /// - Throws: the closure's error, or ``YapDatabaseError``: `closed`, or `corrupt`, `inputOutput` and the like if the file cannot
    ///   be read.
    @available(*, noasync, message: "Await the async form; at the top level of main.swift, in an async function.")
    @inlinable public func read<Value>(_ body: (YapDatabaseReadTransaction) throws -> Value) throws -> Value {
        var value: Value?
        try run { value = try body($0) }
        return value!
    }

    // Not generic, so that the types of results are looked up where they are known.
    @usableFromInline func run(_ body: (YapDatabaseReadTransaction) throws -> Void) throws {
        checkPermission(.syncRead)
        try exclusively { try readOnQueue(body) }
    }

    /// Reads and writes the newest state, and commits everything written when the closure returns. Ends a long-lived
    /// read transaction of this connection.
    ///
    /// Rolls back if the closure throws or calls ``YapDatabaseReadWriteTransaction/rollback()``, or if a write failed
    /// midway.
    ///
    /// The closure runs on the calling thread, once the earlier calls of the connection and the writers that are ahead are done. In a file
    /// that follows a server it may run several times, until the server has taken the transaction. Async code gets the async form, as for
    /// `read`; ``syncReadWrite(_:)`` blocks in async code.
    ///
    /// ```swift
    /// try connection.readWrite { transaction in
    ///     try transaction.setObject("Dune", forKey: "dune", inCollection: "books")
    /// }
    /// ```
    ///
    /// - Throws: the closure's error, or ``YapDatabaseError``: `closed`, `locked` if another process writes for longer than
    ///   ``YapDatabaseOptions/busyTimeout``, `fileReplaced`, `diskFull`, `readOnly` and the like if the file cannot be
    ///   written.
    @available(*, noasync, message: "Await the async form; at the top level of main.swift, in an async function.")
    @inlinable public func readWrite<Value>(_ body: (YapDatabaseReadWriteTransaction) throws -> Value) throws -> Value {
        var value: Value?
        try runWrite { value = try body($0) }
        return value!
    }

    @usableFromInline func runWrite(_ body: (YapDatabaseReadWriteTransaction) throws -> Void) throws {
        checkPermission(.syncReadWrite)
        try exclusively { try writeOnQueue(body) }
    }

    /// Waits for the connection's earlier work and runs the body on its queue.
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

    /// Enqueues a write, which waits for its turn on this connection and then among the writers of the database. Blocks
    /// no thread while it waits.
    /// - Parameters:
    ///   - isWanted: called in the connection's turn; returns false to cancel the call.
    ///   - write: runs in the writers' turn. Receives the error that prevents a transaction.
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
        } inTurn: { [self] in
            write(preparation.withLock { $0 })
            pending.subtract(1, ordering: .relaxed)
        }
    }
}

/// Whether the row that was stored last was there before: the next one probably is, too. Derived rows follow those of programs and tell nothing of
/// them.
struct LastWrites {
    private var changedRow = false
    private var changedDerivedRow = false

    subscript(isDerived isDerived: Bool) -> Bool {
        get { isDerived ? changedDerivedRow : changedRow }
        set { if isDerived { changedDerivedRow = newValue } else { changedRow = newValue } }
    }
}
