import ListChanges

/// A look at one committed state of the database: nothing that others commit meanwhile shows in it.
///
/// A transaction is valid inside the closure that gets it, on the thread that runs the closure. Reading throws
/// ``YapDatabaseError`` when the file cannot be read or when a value cannot be decoded; a missing row is nil. After some errors
/// of the disk SQLite ends the transaction by itself: then everything in it throws that error again.
/// A collection of nil is the collection `""`.
public class YapDatabaseReadTransaction {
    /// Whose transaction it is.
    public unowned let connection: YapDatabaseConnection
    /// Whatever the caller wants to carry along.
    public var userInfo: Any?

    /// Nil when the transaction is over.
    private var openStore: Store?
    let codings: CodingTable
    /// The codings of the collection used last.
    var lastCoding: RowCoding?
    /// The state that is read. In a read-write transaction, the state that it builds on.
    let snapshot: Snapshot
    /// The extension transactions that were asked for so far, by name.
    var extensionTransactions: [String: YapDatabaseExtensionTransaction] = [:]
    /// How often the transaction inserted or removed rows.
    var keyChanges: Int { 0 }

    init(connection: YapDatabaseConnection, store: Store, codings: CodingTable, snapshot: Snapshot) {
        self.connection = connection
        openStore = store
        self.codings = codings
        self.snapshot = snapshot
    }

    var store: Store {
        guard let openStore else {
            fatalError(
                "A transaction was used after its closure returned. It is valid inside the closure only.")
        }
        return openStore
    }

    /// The connection's caches, unless SQLite has ended the transaction.
    var caches: RowCaches {
        get throws {
            try store.checkTransaction()
            return connection.caches
        }
    }

    /// Ends the transaction's life. What SQLite knows of it is ended by the caller.
    func invalidate() { openStore = nil }

    /// This transaction's access to a registered extension, nil when there is none of that name in this state of the
    /// database, or when another program has registered something else under it. Cast it:
    /// `transaction.ext("order") as? YapDatabaseViewTransaction`.
    public func ext(_ name: String) -> YapDatabaseExtensionTransaction? {
        if let made = extensionTransactions[name] { return made }
        guard let made = makeExtensionTransaction(name) else {
            connection.database.logAbsence(of: name, in: snapshot)
            return nil
        }
        extensionTransactions[name] = made
        return made
    }

    func makeExtensionTransaction(_ name: String) -> YapDatabaseExtensionTransaction? {
        snapshot.entry(name).map { $0.extension.makeTransaction(name: name, transaction: self, state: $0.state) }
    }

    /// The same as ``ext(_:)``.
    public func `extension`(_ name: String) -> YapDatabaseExtensionTransaction? { ext(name) }
}
