import FileEngine
import ListChanges

/// What the core asks of an extension. Each hook has a default: that of an extension that derives nothing and has no tables.
///
/// The core calls an extension in this order:
/// 1. `register` opens a read-write transaction, asks for a transaction object with `state == nil` and calls its
///    `beginRegister()`, which creates, loads or repopulates the tables, or returns a `RowReceiver` that is filled from rows.
/// 2. Every later read-write transaction makes one transaction object per extension, in the order of registration,
///    with the state of the snapshot that it builds on, and calls its ``TransactionHooks``.
/// 3. A reader at snapshot n gets transaction objects with the state of snapshot n. Nothing is read to get there.
/// 4. When no `Commit` of this process leads to a snapshot, the core calls `loadState`.
/// 5. When the database is closed, or rests after many commits, `closing` may give the file something from which the newest state is loaded sooner.
///
/// A class that conforms has no subclass with hooks of its own: where a class is silent, its conformance has the default, and a subclass
/// would not be heard (`HookTests`). Classes with subclasses offer what these share, and do not conform.
package protocol ExtensionHooks: YapDatabaseExtension {
    /// Changes when the extension's blocks change; another tag repopulates.
    var versionTag: String { get }
    /// The names of the extensions that this one reads from, and of those that derive the rows that it holds. They must be registered before it and
    /// stay registered as long as it.
    var dependencies: Set<String> { get }
    /// The version tags that some of the `dependencies` must have, by their names. With another tag they have another content. The extension's own
    /// tag contains these tags, so its stored content would count as right although it was made from that.
    var neededTags: [String: String] { get }
    /// The extension that this one serves alone, whose registration ends together with it; nil for none.
    var partOf: String? { get }
    /// False keeps everything in memory: no tables, no `yap2` rows.
    var isPersistent: Bool { get }
    /// The collections whose rows the extension may hold; nil for all. Those that it depends on may say less.
    var collections: YapWhitelistBlacklist? { get }
    /// Whether the extension only reports changes: it hears of them before they happen too, and afterwards as the last. Its hooks
    /// may change any rows: all other extensions know the change that it hears of.
    var isObserver: Bool { get }
    /// Whether it writes rows of its own, which follow from others.
    var derivesRows: Bool { get }
    /// How it gets right after commits of programs that do not know it.
    var recovery: ExtensionRecovery { get }
    /// Whether it also changes where no row does: its rows are placed by hand, or something else is searched for.
    var changesByItself: Bool { get }

    /// The state at the transaction's snapshot, read from the store. Must not call a block of the user.
    func loadState(name: String, transaction: YapDatabaseReadTransaction) throws -> any ExtensionState

    /// What is stored of the newest state when the database is closed or rests, so that the next `loadState` is quick; nil if nothing is. May be
    /// called on any thread.
    /// - Parameter number: that of the commit whose state the file will have.
    func closing(_ state: any ExtensionState, name: String, number: Int, in store: Store) -> (() throws -> Void)?

    /// About how many bytes are stored of a state then; 0 if nothing is.
    func sizeOfClosing(_ state: any ExtensionState) -> Int

    /// The log that another process wrote; nil when the bytes are none.
    func loadLog(_ bytes: ArraySlice<UInt8>) -> (any ExtensionLog)?

    /// The log of a commit that did nothing to it, or anything; nil for an extension without logs.
    func log(isIncomplete: Bool) -> (any ExtensionLog)?

    /// - Parameter state: nil only while the extension is being registered.
    func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> any TransactionHooks

    func makeConnection(name: String, connection: YapDatabaseConnection) -> YapDatabaseExtensionConnection

    /// Called after the commit that registered the extension.
    func didRegister(withName name: String, in database: YapDatabase)

    /// Waits until its queues have done what follows from the commits so far.
    func waitUntilIdle() async
}

extension ExtensionHooks {
    /// Returns the name of an extension that has another version tag than ``neededTags`` says; nil if there is none.
    func otherDeclaration(among extensions: [(name: String, extension: any ExtensionHooks)]) -> String? {
        neededTags.first { name, tag in
            extensions.contains { $0.name.hasSameBytes(as: name) && !$0.extension.versionTag.hasSameBytes(as: tag) }
        }?.key
    }

    /// The names of the extensions that derive the rows of this extension's ``collections``.
    package var derivingExtensions: Set<String> {
        Set(collections?.whitelist?.compactMap { RowTable.derivingExtension(ofCollection: $0.text) } ?? [])
    }

    package var versionTag: String { "" }
    package var dependencies: Set<String> { derivingExtensions }
    package var neededTags: [String: String] { [:] }
    package var partOf: String? { nil }
    package var isPersistent: Bool { true }
    package var collections: YapWhitelistBlacklist? { nil }
    package var isObserver: Bool { false }
    package var derivesRows: Bool { false }
    package var recovery: ExtensionRecovery { .rebuilding }
    package var changesByItself: Bool { false }

    package func loadState(name: String, transaction: YapDatabaseReadTransaction) throws -> any ExtensionState {
        NoState()
    }
    package func closing(
        _ state: any ExtensionState, name: String, number: Int, in store: Store
    ) -> (() throws -> Void)? { nil }
    package func sizeOfClosing(_ state: any ExtensionState) -> Int { 0 }
    package func loadLog(_ bytes: ArraySlice<UInt8>) -> (any ExtensionLog)? { nil }
    package func log(isIncomplete: Bool) -> (any ExtensionLog)? { nil }
    package func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> any TransactionHooks { SilentTransaction(name: name, transaction: transaction) }
    package func makeConnection(
        name: String, connection: YapDatabaseConnection
    ) -> YapDatabaseExtensionConnection { YapDatabaseExtensionConnection(name: name, connection: connection) }
    package func didRegister(withName name: String, in database: YapDatabase) {}
    package func waitUntilIdle() async {}
    /// The entry in `yap2` of this extension while its tables are up to date.
    var registered: RegisteredExtension {
        RegisteredExtension(className: className, classVersion: classVersion, versionTag: versionTag)
    }
}

/// The transaction of an extension that derives nothing and has nothing to read.
private final class SilentTransaction: YapDatabaseExtensionTransaction, TransactionHooks {}

extension YapDatabaseExtension {
    /// The extension, as the core calls it.
    var hooks: any ExtensionHooks {
        guard let hooks = self as? any ExtensionHooks else {
            fatalError("\(type(of: self)) is the base of other extensions. Register one of these.")
        }
        return hooks
    }
}

extension YapDatabaseError {
    /// What SQLite says of the tables of an extension names only a table, or not even that.
    /// - Parameter extension: the words for it.
    func naming(_ extension: String) -> YapDatabaseError {
        let words = "It happened in the tables of "
        guard code == .corrupt || code == .sqlite, sqliteCode != nil, !message.contains(words) else { return self }
        var named = self
        named.message +=
            " \(words)\(`extension`). Another version tag makes them again, as far as they follow from the rows; `yap check` says what is wrong."
        return named
    }
}
