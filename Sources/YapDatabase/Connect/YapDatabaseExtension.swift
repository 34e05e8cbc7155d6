import FileEngine
import Foundation
import ListChanges

/// A derived structure that every write keeps up to date: a view, an index.
///
/// An extension instance holds only its configuration and never changes after `init`, so all connections share it. What it
/// derives is in three places: in the store (tables named after the extension), in an `ExtensionState` that belongs to
/// one snapshot, and, inside a read-write transaction, in its ``YapDatabaseExtensionTransaction``.
///
/// The core calls an extension in this order:
/// 1. `register` opens a read-write transaction, asks for a transaction object with `state == nil` and calls its
///    `beginRegister()`, which creates, loads or repopulates the tables, or returns a `RowReceiver` that is filled from rows.
/// 2. Every later read-write transaction makes one transaction object per extension, in the order of registration,
///    with the state of the snapshot that it builds on. Before a row changes, observers get `will…`; after it is written,
///    every extension gets `did…`, observers last. At the end `changeRows()` runs while any extension `hasRowsToChange`, then
///    `prepareCommit()`; then `commitState` and `commitLog` are put into the `Commit`.
/// 3. A reader at snapshot n gets transaction objects with the state of snapshot n. Nothing is read to get there.
/// 4. When no `Commit` of this process leads to a snapshot, the core calls `loadState`.
/// 5. When the database is closed, `pageSummary` may give the file something from which the newest state is loaded sooner.
///
/// Each hook has a default: that of an extension that derives nothing and has no tables. Apps use the subclasses of this
/// module and make none of their own, except of those that say so; the class is `open` for these, and its initializer is not.
open class YapDatabaseExtension: @unchecked Sendable {
    // @unchecked: subclasses hold immutable configuration only; the compiler cannot check that for a class with subclasses.

    /// The original's class name, such as `YapDatabaseAutoView`, as it is stored in `yap2`.
    let className: String
    /// The version of the table layout, as it is stored in `yap2`.
    let classVersion: Int

    init(className: String, classVersion: Int) {
        self.className = className
        self.classVersion = classVersion
    }

    /// Changes when the extension's blocks change; another tag repopulates.
    var versionTag: String { "" }
    /// The entry in `yap2` of this extension while its tables are up to date.
    final var registered: RegisteredExtension {
        RegisteredExtension(className: className, classVersion: classVersion, versionTag: versionTag)
    }
    /// The names of other extensions that this one reads; they must be registered before it and stay as long as it.
    var dependencies: Set<String> { [] }
    /// False keeps everything in memory: no tables, no `yap2` rows.
    var isPersistent: Bool { true }

    /// The collections whose rows the extension may hold; nil for all. Those that it depends on may say less.
    var collections: YapWhitelistBlacklist? { nil }

    /// Whether the extension only reports changes: it hears of them before they happen too, and afterwards as the last. Its hooks
    /// may change any rows: all other extensions know the change that it hears of.
    var isObserver: Bool { false }

    /// How it gets right after commits of programs that do not know it.
    var recovery: ExtensionRecovery { .rebuilding }

    /// The state at the transaction's snapshot, read from the store. Must not call a block of the user.
    func loadState(name: String, transaction: YapDatabaseReadTransaction) throws -> any ExtensionState { NoState() }

    /// What is stored of the newest state when the database is closed, so that the next `loadState` is quick; nil if nothing is.
    func closing(_ state: any ExtensionState, name: String, number: Int, in store: Store) -> (() throws -> Void)? {
        nil
    }

    /// The log that another process wrote; nil when the bytes are none.
    func loadLog(_ bytes: ArraySlice<UInt8>) -> (any ExtensionLog)? { nil }

    /// The log of a commit that did nothing to it, or anything; nil for an extension without logs.
    func log(isIncomplete: Bool) -> (any ExtensionLog)? { nil }

    /// - Parameter state: nil only while the extension is being registered.
    func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> YapDatabaseExtensionTransaction {
        YapDatabaseExtensionTransaction(name: name, transaction: transaction)
    }

    func makeConnection(name: String, connection: YapDatabaseConnection) -> YapDatabaseExtensionConnection {
        YapDatabaseExtensionConnection(name: name, connection: connection)
    }

    /// Called after the commit that registered the extension.
    func didRegister(withName name: String, in database: YapDatabase) {}

    /// Drops the extension's tables. Also called for extensions of an earlier launch that are no longer registered.
    func dropTables(name: String, transaction: YapDatabaseReadWriteTransaction) throws {}
}

/// One connection's access to an extension, valid as long as the connection. `connection.ext("order")`
public class YapDatabaseExtensionConnection {
    /// The name under which the extension is registered.
    public let name: String
    unowned let connection: YapDatabaseConnection

    init(name: String, connection: YapDatabaseConnection) {
        self.name = name
        self.connection = connection
    }
}
