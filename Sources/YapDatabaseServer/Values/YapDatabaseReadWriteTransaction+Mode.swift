extension YapDatabaseReadWriteTransaction {
    /// What this transaction demands of the server's state; nil for `YapDatabaseServerOptions.mode`. Without a server
    /// it has no meaning.
    public var serverMode: YapDatabaseServerMode? {
        get { authorityValue as? YapDatabaseServerMode }
        set { authorityValue = newValue }
    }
}
