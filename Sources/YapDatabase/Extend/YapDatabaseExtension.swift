import Foundation
import ListChanges

/// Something that hears of every write and keeps a derived structure in step with it: a view, an index.
///
/// An extension instance holds only its configuration and never changes after `init`, so every connection may share
/// it. What it derives lives in three places: in the store (tables named after the extension), in an
/// ``ExtensionState`` that belongs to one snapshot, and, inside a read-write transaction, in its
/// ``YapDatabaseExtensionTransaction``.
///
/// The life of an extension inside the core:
/// 1. `register` opens a read-write transaction, asks for a transaction object with `state == nil` and calls its
///    `register()`, which creates, loads or repopulates the tables.
/// 2. Every later read-write transaction makes one transaction object per extension, in the order of registration,
///    with the state of the snapshot that it builds on. The core calls the `did…` hooks after the rows themselves are
///    written, then `prepareCommit()`, then takes `commitState` and `commitLog` into the commit record.
/// 3. A reader at snapshot n gets transaction objects with the state of snapshot n. Nothing is read to get there.
/// 4. When the core meets a snapshot that no commit record of this process tells of, it asks `loadState`.
open class YapDatabaseExtension: @unchecked Sendable {
    // @unchecked: subclasses hold immutable configuration only; the compiler cannot check that for an open class.

    /// For subclasses.
    public init() {}

    /// The original's class name, such as `YapDatabaseAutoView`, as it is stored in `yap2`.
    var className: String { fatalError("An extension must name its class as the original does.") }
    /// The version of the table layout, as it is stored in `yap2`.
    var classVersion: Int { fatalError("An extension must state the version of its tables.") }
    /// Changes when the extension's blocks change; another tag repopulates.
    var versionTag: String { "" }
    /// What `yap2` says of the extension while it is up to date and this one's.
    final var registered: RegisteredExtension {
        RegisteredExtension(className: className, classVersion: classVersion, versionTag: versionTag)
    }
    /// The names of other extensions that this one reads; they must be registered before it and stay as long as it.
    var dependencies: Set<String> { [] }
    /// False keeps everything in memory: no tables, no `yap2` rows.
    var isPersistent: Bool { true }

    /// The state at the transaction's snapshot, read from the store. Must not call a block of the user.
    func loadState(name: String, transaction: YapDatabaseReadTransaction) throws -> any ExtensionState {
        fatalError("An extension must load its state.")
    }

    /// The log that another process wrote; nil when the bytes are none.
    func loadLog(_ bytes: ArraySlice<UInt8>) -> (any ExtensionLog)? { nil }

    /// - Parameter state: nil only while the extension is being registered.
    func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> YapDatabaseExtensionTransaction {
        fatalError("An extension must make its transactions.")
    }

    func makeConnection(name: String, connection: YapDatabaseConnection) -> YapDatabaseExtensionConnection {
        YapDatabaseExtensionConnection(name: name, connection: connection)
    }

    /// Drops the extension's tables. Also called for extensions of an earlier launch that are no longer registered.
    func dropTables(name: String, transaction: YapDatabaseReadWriteTransaction) throws {}
}

/// What an extension derives, as of one snapshot: an immutable value, shared between connections.
protocol ExtensionState: Sendable {
    /// Whether these logs can lead from the state before to this one. They come from another process, so they may be wrong;
    /// where this cannot be told, it is true.
    func isReached(from before: any ExtensionState, by logs: [any ExtensionLog]) -> Bool
}

/// What an extension did in one commit, carried by the commit record: an immutable value. A view's log is one.
protocol ExtensionLog: Sendable {
    /// Bytes that it takes, roughly.
    var size: Int { get }
    /// The log for other processes; nil where they have to load the extension's state instead.
    var bytes: [UInt8]? { get }
}

extension ExtensionState {
    func isReached(from before: any ExtensionState, by logs: [any ExtensionLog]) -> Bool { true }
}

extension ExtensionLog {
    var bytes: [UInt8]? { nil }
}

/// What an extension remembers on one connection between its write transactions.
protocol ExtensionMemory: AnyObject {
    /// A transaction has ended; the next one of the connection may come at once or never.
    func trim()
}

/// One connection's access to an extension, valid as long as the connection. `connection.ext("order")`
open class YapDatabaseExtensionConnection {
    /// The name under which the extension is registered.
    public let name: String
    unowned let connection: YapDatabaseConnection

    init(name: String, connection: YapDatabaseConnection) {
        self.name = name
        self.connection = connection
    }
}

/// One transaction's access to an extension, valid as long as the transaction. `transaction.ext("order")`
open class YapDatabaseExtensionTransaction {
    /// The name under which the extension is registered.
    public let name: String
    unowned let transaction: YapDatabaseReadTransaction

    init(name: String, transaction: YapDatabaseReadTransaction) {
        self.name = name
        self.transaction = transaction
    }

    // MARK: Called by the core in read-write transactions. An error that a hook throws fails the whole transaction.

    /// Creates, loads or repopulates the tables; `previous` is what `yap2` says of this name, nil if it is new. Whoever
    /// repopulates tells `progress`, and throws when it is cancelled.
    func register(previous: RegisteredExtension?, progress: Progress?) throws {}
    func didInsert(_ row: ChangedRow) throws {}
    /// The row exists before and after; `row.flags` says what was set, `row.isTouch` whether it was only touched.
    func didUpdate(_ row: ChangedRow) throws {}
    /// The rows are gone from `database2`; their rowids may be used again by the next insert.
    func didRemove(_ rows: [RemovedRow]) throws {}
    /// Every row of every collection is gone.
    func didRemoveAll() throws {}
    /// Everything goes to the store now; after this the hooks are not called any more.
    func prepareCommit() throws {}

    /// The state of the snapshot that the commit makes; asked after `prepareCommit()`. Nil: as it was.
    var commitState: (any ExtensionState)? { nil }
    /// What happened, for those who follow; nil if nothing did.
    var commitLog: (any ExtensionLog)? { nil }
}
