/// Which space of which server a file follows, and how.
public struct YapDatabaseServerOptions: Sendable {
    /// libpq's connection string: a URI such as `postgres://alice@db.example.com/team`, or `host=… dbname=…`; several
    /// hosts, TLS, service and password files as libpq has them. Keep the password in a password file: it is not in any
    /// message, but a program's arguments can be read by others.
    public var address: String
    /// The name of the space on the server.
    public var space: String
    /// The collections that the file has of the space. Others stay in the file alone. Initially all.
    public var collections = YapDatabaseServerCollections.all
    /// What a write transaction demands of the server's state. Initially ``YapDatabaseServerMode/serializable``.
    public var mode = YapDatabaseServerMode.serializable
    /// The longest time that a write waits for the server, without what its closure takes. Initially 10 s.
    public var timeout = Duration.seconds(10)
    /// Whether the rows that the file has at its first contact with the space give way to the server's. Initially
    /// false: a file that has rows in ``collections`` is refused.
    public var replacesLocalRows = false
    /// How long to wait before asking for new commits where the server sends no notifications. Initially 0.5 s.
    public var pollInterval = Duration.milliseconds(500)

    /// Creates options with the initial values.
    /// - Parameters:
    ///   - address: libpq's connection string.
    ///   - space: the name of the space.
    public init(address: String, space: String) {
        self.address = address
        self.space = space
    }
}

/// What a write transaction demands of the server's state.
public enum YapDatabaseServerMode: Hashable, Sendable {
    /// No commit of another host since the state that the transaction read: otherwise it runs again on the newest
    /// state. Transactions of all hosts have one order.
    case serializable
    /// No change of the rows that it writes. For transactions that only append and depend on nothing that they read,
    /// such as a message of a chat: hosts do not make each other run again.
    case rows
}
