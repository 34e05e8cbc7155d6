/// An extension that stores columns for rows, which a handler sets: the base class of ``YapDatabaseSecondaryIndex``,
/// ``YapDatabaseFullTextSearch`` and ``YapDatabaseRTreeIndex``.
///
/// Its table is in the file, so every transaction finds what belongs to its snapshot, and the extension has no state.
public class YapDatabaseColumnExtension: YapDatabaseExtension, @unchecked Sendable {
    // @unchecked: all properties are `let`.

    let layout: IndexLayout
    let columnHandler: YapDatabaseColumnHandler
    /// The same columns, if fields declare them.
    let fields: FieldColumns?
    let allowed: YapWhitelistBlacklist?
    private let tag: String

    init(
        className: String, layout: IndexLayout, handler: YapDatabaseColumnHandler, fields: FieldColumns? = nil,
        versionTag: String, allowedCollections: YapWhitelistBlacklist?
    ) {
        self.layout = layout
        columnHandler = handler
        self.fields = fields
        tag = versionTag
        allowed = allowedCollections
        super.init(className: className, classVersion: 1)
    }

    /// Changes when the columns or the handler change; another tag fills the table again.
    public override var versionTag: String { tag }

    override var collections: YapWhitelistBlacklist? { allowed }

    override var recovery: ExtensionRecovery { .writing }

    override func dropTables(name: String, transaction: YapDatabaseReadWriteTransaction) throws {
        try transaction.store.dropTables(ofExtension: name)
    }
}
