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
        all.lazy.map { connection in
            connection.isFollowing.load(ordering: .relaxed)
                ? connection.snapshot : max(connection.snapshot, newest - Self.idleLimit)
        }.min()
    }
}
