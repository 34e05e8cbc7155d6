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
