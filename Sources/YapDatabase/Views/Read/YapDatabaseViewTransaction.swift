import ListChanges

/// A transaction's access to a view: its groups, their counts, and the row at each position.
///
/// ```swift
/// try connection.read { transaction in
///     guard let view = transaction.ext("order") as? YapDatabaseViewTransaction else { return }  // not registered yet
///     let first = try view.object(at: 0, inGroup: "books") as? Book
/// }
/// ```
///
/// Counts cost O(log groups) and read nothing. Finding the row at a position, or the position of a row, costs O(log n)
/// and reads at most one page, once.
public class YapDatabaseViewTransaction: YapDatabaseExtensionTransaction {
    let pages: ViewPages
    private let isPersistent: Bool

    init(view: YapDatabaseView, name: String, transaction: YapDatabaseReadTransaction, state: ViewState?) {
        isPersistent = view.isPersistent
        pages = ViewPages(
            name: name, store: transaction.store, isPersistent: view.isPersistent, cache: view.cache,
            state: state ?? ViewState())
        super.init(name: name, transaction: transaction)
    }

    /// Returns the tag of the blocks that the view was filled with.
    public func versionTag() -> String { "" }

    // MARK: Hooks

    override func didRemove(_ rows: [RemovedRow]) throws {
        // Last to first, as in the original's log: it determines which rows a dependency reports.
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
