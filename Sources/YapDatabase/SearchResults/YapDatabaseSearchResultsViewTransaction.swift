import Foundation
import ListChanges

/// A transaction's access to a ``YapDatabaseSearchResultsView``.
///
/// Over a parent view, results are always a part of the parent's rows, in the parent's order: the transaction reads
/// the parent's log and places the changed rows again. A new search walks over the parent once and decodes no row.
public final class YapDatabaseSearchResultsViewTransaction: YapDatabaseViewTransaction, TransactionHooks {
    let view: YapDatabaseSearchResultsView
    var text: String
    private let textBefore: String
    /// The operations of the parent view that the results follow already.
    var followed = 0
    lazy var arranger = view.arrangement.map(makeArranger)

    init(
        view: YapDatabaseSearchResultsView, name: String, transaction: YapDatabaseReadTransaction, state: SearchState?
    ) {
        self.view = view
        text = state?.query ?? ""
        textBefore = text
        super.init(view: view, name: name, transaction: transaction, state: state?.view)
    }

    private func makeArranger(_ arrangement: Arrangement) -> ViewArranger {
        ViewArranger(arrangement, settledPages(), transaction)
    }

    /// Returns what was searched for last; an empty text before the first search.
    ///
    /// Example: `performSearch(for:)`.
    public func query() -> String { text }

    /// Returns the part of a row's text that matches the search best; nil if the row is not in the results, or the view has
    /// no ``YapDatabaseSearchResultsViewOptions/snippetOptions``. Costs a search in one row.
    ///
    /// ```swift
    /// try results.performSearch(for: "spice")
    /// let snippet = try results.snippet(forKey: "dune", inCollection: "books")   // "... the <b>spice</b> ..."
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if the full-text search is not registered; `badQuery` if its text is
    ///   wrong; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func snippet(forKey key: String, inCollection collection: String? = nil) throws -> String? {
        guard let options = view.snippets,
            let rowid = try transaction.rowid(forKey: RowKey(collection: collection ?? "", key: key)),
            try settledPages().place(ofRowid: rowid) != nil
        else { return nil }
        let cursor = try search().cursor(text, options, rowid: rowid)
        return try cursor.next() ? cursor.text(at: 1) : nil
    }

    func search() throws -> YapDatabaseFullTextSearchTransaction {
        if let search = transaction.ext(view.fullTextSearchName) as? YapDatabaseFullTextSearchTransaction {
            return search
        }
        throw YapDatabaseError(
            .badExtension,
            "The view \"\(name)\" needs the full-text search \"\(view.fullTextSearchName)\". Register that one first.")
    }

    /// Nil for a view with groups of its own.
    func parent() throws -> YapDatabaseViewTransaction? {
        guard let parentName = view.parentViewName else { return nil }
        if let parent = transaction.ext(parentName) as? YapDatabaseViewTransaction { return parent }
        throw YapDatabaseError(
            .badExtension, "The view \"\(name)\" needs the view \"\(parentName)\". Register that one first.")
    }

    // MARK: Registering

    package func register(previous: RegisteredExtension?, progress: Progress?) throws {
        _ = try (search(), parent())
        let store = transaction.store
        text = view.lastQuery.withLock { $0 }
        if view.isPersistent {
            text = try store.yapText(extension: name, key: "query") ?? text
        }
        _ = try prepareTables(previous)
        followed = try parent()?.settledPages().log.count ?? 0
        do {
            // If the results are right already, no row is decoded and no block is called.
            try show(matches(of: text))
        } catch let error as YapDatabaseError where error.code == .badQuery {
            // The text of the file is no text that can be searched for.
            try show(SearchMatches(text: ""))
        }
    }

    // MARK: Hooks

    package func didInsert(_ row: ChangedRow) throws { try follow(row) }
    package override func didUpdate(_ row: ChangedRow) throws { try follow(row) }

    /// Rows that were written are followed in the hooks above, because only then the search knows them.
    override func follow(_ view: YapDatabaseViewTransaction, _ change: FollowedChange) throws {
        if case .rearranged = change { try followParent() }
    }

    package func retry(_ row: ChangedRow) throws { try follow(row) }

    package override func didRemove(_ rows: [RemovedRow]) throws {
        for row in rows { arranger?.compared.forget(row.rowid) }
        try super.didRemove(rows)
    }

    package override func didRemoveAll() throws {
        arranger?.compared.forgetAll()
        try super.didRemoveAll()
        followed = try parent()?.settledPages().log.count ?? 0
    }

    package func place(_ rows: RowsToPlace) throws { try placeAgain(rows) }

    /// Nothing is compared: when the search is right again, ``placeAgain(_:)`` searches.
    package func compareWithRows(_ check: () throws -> Void) throws -> RowComparison? { RowComparison() }

    package override func prepareCommit() throws {
        let writer = transaction as? YapDatabaseReadWriteTransaction
        // The search is completed by a write, and the results with it.
        if writer?.isCompleting == true { return try super.prepareCommit() }
        try followParent()
        if text != textBefore {
            writer?.whenCommitted { [view, text] in view.lastQuery.withLock { $0 = text } }
            if view.isPersistent {
                try transaction.store.setYapValue(.text(text), extension: name, key: "query")
            }
        }
        try super.prepareCommit()
    }

    package override var commitState: (any ExtensionState)? { SearchState(view: settledPages().state, query: text) }

    /// Another text is a change even if it finds the same rows.
    package override var commitLog: (any ExtensionLog)? {
        super.commitLog ?? (text == textBefore ? nil : ViewLog(operations: .empty))
    }

    func isAllowed(_ key: RowKey) -> Bool { view.settings.allowedCollections?.isAllowed(key.collection) ?? true }

    func isMatch(_ rowid: Int64, _ key: RowKey) throws -> Bool {
        guard !text.isEmpty, isAllowed(key) else { return false }
        return try search().cursor(text, rowid: rowid).next()
    }

    func follow(_ row: ChangedRow) throws {
        if view.parentViewName != nil { return try followParent(and: row) }
        arranger!.compared.forget(row.rowid)
        let place = try settledPages().place(ofRowid: row.rowid)
        guard try isMatch(row.rowid, row.key), let group = try group(of: row, at: place) else {
            if let place { try remove(row.rowid, row.key, at: place) }
            return
        }
        let arrangement = view.arrangement!
        guard let place, place.group.hasSameBytes(as: group) else {
            guard let content = try content(of: row, arrangement.sorting.needs) else {
                if let place { try remove(row.rowid, row.key, at: place) }
                return
            }
            if let place { try settledPages().remove(row.rowid, key: row.key, at: place) }
            try insert(content, into: group)
            return try notifyFollowers(.placed(row, from: place?.group))
        }
        if arrangement.sorting.invoke.includes(row) {
            guard let content = try content(of: row, arrangement.sorting.needs) else {
                return try remove(row.rowid, row.key, at: place)
            }
            if try !arranger!.isInOrder(content, at: place) {
                try settledPages().remove(row.rowid, key: row.key, at: place)
                try insert(content, into: group)
                return try notifyFollowers(.placed(row, from: group))
            }
        }
        try noteUpdate(row, at: place)
    }

    private func group(of row: ChangedRow, at place: RowPlace?) throws -> String? {
        let grouping = view.arrangement!.grouping
        if let place, !grouping.invoke.includes(row) { return place.group }
        return try content(of: row, grouping.needs).flatMap { try grouping.group(transaction, $0) }
    }

    /// Returns what a block takes of a row; nil for a row that cannot be decoded, which the view leaves out.
    private func content(of row: ChangedRow, _ needs: RowNeeds) throws -> RowContent? {
        try decoding(row.rowid, row.key, needs) { try RowContent(row, needs: needs) }
    }

    func insert(_ content: RowContent, into group: String) throws {
        let index = try arranger!.index(for: content, inGroup: group)
        try settledPages().insert(content.rowid, key: content.key, inGroup: group, at: index)
        try arranger!.remember([content])
    }
}
