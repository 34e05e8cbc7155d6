import ListChanges

/// A persistent, sorted, grouped list of rows, updated inside every read-write transaction.
///
/// Conceptually it is a dictionary from group name to an array of rows. The subclass decides groups and order; storage,
/// transaction and change-sets are shared.
public class YapDatabasePagedView: YapDatabaseExtension, @unchecked Sendable {
    // @unchecked: all properties are `let` and Sendable; only the open superclass hides that from the compiler.

    let settings: YapDatabaseViewOptions.Settings
    let cache = PageCache()

    init(options: YapDatabaseViewOptions) {
        settings = options.settings
    }

    /// A copy of the options that the view was created with.
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
