import Foundation

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
    ///
    /// ```swift
    /// let pool = YapDatabaseConnectionPool(database: database, limit: 2)
    /// ```
    ///
    /// - Parameter limit: the largest number of connections; at least 1.
    public init(database: YapDatabase, limit: Int = defaultLimit) {
        self.database = database
        state = Locked(State(limit: max(1, limit)))
    }

    /// The largest number of connections, at least 1. After the limit is lowered, surplus connections close when they are no
    /// longer used.
    public var connectionLimit: Int {
        get { state.withLock { $0.limit } }
        set {
            // Released outside the lock: a connection that closes frees objects of the app, which may call the pool.
            _ = state.withLock { state -> ArraySlice<YapDatabaseConnection> in
                state.limit = max(1, newValue)
                let surplus = state.connections.suffix(max(0, state.connections.count - state.limit))
                state.connections.removeLast(surplus.count)
                return surplus
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
    ///
    /// - Throws: as ``YapDatabase/newConnection(_:)``, if a connection is to be opened: ``YapDatabaseError`` with code `closed`,
    ///   `cannotOpen` and the like.
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

/// The cache settings of a new connection.
public struct YapDatabaseConnectionConfig: Hashable, Sendable {
    /// Whether objects are cached.
    public var objectCacheEnabled = true
    /// The largest number of cached objects; 0 for no limit.
    public var objectCacheLimit = RowCaches.defaultLimit
    /// Whether metadata is cached.
    public var metadataCacheEnabled = true
    /// The largest number of cached metadata; 0 for no limit.
    public var metadataCacheLimit = RowCaches.defaultLimit

    /// Enables both caches with their default limits.
    public init() {}
}

extension YapDatabase {
    /// The settings of new connections without a configuration of their own.
    public var connectionDefaults: YapDatabaseConnectionConfig {
        get { defaults.withLock { $0 } }
        set { defaults.withLock { $0 = newValue } }
    }
}

extension YapDatabaseConnection {
    /// Whether the connection caches objects that it reads or writes.
    public var objectCacheEnabled: Bool {
        get { inOrder { config.objectCacheEnabled } }
        set { configure { $0.objectCacheEnabled = newValue } }
    }

    /// The largest number of cached objects; 0 for no limit.
    public var objectCacheLimit: Int {
        get { inOrder { config.objectCacheLimit } }
        set { configure { $0.objectCacheLimit = max(0, newValue) } }
    }

    /// Whether the connection caches metadata that it reads or writes.
    public var metadataCacheEnabled: Bool {
        get { inOrder { config.metadataCacheEnabled } }
        set { configure { $0.metadataCacheEnabled = newValue } }
    }

    /// The largest number of cached metadata; 0 for no limit.
    public var metadataCacheLimit: Int {
        get { inOrder { config.metadataCacheLimit } }
        set { configure { $0.metadataCacheLimit = max(0, newValue) } }
    }

    /// Empties the caches, because changes of their limits are rare.
    private func configure(_ change: (inout YapDatabaseConnectionConfig) -> Void) {
        inOrder {
            change(&config)
            caches = RowCaches(config)
        }
    }
}

extension RowCaches {
    convenience init(_ config: YapDatabaseConnectionConfig) {
        self.init(
            objectLimit: config.objectCacheEnabled ? config.objectCacheLimit : nil,
            metadataLimit: config.metadataCacheEnabled ? config.metadataCacheLimit : nil)
    }
}

extension YapDatabase {
    /// The number of SQLite handles, with their statements, to keep open after their connections were released, so that new
    /// connections cost little. Initially 5; 0 keeps none.
    public var maxConnectionPoolCount: Int {
        get { idleStores.limit }
        set { idleStores.limit = newValue }
    }

    /// Seconds after which an unused handle is closed. Initially 90; 0 or less for never.
    public var connectionPoolLifetime: TimeInterval {
        get { idleStores.lifetime }
        set { idleStores.lifetime = newValue }
    }
}

/// The connections of a database that are still in use.
final class ConnectionList: Sendable {
    private let entries = Locked<[Weak<YapDatabaseConnection>]>([])

    func add(_ connection: YapDatabaseConnection) {
        entries.withLock { entries in
            entries.removeAll { $0.object == nil }
            entries.append(Weak(connection))
        }
    }

    var all: [YapDatabaseConnection] { entries.withLock { $0.compactMap { $0.object } } }

    /// The most commits that are kept for a connection that follows nothing: they only tell which cached values to drop.
    static let idleLimit = 256

    /// The number of the oldest state whose later commits a connection wants; nil without connections.
    /// - Parameter newest: the number of the newest state.
    func oldestWanted(_ newest: Int) -> Int? {
        let all = all
        for connection in all { connection.yield(at: newest) }
        return all.lazy.map { connection in
            connection.isFollowing.load(ordering: .relaxed)
                ? connection.snapshot : max(connection.snapshot, newest - Self.idleLimit)
        }.min()
    }
}

extension YapDatabaseConnection {
    /// The commits after which a frozen state is given up that nothing follows on from.
    private static let yieldingDistance = 64

    /// Gives up a frozen state if it is far behind and nothing follows it, so that it does not keep the write-ahead log from starting again.
    fileprivate func yield(at newest: Int) {
        guard yields.load(ordering: .relaxed), isFrozen.load(ordering: .relaxed),
            newest - snapshot > Self.yieldingDistance
        else { return }
        later { if self.yields.load(ordering: .relaxed) { try? self.thaw() } }
    }
}
