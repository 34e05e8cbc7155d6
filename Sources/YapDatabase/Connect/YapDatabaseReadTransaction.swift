import Foundation
import ListChanges

/// A transaction that reads one committed state of the database, unaffected by later commits.
///
/// A transaction is valid inside its closure, on the thread that runs it. Reading throws ``YapDatabaseError``: with
/// `decodingFailed` if a value cannot be decoded, with `corrupt`, `inputOutput` or `interrupted` if the file cannot be read; a
/// missing row is nil. After some disk errors SQLite ends the transaction by itself, and every later call in it throws that
/// error. A collection of nil is the collection `""`. See <doc:Errors>.
public class YapDatabaseReadTransaction {
    /// The connection that runs the transaction.
    public unowned let connection: YapDatabaseConnection
    /// Any value of the caller's.
    public var userInfo: Any?

    /// Nil once the transaction has ended.
    private var openStore: Store?
    var codings: CodingTable
    /// The codings by which registered lists and indexes read rows, while the transaction reads rows of their collections as another type.
    private var codingsOfExtensions: CodingTable?
    /// Whether the transaction has read or written rows as another type than registered lists and indexes do. Caches do not keep what it writes.
    private(set) var mixesTypes = false
    /// The codings of the last used collection, at first that of the connection's last transaction.
    var lastCoding: RowCoding?
    /// The ``YapCollection`` that was used last, by the object that its copies share, and its coding.
    var lastDeclared: AnyObject?
    var lastDeclaredCoding: DeclaredCoding?
    /// The state that the transaction reads. A read-write transaction builds on it.
    let snapshot: Snapshot
    /// The extension transactions used so far, by name. Unchecked: no body that changes them runs code of the app.
    @exclusivity(unchecked) var extensionTransactions = NamedValues<any TransactionHooks>()
    /// The present of everything that the transaction derives from the time.
    private(set) lazy var now = connection.database.options.clock.now
    /// What the transaction throws at the end of its closure.
    @exclusivity(unchecked) var failure: (any Error)?
    /// Whether the transaction has written, so that what it reads has no number yet.
    var hasWritten: Bool { false }
    /// The number of steps that inserted or removed rows.
    var keyChanges: Int { 0 }
    /// Collects which rows extensions cannot decode; nil in a transaction that only reads.
    var leftOut: LeftOutRows? { nil }

    /// Returns a new log for the operations of one view in this transaction.
    func newLog() -> OperationLog { .empty }

    init(connection: YapDatabaseConnection, store: Store, codings: CodingTable, snapshot: Snapshot) {
        self.connection = connection
        openStore = store
        self.codings = codings
        self.snapshot = snapshot
        if let (coding, version) = connection.lastCoding, version == codings.version { lastCoding = coding }
    }

    var store: Store {
        guard let openStore else {
            fatalError(
                "A transaction was used after its closure returned. It is valid inside the closure only.")
        }
        return openStore
    }

    /// The connection's caches. Throws if SQLite has ended the transaction.
    var caches: RowCaches {
        get throws {
            try store.checkTransaction()
            return connection.caches
        }
    }

    /// Makes the transaction throw an error at the end of its closure, because a function met it that cannot throw.
    func fail(_ error: any Error) { failure = failure ?? error }

    /// Begins to read rows as another type than registered lists and indexes do. The caller changes the codings.
    func leaveCodingsOfExtensions() {
        mixesTypes = true
        if codingsOfExtensions == nil { codingsOfExtensions = codings }
        codings.leaveDatabase()
        connection.caches.begin(with: codings)
    }

    /// Reads rows as registered lists and indexes do again: called before any of their code runs.
    func useCodingsOfExtensions() {
        guard let codings = codingsOfExtensions else { return }
        codingsOfExtensions = nil
        self.codings = codings
        (lastCoding, lastDeclared, lastDeclaredCoding) = (nil, nil, nil)
        connection.caches.begin(with: codings)
    }

    /// Invalidates the transaction object. The caller ends the store's transaction.
    func invalidate() { openStore = nil }

    /// Returns this transaction's access to a registered extension; nil if this state of the database has none of that name,
    /// or another program has registered something else under it. Cast it: `transaction.ext("order") as?
    /// YapDatabaseViewTransaction`.
    ///
    /// ```swift
    /// let view = transaction.ext("order") as? YapDatabaseViewTransaction
    /// ```
    public func ext(_ name: String) -> YapDatabaseExtensionTransaction? { hooks(ofExtension: name) }

    /// The same transaction object, as the core calls it.
    func hooks(ofExtension name: String) -> (any TransactionHooks)? {
        useCodingsOfExtensions()
        if let made = extensionTransactions[name] { return made }
        guard let made = makeExtensionTransaction(name, near: nil) else {
            connection.database.logAbsence(of: name, in: snapshot)
            return nil
        }
        extensionTransactions[name] = made
        return made
    }

    /// - Parameter place: where the extension is in a list of them, if that is known; ``Snapshot/entry(_:near:)``.
    func makeExtensionTransaction(_ name: String, near place: Int?) -> (any TransactionHooks)? {
        snapshot.entry(name, near: place).map {
            $0.extension.makeTransaction(name: name, transaction: self, state: $0.state)
        }
    }
}
