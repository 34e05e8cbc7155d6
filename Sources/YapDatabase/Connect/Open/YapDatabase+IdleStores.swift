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
