import ListChanges

/// A persistent, sorted, grouped list of rows, kept in step inside every read-write transaction.
///
/// Conceptually a dictionary: group name to an array of rows. What decides about groups and order is up to the
/// subclass; the storage, the transaction and the change-sets are the same for all.
public class YapDatabasePagedView: YapDatabaseExtension, @unchecked Sendable {
    // @unchecked: all properties are `let` and Sendable; only the open superclass keeps the compiler from seeing it.

    let settings: YapDatabaseViewOptions.Settings
    let cache = PageCache()

    init(options: YapDatabaseViewOptions) {
        settings = options.settings
    }

    /// A copy of the options that the view was made with.
    public var options: YapDatabaseViewOptions { YapDatabaseViewOptions(settings) }

    override var classVersion: Int { 3 }
    override var isPersistent: Bool { settings.isPersistent }

    override func makeConnection(
        name: String, connection: YapDatabaseConnection
    ) -> YapDatabaseExtensionConnection {
        YapDatabaseViewConnection(name: name, connection: connection)
    }

    override func dropTables(name: String, transaction: YapDatabaseReadWriteTransaction) throws {
        if isPersistent { try transaction.store.dropViewTables(view: name) }
    }

    override func loadState(
        name: String, transaction: YapDatabaseReadTransaction
    ) throws -> any ExtensionState {
        try ViewState(records: transaction.store.pageRecords(view: name), view: name)
    }

    override func loadLog(_ bytes: ArraySlice<UInt8>) -> (any ExtensionLog)? { ViewLog(bytes) }
}
