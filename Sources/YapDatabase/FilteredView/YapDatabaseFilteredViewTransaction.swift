import Foundation
import ListChanges

/// A transaction's access to a ``YapDatabaseFilteredView``; inside a read-write transaction it keeps the view up to date.
public final class YapDatabaseFilteredViewTransaction: YapDatabaseViewTransaction, TransactionHooks {
    private let view: YapDatabaseFilteredView
    private(set) var filtering: YapDatabaseViewFiltering
    private var tag: String

    init(
        view: YapDatabaseFilteredView, name: String, transaction: YapDatabaseReadTransaction,
        state: (any ExtensionState)?
    ) {
        self.view = view
        filtering = view.filtering
        tag = view.versionTag
        super.init(view: view, name: name, transaction: transaction, state: state)
    }

    public override func versionTag() -> String { tag }

    private func parent() throws -> YapDatabaseViewTransaction {
        guard let parent = transaction.ext(view.parentViewName) as? YapDatabaseViewTransaction else {
            throw YapDatabaseError(
                .badExtension,
                "The extension \"\(view.parentViewName)\", whose rows \"\(name)\" filters, is no view. Name a view as the parent."
            )
        }
        return parent
    }

    // MARK: Registering

    package func register(previous: RegisteredExtension?, progress: Progress?) throws {
        let parent = try parent()
        guard parent.isPersistent || !view.isPersistent else {
            throw YapDatabaseError(
                .badExtension,
                "\"\(name)\" would be stored, and its parent \"\(parent.name)\" is only in memory. Set isPersistent of its "
                    + "options to false.")
        }
        guard try prepareTables(previous), !view.settings.skipInitialViewPopulation else { return }
        let asker = try FilterAsker(self)
        var counter = ProgressCounter(progress) { 2 * parent.numberOfItemsInAllGroups() }
        let writer = GroupWriter(settledPages())
        for group in parent.allGroups() {
            writer.begin(group)
            try forEachRowid(of: parent, group) { rowid in
                if let key = try asker.includedKey(rowid, group) {
                    try writer.add(SortedRow(rowid: rowid, key: key))
                }
                try counter.add()
            }
            try writer.end()
        }
        try writer.endAll(&counter)
        try notifyFollowers(.rearranged(.groups), isNews: false)
    }

    // MARK: Another filter

    /// Replaces the filter and asks the new one about each row of the parent. The change-set has exactly the rows for which the
    /// answer changed. O(rows of the parent).
    ///
    /// From this commit on ``YapDatabase/registeredExtension(_:)`` returns a view with the new block. Other programs that use
    /// the view must register it with the new block and tag too.
    ///
    /// The block runs on the thread of the transaction.
    ///
    /// ```swift
    /// let inStock = YapDatabaseViewFiltering.withObjectBlock { _, _, _, _, object in (object as? Book)?.isInStock == true }
    /// try filteredView.setFiltering(inStock, versionTag: "in stock")
    /// ```
    ///
    /// - Parameter versionTag: must differ from the present one. With an equal tag nothing happens, as with a repeated
    ///   registration.
    /// - Throws: what the block throws, and ``YapDatabaseError`` with code `corrupt`, `diskFull` or `inputOutput`; the transaction is
    ///   lost then. `transactionFailed` if it was lost before.
    /// - Precondition: the transaction is a read-write transaction.
    public func setFiltering(_ filtering: YapDatabaseViewFiltering, versionTag: String) throws {
        let transaction = readWriteTransaction("setFiltering")
        guard !versionTag.hasSameBytes(as: tag) else { return }
        try transaction.step {
            // If the new filter only passes rows that the old one passed, only the rows of this view are tested. Rows that cannot be decoded
            // pass neither filter and are in no index.
            let isNarrower = filtering.declared.flatMap { new in self.filtering.declared.map(new.implies) } ?? false
            let passing = try filtering.declared.flatMap { try $0.indexed(transaction) }
            (self.filtering, tag) = (filtering, versionTag)
            let asker = try FilterAsker(self)
            if passing == nil, !isNarrower { try transaction.forgetLeftOutRows(of: name, isStored: isPersistent) }
            try rearrange(after: parent()) { rowid, group in
                if let passing { return passing.contains(rowid) }
                if isNarrower, try !settledPages().hasRow(rowid) { return false }
                return try asker.includedKey(rowid, group) != nil
            }
            try replaceView(by: view.filtered(by: filtering, versionTag))
            try notifyFollowers(.rearranged(.rows))
        }
    }

    // MARK: Changed blocks

    /// Rows of the parent.
    package func rowsToAskAbout(limit: Int) throws -> [Int64] {
        guard filtering.invoke.follows(filtering.needs), !view.settings.skipInitialViewPopulation else { return [] }
        let parent = try parent()
        let count = parent.numberOfItemsInAllGroups()
        var (rowids, start) = ([Int64](), 0)
        for group in parent.allGroups() {
            let end = start + parent.numberOfItems(inGroup: group)
            while rowids.count < min(limit, count), case let index = rowids.count * count / min(limit, count),
                index < end
            {
                guard let rowid = try parent.settledPages().rowid(at: index - start, inGroup: group) else {
                    return rowids
                }
                rowids.append(rowid)
            }
            start = end
        }
        return rowids
    }

    package func disagreement(aboutRow rowid: Int64) throws -> Disagreement? {
        guard let place = try parent().settledPages().place(ofRowid: rowid),
            let row = try transaction.content(ofRowid: rowid, needs: filtering.needs)
        else { return nil }
        let (isStored, answer) = (try settledPages().place(ofRowid: rowid) != nil, try isIncluded(row, place.group))
        return isStored == answer
            ? nil : Disagreement(stored: isStored ? "the row" : "not the row", answer: "\(answer)")
    }

    // MARK: Hooks

    override func follow(_ parent: YapDatabaseViewTransaction, _ change: FollowedChange) throws {
        switch change {
        case .placed(let row, let former): try place(row, from: former, in: parent)
        case .left(let rowid, let key):
            if let place = try settledPages().place(ofRowid: rowid) { try remove(rowid, key, at: place) }
        case .cleared:
            settledPages().removeAll()
            try notifyFollowers(.cleared)
        case .rearranged(let rearrangement):
            try follow(parent, rearrangement)
            try notifyFollowers(change)
        }
    }

    private func follow(_ parent: YapDatabaseViewTransaction, _ rearrangement: Rearrangement) throws {
        // A row that stays in its group is not asked about again.
        var known: Set<Int64> = []
        if rearrangement != .groups {
            for group in allGroups() { known.formUnion(try settledPages().rowids(inGroup: group)) }
        }
        let asker = try FilterAsker(self)
        try rearrange(after: parent) { rowid, group in
            if known.contains(rowid) { return true }
            if rearrangement == .order { return false }
            return try asker.includedKey(rowid, group) != nil
        }
    }

    func rearrange(
        after parent: YapDatabaseViewTransaction, including isIncluded: (Int64, String) throws -> Bool
    ) throws {
        let groups = try parent.allGroups().map { group in
            var rows: [Int64] = []
            try forEachRowid(of: parent, group) { if try isIncluded($0, group) { rows.append($0) } }
            return ArrangedGroup(name: group, rows: rows)
        }
        try settledPages().rearrange(to: groups, key: existingKey)
    }

    package func retry(_ row: ChangedRow) throws {
        let parent = try parent()
        guard try settledPages().place(ofRowid: row.rowid) == nil,
            try parent.settledPages().place(ofRowid: row.rowid) != nil
        else {
            return takeIn(row.rowid)
        }
        try place(row, from: nil, in: parent)
    }

    package func place(_ rows: RowsToPlace) throws { try placeAgain(rows, in: parent()) }

    package func compareWithRows(_ check: () throws -> Void) throws -> RowComparison? {
        try misplacedRows(of: parent(), check)
    }

    package func numberOfRowsToCompare() throws -> Int { try parent().numberOfItemsInAllGroups() }

    // The parent tells of all changes, in `follow`.
    package override func didRemove(_ rows: [RemovedRow]) throws {}
    package override func didRemoveAll() throws {}

    override func didTouch(_ row: ChangedRow) throws {
        let parent = try parent()
        guard let place = try parent.settledPages().place(ofRowid: row.rowid) else { return }
        try self.place(row, from: place.group, in: parent)
    }

    // MARK: Rows

    func isIncluded(_ row: RowContent, _ group: String) throws -> Bool {
        guard isAllowed(row.key) else { return false }
        return try filtering.includes(transaction, group, row)
    }

    /// - Throws: `decodingFailed` for a row of another type than a declared filter asks.
    func checked(_ row: RowContent) throws -> RowContent {
        try filtering.declared?.check(row)
        return row
    }

    func isAllowed(_ key: RowKey) -> Bool { view.settings.allowedCollections?.isAllowed(key.collection) ?? true }

    func lostRow(_ rowid: Int64) -> YapDatabaseError {
        .damagedView(view.parentViewName, "row \(rowid) does not exist")
    }

    /// Returns nil for a row that cannot be decoded.
    func content(of rowid: Int64, _ reader: ContentReader) throws -> RowContent? {
        var content: RowContent?
        let isThere = try reader.row(rowid) { key, read in
            content = try decoding(rowid, key, filtering.needs) { try checked(read()) }
        }
        if !isThere { throw lostRow(rowid) }
        return content
    }

    func forEachRowid(
        of parent: YapDatabaseViewTransaction, _ group: String, _ body: (Int64) throws -> Void
    ) throws {
        let range = 0..<parent.numberOfItems(inGroup: group)
        try parent.settledPages().forEachRowid(inGroup: group, range: range, reversed: false) { _, rowid in
            try body(rowid)
            return true
        }
    }
}

/// Asks a filter about many rows, with one statement for all of them: out of their bytes where the filter is declared, else by its block.
private struct FilterAsker {
    private unowned let view: YapDatabaseFilteredViewTransaction
    private let reader: ContentReader
    private let byBytes: ((UnsafeRawBufferPointer?, RowKey) throws -> Bool)?

    init(_ view: YapDatabaseFilteredViewTransaction) throws {
        self.view = view
        reader = try ContentReader(view.transaction, view.filtering.needs)
        byBytes = view.filtering.declared?.byBytes(view.transaction.codings)
    }

    /// The key of a row of the parent that passes the filter; nil for another one, and for one that cannot be decoded.
    func includedKey(_ rowid: Int64, _ group: String) throws -> RowKey? {
        guard let byBytes else {
            guard let content = try view.content(of: rowid, reader), try view.isIncluded(content, group) else {
                return nil
            }
            return content.key
        }
        var included: RowKey?
        let isThere = try reader.bytes(ofRow: rowid) { key, bytes in
            guard view.isAllowed(key),
                try view.decoding(rowid, key, .object, { try byBytes(bytes, key) }) == true
            else { return }
            included = key
        }
        if !isThere { throw view.lostRow(rowid) }
        return included
    }
}
