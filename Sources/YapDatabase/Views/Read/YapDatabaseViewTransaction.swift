import ListChanges

/// A transaction's access to a view: how many groups and rows, and which row stands where.
///
/// ```swift
/// try connection.read { transaction in
///     guard let view = transaction.ext("order") as? YapDatabaseViewTransaction else { return }  // not registered yet
///     let first = try view.object(at: 0, inGroup: "books") as? Book
/// }
/// ```
///
/// Counts cost O(log groups) and read nothing; finding the row at a position, or the position of a row, costs
/// O(log n) and reads at most one page, once.
public class YapDatabaseViewTransaction: YapDatabaseExtensionTransaction {
    let pages: ViewPages
    private let isPersistent: Bool

    init(view: YapDatabasePagedView, name: String, transaction: YapDatabaseReadTransaction, state: ViewState?) {
        isPersistent = view.isPersistent
        pages = ViewPages(
            name: name, store: transaction.store, isPersistent: view.isPersistent, cache: view.cache,
            state: state ?? ViewState())
        super.init(name: name, transaction: transaction)
    }

    /// The tag of the blocks that made the view what it is.
    public func versionTag() -> String { "" }

    // MARK: Hooks

    override func didRemove(_ rows: [RemovedRow]) throws {
        // Last to first, as the original's log has them: which rows a dependency names depends on it.
        for row in rows.reversed() {
            if let place = try pages.place(ofRowid: row.rowid) { try pages.remove(row.rowid, key: row.key, at: place) }
        }
    }

    override func didRemoveAll() throws {
        pages.removeAll()
    }

    override func prepareCommit() throws {
        if pages.hasChanges { try pages.persist() }
    }

    override var commitState: (any ExtensionState)? { pages.state }
    override var commitLog: (any ExtensionLog)? { pages.log.isEmpty ? nil : ViewLog(operations: pages.log) }

    func readWriteTransaction(_ caller: String) -> YapDatabaseReadWriteTransaction {
        guard let transaction = transaction as? YapDatabaseReadWriteTransaction else {
            fatalError("\(caller) changes the view, so it needs a read-write transaction.")
        }
        return transaction
    }
}
