/// A few connections for many readers: each caller gets the one with the least to do.
///
///     let connection = try pool.connection()
///     connection.asyncRead { transaction in … }
public final class YapDatabaseConnectionPool: Sendable {
    /// Connections that a pool makes unless it is told otherwise.
    public static let defaultLimit = 3

    public let database: YapDatabase
    private let state: Locked<State>

    private struct State {
        var connections: [YapDatabaseConnection] = []
        var limit: Int
        var defaults: YapDatabaseConnectionConfig?
        var didCreate: (@Sendable (YapDatabaseConnection) -> Void)?
    }

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
        try state.withLock { state in
            let least = state.connections.min { $0.pendingTransactionCount < $1.pendingTransactionCount }
            if let least, least.pendingTransactionCount == 0 || state.connections.count >= state.limit { return least }
            let made = try database.newConnection(state.defaults)
            state.didCreate?(made)
            state.connections.append(made)
            return made
        }
    }
}
