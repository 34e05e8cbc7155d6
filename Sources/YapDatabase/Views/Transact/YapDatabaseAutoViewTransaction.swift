import Foundation
import ListChanges

/// A transaction's access to a ``YapDatabaseAutoView``; inside a read-write transaction it keeps the view up to date.
public final class YapDatabaseAutoViewTransaction: YapDatabaseViewTransaction, TransactionHooks {
    let view: YapDatabaseAutoView
    private(set) var arrangement: Arrangement
    lazy var arranger = makeArranger()
    var deferred = DeferredRows()
    /// Why rows could not get their places.
    private var failure: (any Error)?

    init(
        view: YapDatabaseAutoView, name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) {
        self.view = view
        arrangement = view.arrangement
        super.init(view: view, name: name, transaction: transaction, state: state)
    }

    private func makeArranger() -> ViewArranger { ViewArranger(arrangement, unsettledPages, transaction) }

    // MARK: Registering

    package func beginRegister(
        previous: RegisteredExtension?, progress: Progress?
    ) throws -> (any RowReceiver)? {
        guard try prepareTables(previous), !view.settings.skipInitialViewPopulation else { return nil }
        return try ViewReceiver(population(progress)) { [unowned self] in
            leaveOut($0, arrangement.needs)
            try notifyFollowers(.rearranged(.groups), isNews: false)
        }
    }

    private func population(_ progress: Progress? = nil) -> ViewPopulation {
        ViewPopulation(
            view: name, allowed: view.settings.allowedCollections, transaction: transaction, pages: settledPages(),
            arrangement: arrangement, compared: arranger.compared, progress: progress)
    }

    // MARK: Other blocks

    /// Replaces the blocks and arranges all rows again. The change-set has exactly the rows that come, go or move. O(n log n).
    ///
    /// From this commit on ``YapDatabase/registeredExtension(_:)`` returns a view with the new blocks. Other programs
    /// that use the view must register it with the new blocks and tag too.
    ///
    /// The blocks run on the thread of the transaction.
    ///
    /// ```swift
    /// try autoView.setGrouping(grouping, sorting: sorting, versionTag: "by genre")
    /// ```
    ///
    /// - Parameter versionTag: must differ from the present one. With an equal tag nothing happens, as with a repeated
    ///   registration.
    /// - Throws: what the blocks throw, and ``YapDatabaseError`` with code `corrupt`, `diskFull` or `inputOutput`; the transaction is
    ///   lost then. `transactionFailed` if it was lost before.
    /// - Precondition: the transaction is a read-write transaction.
    public override func setGrouping(
        _ grouping: YapDatabaseViewGrouping, sorting: YapDatabaseViewSorting, versionTag: String
    ) throws {
        let new = Arrangement(grouping: grouping, sorting: sorting, versionTag: versionTag)
        try arrange(by: new, .groups) { try $0.arrangeAllRows(into: $1) }
    }

    /// Replaces the sorting block and sorts every group again, without calling the grouping block. The change-set has exactly
    /// the rows that move: the fewest that lead to the new order. O(n log n).
    ///
    /// Rows that the new block calls equal keep their order. Otherwise like ``setGrouping(_:sorting:versionTag:)``.
    ///
    /// ```swift
    /// let byTitle = YapDatabaseViewSorting.withObjectBlock { _, _, _, _, object1, _, _, object2 in
    ///     ((object1 as? Book)?.title ?? "").compare((object2 as? Book)?.title ?? "")
    /// }
    /// try autoView.setSorting(byTitle, versionTag: "by title")
    /// ```
    ///
    /// - Parameters:
    ///   - sorting: the new order; its block runs on the thread of the transaction.
    ///   - versionTag: must differ from the present one. With an equal tag nothing happens.
    /// - Throws: what the blocks throw, and ``YapDatabaseError`` with code `corrupt`, `diskFull` or `inputOutput`; the transaction is
    ///   lost then. `transactionFailed` if it was lost before.
    public func setSorting(_ sorting: YapDatabaseViewSorting, versionTag: String) throws {
        let new = Arrangement(grouping: arrangement.grouping, sorting: sorting, versionTag: versionTag)
        try arrange(by: new, .order) { try $0.sortAgain(into: $1) }
    }

    private func arrange(
        by new: Arrangement, _ rearrangement: Rearrangement,
        _ passOnAllRows: (ViewPopulation, any RowSink) throws -> UndecodableRows
    ) throws {
        let transaction = readWriteTransaction("Another sorting or grouping")
        guard !new.versionTag.hasSameBytes(as: arrangement.versionTag) else { return }
        try transaction.step {
            // Rows that wait have what the former blocks need.
            _ = settledPages()
            arrangement = new
            arranger = makeArranger()
            let collector = GroupCollector()
            if rearrangement == .groups { try transaction.forgetLeftOutRows(of: name, isStored: isPersistent) }
            leaveOut(try passOnAllRows(population(), collector), new.needs)
            try settledPages().rearrange(to: collector.groups, known: collector.keys, key: existingKey)
            try replaceView(by: view.arranged(by: new))
            try notifyFollowers(.rearranged(rearrangement))
        }
    }

    public override func versionTag() -> String { arrangement.versionTag }

    // MARK: Changed blocks

    package func rowsToAskAbout(limit: Int) throws -> [Int64] { try sampleOfRows(limit: limit) }

    package func disagreement(aboutRow rowid: Int64) throws -> Disagreement? {
        try transaction.content(ofRowid: rowid, needs: arrangement.needs).flatMap(disagreement)
    }

    // MARK: Hooks

    package func didInsert(_ row: ChangedRow) throws {
        guard isAllowed(row.key), let content = try content(of: row, arrangement.grouping.needs),
            let group = try arrangement.grouping.group(transaction, content),
            let sorted = try sortedContent(of: row, grouped: content)
        else { return }
        try insert(row, sorted, into: group, from: nil)
    }

    package func recheck(_ row: ChangedRow) throws {
        guard let place = try settledPages().place(ofRowid: row.rowid), try content(of: row, arrangement.needs) == nil
        else {
            return
        }
        try remove(row.rowid, row.key, at: place)
    }

    package func retry(_ row: ChangedRow) throws {
        if try settledPages().place(ofRowid: row.rowid) == nil { try didInsert(row) } else { takeIn(row.rowid) }
    }

    package override func didUpdate(_ row: ChangedRow) throws {
        guard isAllowed(row.key) else { return }
        if let (group, former) = deferred.remove(row.rowid) { return try updateDeferred(row, former, group) }
        arranger.compared.forget(row.rowid)
        let place = try unsettledPages.place(ofRowid: row.rowid)
        guard arrangement.grouping.invoke.includes(row) || place == nil && isLeftOut(row.rowid) else {
            if let place { try update(row, at: place) { try content(of: row, arrangement.sorting.needs) } }
            return
        }
        guard let content = try content(of: row, arrangement.grouping.needs),
            let group = try arrangement.grouping.group(transaction, content)
        else {
            if let place { try remove(row.rowid, row.key, at: place) }
            return
        }
        if let place, place.group.hasSameBytes(as: group) {
            return try update(row, at: place) { try sortedContent(of: row, grouped: content) }
        }
        guard let sorted = try sortedContent(of: row, grouped: content) else {
            if let place { try remove(row.rowid, row.key, at: place) }
            return
        }
        if let place { try unsettledPages.remove(row.rowid, key: row.key, at: place) }
        try insert(row, sorted, into: group, from: place?.group)
    }

    package override func didRemove(_ rows: [RemovedRow]) throws {
        for row in rows {
            arranger.compared.forget(row.rowid)
            _ = deferred.remove(row.rowid)
        }
        try super.didRemove(rows)
    }

    package override func didRemoveAll() throws {
        deferred = DeferredRows()
        arranger.compared.forgetAll()
        try super.didRemoveAll()
    }

    package func place(_ rows: RowsToPlace) throws { try placeAgain(rows) }

    package func compareWithRows(_ check: () throws -> Void) throws -> RowComparison? { try misplacedRows(check) }

    package func numberOfRowsToCompare() throws -> Int {
        try transaction.count(allowedCollections: view.settings.allowedCollections)
    }

    /// A block that fails on a row that was placed late fails the commit, which is the next that can throw for certain.
    override func placeWaitingRows() {
        do {
            if let derivedBy = view.derivedBy { try transaction.hooks(ofExtension: derivedBy)?.changeRows() }
            try placeDeferredRows()
        } catch { failure = failure ?? error }
    }

    package override func prepareCommit() throws {
        placeWaitingRows()
        if let failure { throw failure }
        try super.prepareCommit()
    }

    /// Returns what a block takes of a row; nil for a row that cannot be decoded, which the view leaves out.
    func content(of row: ChangedRow, _ needs: RowNeeds) throws -> RowContent? {
        try decoding(row.rowid, row.key, needs) { try arrangement.content { try RowContent(row, needs: needs) } }
    }

    /// Returns what the sorting block sees of a row; nil for one that cannot be decoded.
    /// - Parameter content: what the grouping block saw. It is used again if the sorting block needs the same, because the types of its
    ///   values are known already.
    private func sortedContent(of row: ChangedRow, grouped content: RowContent) throws -> RowContent? {
        let needs = arrangement.sorting.needs
        return needs == arrangement.grouping.needs ? content : try self.content(of: row, needs)
    }

    /// - Parameter former: the group that the row was in before this change; nil if it is new in the view.
    private func insert(
        _ row: ChangedRow, _ content: RowContent, into group: String, from former: String?
    ) throws {
        if try canDefer() { return try `defer`(content, to: group) }
        let index = try arranger.index(for: content, inGroup: group)
        try unsettledPages.insert(row.rowid, key: row.key, inGroup: group, at: index)
        try arranger.remember([content])
        try notifyFollowers(.placed(row, from: former))
    }

    /// Updates a row that stays in its group; it keeps its place if that is still in order.
    /// - Parameter sorted: nil for a row that cannot be decoded.
    private func update(_ row: ChangedRow, at place: RowPlace, _ sorted: () throws -> RowContent?) throws {
        if arrangement.sorting.invoke.includes(row) {
            guard let content = try sorted() else { return try remove(row.rowid, row.key, at: place) }
            let edits = unsettledPages.log.count
            let isInOrder = try arranger.isInOrder(content, at: place)
            // A block that reads the view itself has collected rows placed.
            let place =
                edits == unsettledPages.log.count ? place : try unsettledPages.place(ofRowid: row.rowid) ?? place
            if !isInOrder {
                try unsettledPages.remove(row.rowid, key: row.key, at: place)
                return try insert(row, content, into: place.group, from: place.group)
            }
        }
        try noteUpdate(row, at: place)
    }

    func isAllowed(_ key: RowKey) -> Bool {
        view.settings.allowedCollections?.isAllowed(key.collection) ?? true
    }
}
