/// A few connections for many readers: each caller gets the one with the least to do.
///
///     let connection = try pool.connection()
///     connection.asyncRead { transaction in … }
public final class YapDatabaseConnectionPool: Sendable {
    /// Connections that a pool makes unless it is told otherwise.
    public static let defaultLimit = 3

    /// Whose connections they are.
    public let database: YapDatabase
    private let state: Locked<State>

    fileprivate struct State {
        var connections: [YapDatabaseConnection] = []
        /// Connections that are being made.
        var coming = 0
        var limit: Int
        var defaults: YapDatabaseConnectionConfig?
        var didCreate: (@Sendable (YapDatabaseConnection) -> Void)?
    }

    /// Makes connections only when they are asked for.
    public init(database: YapDatabase, limit: Int = defaultLimit) {
        self.database = database
        state = Locked(State(limit: max(1, limit)))
    }

    /// Connections at most, at least 1. A smaller limit closes those that are too many when nobody uses them any more.
    public var connectionLimit: Int {
        get { state.withLock { $0.limit } }
        set {
            state.withLock { state in
                state.limit = max(1, newValue)
                state.connections.removeLast(max(0, state.connections.count - state.limit))
            }
        }
    }

    /// What new connections begin with; nil for the database's defaults.
    public var connectionDefaults: YapDatabaseConnectionConfig? {
        get { state.withLock { $0.defaults } }
        set { state.withLock { $0.defaults = newValue } }
    }

    /// Called with every connection that the pool makes, before anybody else has it.
    public var didCreateNewConnectionBlock: (@Sendable (YapDatabaseConnection) -> Void)? {
        get { state.withLock { $0.didCreate } }
        set { state.withLock { $0.didCreate = newValue } }
    }

    /// An idle connection if there is one, a new one while there are fewer than the limit, otherwise the one with the
    /// fewest transactions waiting.
    public func connection() throws -> YapDatabaseConnection {
        if let known = state.withLock({ $0.leastBusy() }) { return known }
        // Outside of the lock: a file is opened, and the block may ask the pool for something.
        let made = Result { try database.newConnection(connectionDefaults) }
        if case .success(let connection) = made { didCreateNewConnectionBlock?(connection) }
        // The lock throws nothing: an error from inside it is a case that Swift 6.3 miscompiles.
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
    /// Nil where another one is to be made, which is counted as coming.
    fileprivate mutating func leastBusy() -> YapDatabaseConnection? {
        let least = connections.min { $0.pendingTransactionCount < $1.pendingTransactionCount }
        if let least, least.pendingTransactionCount == 0 || connections.count + coming >= limit { return least }
        coming += 1
        return nil
    }
}
