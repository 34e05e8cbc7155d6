import Foundation

extension YapDatabase {
    /// SQLite connections that are kept open, with their statements, when the connections that used them have gone away, so
    /// that making the next connection costs little; 5 at first, 0 for none.
    public var maxConnectionPoolCount: Int {
        get { idleStores.limit }
        set { idleStores.limit = newValue }
    }

    /// Seconds after which one of them is closed that no connection took up again; 90 at first, 0 (or less) for never.
    public var connectionPoolLifetime: TimeInterval {
        get { idleStores.lifetime }
        set { idleStores.lifetime = newValue }
    }
}

/// The connections of a database that are still in use.
final class ConnectionList: Sendable {
    private struct Entry: @unchecked Sendable {
        // @unchecked: a weak reference is atomic, and it is never assigned after init.
        private(set) weak var connection: YapDatabaseConnection?
    }

    private let entries = Locked<[Entry]>([])

    func add(_ connection: YapDatabaseConnection) {
        entries.withLock { entries in
            entries.removeAll { $0.connection == nil }
            entries.append(Entry(connection: connection))
        }
    }

    var all: [YapDatabaseConnection] { entries.withLock { $0.compactMap { $0.connection } } }

    /// The oldest state that a connection saw last; nil without connections.
    var oldestSnapshot: Int? { all.lazy.map { $0.snapshot }.min() }
}
