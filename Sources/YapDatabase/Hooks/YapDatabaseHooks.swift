import ListChanges

/// What happens to a row, as ``YapDatabaseHooks`` reports it.
public struct YapDatabaseHooksBitMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The row is new. Not set for a touch, like ``updatedRow``.
    public static let insertedRow = YapDatabaseHooksBitMask(rawValue: 1 << 0)
    /// The row exists already.
    public static let updatedRow = YapDatabaseHooksBitMask(rawValue: 1 << 1)
    /// The object is set.
    public static let changedObject = YapDatabaseHooksBitMask(rawValue: 1 << 2)
    /// The metadata is set or removed.
    public static let changedMetadata = YapDatabaseHooksBitMask(rawValue: 1 << 3)
    /// The object is touched.
    public static let touchedObject = YapDatabaseHooksBitMask(rawValue: 1 << 4)
    /// The metadata is touched.
    public static let touchedMetadata = YapDatabaseHooksBitMask(rawValue: 1 << 5)
}

/// Calls blocks inside the write transaction, before and after each change of a row.
///
/// ```swift
/// let hooks = YapDatabaseHooks()
/// hooks.didRemoveRow = { transaction, collection, key in
///     try transaction.removeObject(forKey: key, inCollection: "thumbnails")
/// }
/// try database.register(hooks, withName: "hooks")
/// ```
///
/// The blocks run on the thread of the transaction that changes the row. A block may read and write through the transaction that it is given; the blocks then hear of these changes too. If it throws,
/// the transaction fails. After a change all other extensions are up to date before the blocks are called.
///
/// Nothing is stored: only writes of this process are reported, and only while the extension is registered. Set the blocks before
/// registering; a later change takes effect with the next row.
public final class YapDatabaseHooks: YapDatabaseExtension, ExtensionHooks, @unchecked Sendable {
    // @unchecked: all mutable state is behind a lock.

    /// Receives the transaction, collection, key, object and metadata, and what happens to the row.
    ///
    /// Before the change the proxies have the new values; a value that stays is read when it is asked for.
    public typealias ModifyRow =
        @Sendable (
            YapDatabaseReadWriteTransaction, String, String, YapProxyObject, YapProxyObject, YapDatabaseHooksBitMask
        ) throws -> Void
    /// Receives the transaction, collection and key.
    public typealias RemoveRow = @Sendable (YapDatabaseReadWriteTransaction, String, String) throws -> Void
    /// Called for `removeAllObjectsInAllCollections()`, which calls no block for its rows.
    public typealias RemoveAllRows = @Sendable (YapDatabaseReadWriteTransaction) throws -> Void

    struct Blocks {
        var allowedCollections: YapWhitelistBlacklist?
        var willModifyRow: ModifyRow?
        var didModifyRow: ModifyRow?
        var willRemoveRow: RemoveRow?
        var didRemoveRow: RemoveRow?
        var willRemoveAllRows: RemoveAllRows?
        var didRemoveAllRows: RemoveAllRows?
    }

    private let stored = Locked(Blocks())

    /// Creates an extension that reports nothing until a block is set.
    public init() { super.init(className: "YapDatabaseHooks", classVersion: 1) }

    var blocks: Blocks { stored.withLock { $0 } }

    /// The collections whose rows are reported; nil for all.
    public var allowedCollections: YapWhitelistBlacklist? {
        get { blocks.allowedCollections }
        set { stored.withLock { $0.allowedCollections = newValue } }
    }
    /// Called before a row is set, replaced or touched.
    public var willModifyRow: ModifyRow? {
        get { blocks.willModifyRow }
        set { stored.withLock { $0.willModifyRow = newValue } }
    }
    /// Called after a row was set, replaced or touched.
    public var didModifyRow: ModifyRow? {
        get { blocks.didModifyRow }
        set { stored.withLock { $0.didModifyRow = newValue } }
    }
    /// Called before a row is removed.
    public var willRemoveRow: RemoveRow? {
        get { blocks.willRemoveRow }
        set { stored.withLock { $0.willRemoveRow = newValue } }
    }
    /// Called after a row was removed.
    public var didRemoveRow: RemoveRow? {
        get { blocks.didRemoveRow }
        set { stored.withLock { $0.didRemoveRow = newValue } }
    }
    /// Called before all rows of all collections are removed.
    public var willRemoveAllRows: RemoveAllRows? {
        get { blocks.willRemoveAllRows }
        set { stored.withLock { $0.willRemoveAllRows = newValue } }
    }
    /// Called after all rows of all collections were removed.
    public var didRemoveAllRows: RemoveAllRows? {
        get { blocks.didRemoveAllRows }
        set { stored.withLock { $0.didRemoveAllRows = newValue } }
    }

    package var isPersistent: Bool { false }
    package var isObserver: Bool { true }

    package func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> any TransactionHooks {
        YapDatabaseHooksTransaction(hooks: self, name: name, transaction: transaction)
    }
}
