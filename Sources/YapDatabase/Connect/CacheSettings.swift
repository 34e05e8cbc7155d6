/// How much of one kind of value a connection remembers.
struct CacheSettings {
    var isEnabled = true
    /// Entries; 0 is no limit.
    var limit = RowCaches.defaultLimit
}

extension YapDatabaseConnection {
    /// Whether the connection remembers objects that it read or wrote. True at first.
    public var objectCacheEnabled: Bool {
        get { setting { $0.objectCacheSettings.isEnabled } }
        set { changeSettings { $0.objectCacheSettings.isEnabled = newValue } }
    }

    /// Objects to remember, 0 for any number. 250 at first.
    public var objectCacheLimit: Int {
        get { setting { $0.objectCacheSettings.limit } }
        set { changeSettings { $0.objectCacheSettings.limit = max(0, newValue) } }
    }

    /// Whether the connection remembers metadata that it read or wrote. True at first.
    public var metadataCacheEnabled: Bool {
        get { setting { $0.metadataCacheSettings.isEnabled } }
        set { changeSettings { $0.metadataCacheSettings.isEnabled = newValue } }
    }

    /// Metadata to remember, 0 for any number. 250 at first.
    public var metadataCacheLimit: Int {
        get { setting { $0.metadataCacheSettings.limit } }
        set { changeSettings { $0.metadataCacheSettings.limit = max(0, newValue) } }
    }

    private func setting<Value>(_ read: (YapDatabaseConnection) -> Value) -> Value {
        inOrder { read(self) }
    }

    /// Starts with empty caches: a change of their limits is rare.
    private func changeSettings(_ change: (YapDatabaseConnection) -> Void) {
        exclusively {
            change(self)
            caches = RowCaches(
                objectLimit: objectCacheSettings.isEnabled ? objectCacheSettings.limit : nil,
                metadataLimit: metadataCacheSettings.isEnabled ? metadataCacheSettings.limit : nil)
        }
    }
}
