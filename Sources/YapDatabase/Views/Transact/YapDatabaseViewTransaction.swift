import FileEngine
import ListChanges

/// A transaction's access to a view: its groups, their counts, and the row at each position.
///
/// ```swift
/// try connection.read { transaction in
///     // Nil if the view is not registered yet.
///     guard let view = transaction.ext("order") as? YapDatabaseViewTransaction else { return }
///     print(try view.object(at: 0, inGroup: "books") ?? "none")
/// }
/// ```
///
/// The first use of a large view in a process reads where its pages are; if that is impossible, functions that cannot throw answer as for an empty
/// view, and the transaction throws the error at the end of its closure. Otherwise counts cost O(log groups) and read nothing. Finding the row at
/// a position, or the position of a row, costs O(log n) and reads at most one page, once.
public class YapDatabaseViewTransaction: YapDatabaseExtensionTransaction, ViewFollower {
    /// The state with which the transaction began.
    private var start: (any ExtensionState)?
    /// The pages, from the first use on.
    @exclusivity(unchecked) private var pages: ViewPages?
    /// Empty pages in place of those that could not be read, until the error is thrown at the end of the closure: what was placed in them must be
    /// found again, and damage is not to be read again by each function.
    private var failedPages: ViewPages?
    private let configuration: any YapDatabaseView & ExtensionHooks
    /// The extensions that follow this view, and the version of the list of extensions that they are from. Unchecked: they are assigned as a
    /// whole.
    @exclusivity(unchecked) private var followers: (all: [any ViewFollower], version: Int) = ([], -1)

    init(
        view: any YapDatabaseView & ExtensionHooks, name: String, transaction: YapDatabaseReadTransaction,
        state: (any ExtensionState)?
    ) {
        (configuration, start) = (view, state)
        super.init(name: name, transaction: transaction)
    }

    /// The pages of the view, without the rows that wait for their places.
    ///
    /// If they cannot be read they are empty here, and the transaction throws the error at its end.
    var unsettledPages: ViewPages { pages ?? makePages() }

    private func makePages() -> ViewPages {
        if let failedPages, transaction.failure != nil { return failedPages }
        failedPages = nil
        do {
            let made = try pages(of: startState())
            pages = made
            return made
        } catch {
            transaction.fail(error)
            let made = pages(of: ViewState())
            failedPages = made
            return made
        }
    }

    private func startState() throws -> ViewState {
        guard let start else { return ViewState() }
        return try start.unread?.state(ofView: name, in: transaction) ?? start as! ViewState
    }

    private func pages(of state: ViewState) -> ViewPages {
        ViewPages(
            name: name, store: transaction.store, isPersistent: isPersistent, cache: configuration.cache,
            state: state, log: transaction.newLog())
    }

    /// Whether nothing has used the pages, and the file has them as they are.
    private var areUntouched: Bool { pages == nil && start?.isUnstored != true }

    /// Places the rows that wait, then returns the pages of the view with all changes of the transaction.
    ///
    /// Placing rows writes to the file; an error of that is thrown at the commit. Code that places rows uses ``unsettledPages`` instead.
    func settledPages() -> ViewPages {
        placeWaitingRows()
        return unsettledPages
    }

    /// Places the rows that were written and whose place was deferred. An error is kept and thrown at the commit.
    func placeWaitingRows() {}

    var isPersistent: Bool { configuration.isPersistent }

    /// Returns the tag of the blocks that the view was filled with.
    ///
    /// ```swift
    /// if view.versionTag() != "2019-05-20" { print("filled with other blocks") }
    /// ```
    public func versionTag() -> String { configuration.versionTag }

    /// Replaces the blocks of a ``YapDatabaseAutoView``; see there. Throws for a view of another kind, which has none.
    ///
    /// ```swift
    /// try view.setGrouping(grouping, sorting: sorting, versionTag: "by genre")
    /// ```
    ///
    /// - Parameters:
    ///   - grouping: decides the group of each row; runs on the thread of the transaction.
    ///   - sorting: decides the order in a group; runs on the thread of the transaction.
    ///   - versionTag: must differ from the present one.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` for a view without grouping and sorting blocks.
    public func setGrouping(
        _ grouping: YapDatabaseViewGrouping, sorting: YapDatabaseViewSorting, versionTag: String
    ) throws {
        throw YapDatabaseError(
            .badExtension,
            "\"\(name)\" is a \(configuration.className), which has no grouping and sorting blocks. Only a YapDatabaseAutoView has."
        )
    }

    // MARK: Registering

    /// Loads the view if the file has it up to date; otherwise makes its tables, empty.
    /// - Returns: whether the view is empty and has to be filled.
    func prepareTables(_ previous: RegisteredExtension?) throws -> Bool {
        guard configuration.isPersistent else { return true }
        let store = transaction.store
        if previous == configuration.registered, try store.hasViewTables(view: name) {
            try loadPages()
            try removeLostRows()
            return false
        }
        try store.dropViewTables(view: name)
        try store.createViewTables(view: name)
        settledPages().isMadeAgain = true
        return true
    }

    /// Removes the lost rows whose rowids new rows will get: such a row would stand in the view twice.
    private func removeLostRows() throws {
        let lost = try transaction.store.rowidsBehindRows(view: name)
        if lost.isEmpty { return }
        try requireWriting()
        for rowid in lost {
            do {
                guard let place = try settledPages().place(ofRowid: rowid) else { continue }
                // What its key was, nothing says.
                try remove(rowid, RowKey(collection: "", key: ""), at: place)
            } catch let error as YapDatabaseError where error.code == .corrupt {
                // Reading the view says so.
            }
        }
    }

    /// Makes the pages of the file those of the transaction. They are read when they are used first, if the file has a summary of them.
    func loadPages() throws {
        let store = transaction.store
        if !transaction.hasWritten, let found = try? store.foundSummary(ofView: name) {
            (start, pages) = (UnreadPages(found), nil)
        } else {
            settledPages().state = try ViewState(store.pages(ofView: name), view: name)
        }
    }

    /// From the commit on, the view is registered with these blocks and this tag.
    func replaceView(by view: any YapDatabaseView & ExtensionHooks) throws {
        readWriteTransaction("Another block").replaceExtension(name, with: view)
        if view.isPersistent {
            try transaction.store.replaceTag(by: view.versionTag, extension: name)
            try readWriteTransaction("Another block").storeCollections(of: view, name)
        }
    }

    // MARK: Edits that other views follow

    func remove(_ rowid: Int64, _ key: RowKey, at place: RowPlace) throws {
        try unsettledPages.remove(rowid, key: key, at: place)
        try notifyFollowers(.left(rowid, key))
    }

    /// Records that a row changed that keeps its place.
    func noteUpdate(_ row: ChangedRow, at place: RowPlace) throws {
        unsettledPages.noteUpdate(key: row.key, at: place, flags: row.flags)
        try notifyFollowers(.placed(row, from: place.group), isNews: false)
    }

    var followsRows: Bool { true }

    /// Called after every change of a view that this one follows.
    func follow(_ view: YapDatabaseViewTransaction, _ change: FollowedChange) throws {}

    /// Tells the extensions that depend on this view what it has just done.
    /// - Parameter isNews: false if dormant extensions that may read from the view stay right, or if they are marked as stale elsewhere.
    func notifyFollowers(_ change: FollowedChange, isNews: Bool = true) throws {
        guard let transaction = transaction as? YapDatabaseReadWriteTransaction else { return }
        if isNews { try transaction.noteViewChange() }
        for follower in followers(in: transaction) where !transaction.rearranging.contains(follower.name) {
            try follower.follow(self, change)
        }
    }

    func followers(in transaction: YapDatabaseReadWriteTransaction) -> [any ViewFollower] {
        if followers.version != transaction.extensionsVersion {
            followers.all = transaction.links.dependents(of: name)
                .compactMap { transaction.ext($0) as? any ViewFollower }
            followers.version = transaction.extensionsVersion
        }
        return followers.all
    }

    // MARK: Hooks

    /// Called when the row was touched in this view alone.
    func didTouch(_ row: ChangedRow) throws { try didUpdate(row) }

    /// A view whose rows and order do not follow from the rows' values does nothing.
    package func didUpdate(_ row: ChangedRow) throws {}

    package func didRemove(_ rows: [RemovedRow]) throws {
        // Last to first, as in the original's log: it determines which rows a dependency reports.
        for row in rows.reversed() {
            if let place = try unsettledPages.place(ofRowid: row.rowid) { try remove(row.rowid, row.key, at: place) }
        }
    }

    package func didRemoveAll() throws {
        unsettledPages.removeAll()
        try notifyFollowers(.cleared)
    }

    /// A view that is right is stored, with what earlier commits left in memory. Another one stays in memory, and the file keeps the last
    /// right state.
    package func prepareCommit() throws {
        let writer = transaction as? YapDatabaseReadWriteTransaction
        if areUntouched, writer?.placed.contains(name) != true { return }
        if isPersistent, let writer, writer.isCompleting || writer.behind[name] != nil {
            guard settledPages().hasChanges || writer.isCompleting && writer.placed.contains(name) else { return }
            if !writer.isCompleting { try transaction.store.markStale(extension: name) }
            try settledPages().keepUnstored()
        } else if settledPages().hasChanges || settledPages().state.isUnstored {
            try settledPages().persist(number: writer?.snapshot.version.next.number)
        }
    }

    package func didStoreClosing() {
        // Pages that were not read have one.
        if pages != nil || start?.unread == nil { unsettledPages.state.hasSummary = true }
    }

    package func goneRows() throws -> [Int64] {
        let pages = settledPages()
        guard isPersistent, !pages.isCleared else { return try pages.allRowids.filter(isGone) }
        let edited = try pages.mapChanges.compactMap { $1 == nil ? nil : $0 }.filter(isGone)
        return try transaction.store.rowsOfViewWithoutRow(view: name).filter { pages.mapChanges[$0] == nil } + edited
    }

    private func isGone(_ rowid: Int64) throws -> Bool { try transaction.store.key(forRowid: rowid) == nil }

    package var commitState: (any ExtensionState)? { areUntouched ? start ?? ViewState() : settledPages().state }
    /// Other rows that are left out are a change, even if the view has the same rows.
    package var commitLog: (any ExtensionLog)? {
        guard !areUntouched, var log = settledPages().commitLog else {
            return hasNewProblems ? ViewLog(operations: .empty) : nil
        }
        log.changesProblems = hasNewProblems
        return log
    }

    package func leftOutRows() throws -> [LeftOutRow] {
        if isPersistent { return try transaction.store.leftOutRows(extension: name) }
        var rows: [LeftOutRow] = []
        unsettledPages.state.leftOut.forEach { _, row in
            rows.append(row)
            return true
        }
        return rows
    }

    package func keep(_ row: LeftOutRow) -> Bool {
        if unsettledPages.state.leftOut[row.rowid] == row { return false }
        unsettledPages.state.leftOut.insert(row, for: row.rowid)
        return true
    }

    package func endKeeping(_ rowid: Int64) { unsettledPages.state.leftOut.remove(rowid) }

    func readWriteTransaction(_ caller: String) -> YapDatabaseReadWriteTransaction {
        guard let transaction = transaction as? YapDatabaseReadWriteTransaction else {
            fatalError("\(caller) changes the view, so it needs a read-write transaction.")
        }
        return transaction
    }
}

/// The transaction of an extension that is made from a view.
protocol ViewFollower: AnyObject {
    var name: String { get }
    /// False for a follower that the core notifies of changed rows itself, so that it needs nothing from the view but rearrangements.
    var followsRows: Bool { get }
    /// Called after every change of the view.
    func follow(_ view: YapDatabaseViewTransaction, _ change: FollowedChange) throws
}
