/// A few connections for many readers: each caller receives the least busy one.
///
/// ```swift
/// let connection = try pool.connection()
/// connection.asyncRead { transaction in try print(transaction.numberOfCollections()) }
/// ```
public final class YapDatabaseConnectionPool: Sendable {
    /// The default number of connections.
    public static let defaultLimit = 3

    /// The database of the connections.
    public let database: YapDatabase
    private let state: Locked<State>

    fileprivate struct State {
        var connections: [YapDatabaseConnection] = []
        /// Connections that are being opened.
        var coming = 0
        var limit: Int
        var defaults: YapDatabaseConnectionConfig?
        var didCreate: (@Sendable (YapDatabaseConnection) -> Void)?
    }

    /// Creates a pool, which opens connections on demand.
    public init(database: YapDatabase, limit: Int = defaultLimit) {
        self.database = database
        state = Locked(State(limit: max(1, limit)))
    }

    /// The largest number of connections, at least 1. After the limit is lowered, surplus connections close when they are no
    /// longer used.
    public var connectionLimit: Int {
        get { state.withLock { $0.limit } }
        set {
            state.withLock { state in
                state.limit = max(1, newValue)
                state.connections.removeLast(max(0, state.connections.count - state.limit))
            }
        }
    }

    /// The settings of new connections; nil for the database's defaults.
    public var connectionDefaults: YapDatabaseConnectionConfig? {
        get { state.withLock { $0.defaults } }
        set { state.withLock { $0.defaults = newValue } }
    }

    /// Called with every connection that the pool opens, before the pool returns it.
    public var didCreateNewConnectionBlock: (@Sendable (YapDatabaseConnection) -> Void)? {
        get { state.withLock { $0.didCreate } }
        set { state.withLock { $0.didCreate = newValue } }
    }

    /// Returns an idle connection if there is one, a new one below the limit, otherwise the one with the fewest waiting
    /// transactions.
    public func connection() throws -> YapDatabaseConnection {
        if let known = state.withLock({ $0.leastBusy() }) { return known }
        // Outside the lock, because it opens a file, and the block may call the pool.
        let made = Result { try database.newConnection(connectionDefaults) }
        if case .success(let connection) = made { didCreateNewConnectionBlock?(connection) }
        // The closure does not throw, because Swift 6.3 miscompiles an error thrown through the lock.
        state.withLock { state in
            state.coming -= 1
            if case .success(let connection) = made, state.connections.count < state.limit {
                state.connections.append(connection)
            }
        }
        return try made.get()
    }
}

extension YapDatabaseConnectionPool.State {
    /// Returns nil if a new connection is to be opened, and counts it as coming.
    fileprivate mutating func leastBusy() -> YapDatabaseConnection? {
        let least = connections.min { $0.pendingTransactionCount < $1.pendingTransactionCount }
        if let least, least.pendingTransactionCount == 0 || connections.count + coming >= limit { return least }
        coming += 1
        return nil
    }
}
