import FileEngine
import ListChanges

/// A persistent, sorted, grouped list of rows, updated inside every read-write transaction: the base class of all views.
///
/// Conceptually it is a dictionary from group name to an array of rows. The subclass decides groups and order, such as
/// ``YapDatabaseAutoView``; storage, transaction and change-sets are shared. Apps subclass only those subclasses that say so.
open class YapDatabaseView: YapDatabaseExtension, @unchecked Sendable {
    // @unchecked: all properties are `let`, and `settings` is a copy that is never changed.

    let settings: YapDatabaseViewOptions
    let cache = PageCache()
    private let tag: String

    init(className: String, versionTag: String, options: YapDatabaseViewOptions) {
        settings = options.copy()
        tag = versionTag
        super.init(className: className, classVersion: 3)
    }

    /// A copy of the options that the view was created with.
    public var options: YapDatabaseViewOptions { settings.copy() }

    /// Names the version of the view's blocks. A view whose file has another tag is filled again.
    public override var versionTag: String { tag }

    /// The tag with which a view of this name was registered last, by this or an earlier launch; nil if the file has none.
    public static func previousVersionTag(
        forRegisteredViewName name: String, with connection: YapDatabaseConnection
    ) throws -> String? {
        try connection.read { try $0.store.registeredExtension(name)?.withoutStaleMark.versionTag }
    }

    override var isPersistent: Bool { settings.isPersistent }
    override var collections: YapWhitelistBlacklist? { settings.allowedCollections }

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
        try ViewState(ofView: name, in: transaction)
    }

    override func closing(
        _ state: any ExtensionState, name: String, number: Int, in store: Store
    ) -> (() throws -> Void)? {
        let pages = pages(of: state)
        let isStored = (try? store.isSummarized(name, at: number)) == true
        guard isPersistent, !pages.isUnstored, !(isStored && pages.isFromSummary), let summary = pages.summary() else {
            return nil
        }
        return { try store.set(summary, ofView: name, number: number) }
    }

    /// The pages that a state of the view has.
    func pages(of state: any ExtensionState) -> ViewState { state as! ViewState }

    override func log(isIncomplete: Bool) -> (any ExtensionLog)? {
        ViewLog(operations: [], isIncomplete: isIncomplete)
    }

    override func loadLog(_ bytes: ArraySlice<UInt8>) -> (any ExtensionLog)? { ViewLog(bytes) }
}
