/// What a new connection begins with.
public struct YapDatabaseConnectionConfig: Hashable, Sendable {
    /// Whether objects are remembered.
    public var objectCacheEnabled = true
    /// Objects to remember, 0 for any number.
    public var objectCacheLimit = RowCaches.defaultLimit
    /// Whether metadata is remembered.
    public var metadataCacheEnabled = true
    /// Metadata to remember, 0 for any number.
    public var metadataCacheLimit = RowCaches.defaultLimit

    /// Both caches, with the usual limits.
    public init() {}
}

extension YapDatabase {
    /// What connections begin with that are made without a configuration of their own.
    public var connectionDefaults: YapDatabaseConnectionConfig {
        get { defaults.withLock { $0 } }
        set { defaults.withLock { $0 = newValue } }
    }
}

extension YapDatabaseConnection {
    /// Whether the connection remembers objects that it read or wrote.
    public var objectCacheEnabled: Bool {
        get { inOrder { config.objectCacheEnabled } }
        set { configure { $0.objectCacheEnabled = newValue } }
    }

    /// Objects to remember, 0 for any number.
    public var objectCacheLimit: Int {
        get { inOrder { config.objectCacheLimit } }
        set { configure { $0.objectCacheLimit = max(0, newValue) } }
    }

    /// Whether the connection remembers metadata that it read or wrote.
    public var metadataCacheEnabled: Bool {
        get { inOrder { config.metadataCacheEnabled } }
        set { configure { $0.metadataCacheEnabled = newValue } }
    }

    /// Metadata to remember, 0 for any number.
    public var metadataCacheLimit: Int {
        get { inOrder { config.metadataCacheLimit } }
        set { configure { $0.metadataCacheLimit = max(0, newValue) } }
    }

    /// Starts with empty caches: a change of their limits is rare.
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
