import Foundation

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
