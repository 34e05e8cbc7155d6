import ListChanges

/// Options of a view of search results, which copies them when it is created. Unlike other views it is not persistent unless
/// that is asked for.
public final class YapDatabaseSearchResultsViewOptions: YapDatabaseViewOptions {
    /// The groups of the parent view in which to search; nil for all.
    public var allowedGroups: YapWhitelistBlacklist?

    /// How snippets are cut; nil, the default, for none. With snippets a row that stays in the results, but matches another
    /// part of its text, is an update with `.changedSnippets`.
    public var snippetOptions: YapDatabaseFullTextSearchSnippetOptions?

    /// Creates options of a view in memory, without snippets.
    public override init() {
        super.init(YapViewOptions(isPersistent: false))
    }
}

/// A view of the rows that match a search.
///
/// ```swift
/// let results = YapDatabaseSearchResultsView(fullTextSearchName: "fts", parentViewName: "order", versionTag: "1")
/// try database.register(results, withName: "results")
///
/// try connection.readWrite { transaction in
///     let results = transaction.ext("results") as! YapDatabaseSearchResultsViewTransaction
///     try results.performSearch(for: "dun*")
/// }
/// ```
///
/// It is empty before the first search. Later writes, and changes of the parent view, keep it up to date for the same search.
public final class YapDatabaseSearchResultsView: YapDatabaseView, ExtensionHooks, @unchecked Sendable {
    // @unchecked: as for YapDatabaseView; `lastQuery` is behind a lock.

    /// The name of the ``YapDatabaseFullTextSearch``, which must be registered before.
    public let fullTextSearchName: String
    /// The name of the view whose groups and order the results have; nil for a view with groups and an order of its own.
    public let parentViewName: String?
    let arrangement: Arrangement?
    let allowedGroups: YapWhitelistBlacklist?
    let snippets: YapDatabaseFullTextSearchSnippetOptions?
    /// What was searched for last, for a view in memory that has to be filled again.
    let lastQuery = Locked("")

    /// The results have the groups and the order of another view, which must be registered before.
    /// - Parameters:
    ///   - fullTextSearchName: the name of the ``YapDatabaseFullTextSearch``, which must be registered before.
    ///   - parentViewName: the name of the view, which must be registered before.
    ///   - versionTag: change it whenever a block changes; another tag fills the view again.
    ///   - options: nil for a view in memory without snippets.
    public init(
        fullTextSearchName: String, parentViewName: String, versionTag: String = "",
        options: YapDatabaseSearchResultsViewOptions? = nil
    ) {
        self.fullTextSearchName = fullTextSearchName
        self.parentViewName = parentViewName
        arrangement = nil
        allowedGroups = options?.allowedGroups
        snippets = options?.snippetOptions?.copy()
        super.init(
            className: "YapDatabaseSearchResultsView", versionTag: versionTag,
            options: (options ?? YapDatabaseSearchResultsViewOptions()).value)
    }

    /// The results have groups and an order of their own; results without a group are left out.
    /// - Parameters:
    ///   - fullTextSearchName: the name of the ``YapDatabaseFullTextSearch``, which must be registered before.
    ///   - grouping: decides the group of each result.
    ///   - sorting: decides the order of the results of a group.
    ///   - versionTag: change it whenever a block changes; another tag fills the view again.
    ///   - options: nil for a view in memory without snippets.
    public convenience init(
        fullTextSearchName: String, grouping: YapDatabaseViewGrouping, sorting: YapDatabaseViewSorting,
        versionTag: String = "", options: YapDatabaseSearchResultsViewOptions? = nil
    ) {
        self.init(
            fullTextSearchName: fullTextSearchName,
            Arrangement(grouping: grouping, sorting: sorting, versionTag: versionTag),
            options ?? YapDatabaseSearchResultsViewOptions())
    }

    init(fullTextSearchName: String, _ arrangement: Arrangement, _ options: YapDatabaseSearchResultsViewOptions) {
        self.fullTextSearchName = fullTextSearchName
        parentViewName = nil
        self.arrangement = arrangement
        allowedGroups = nil
        snippets = options.snippetOptions?.copy()
        super.init(
            className: "YapDatabaseSearchResultsView", versionTag: arrangement.versionTag, options: options.value)
    }

    package var dependencies: Set<String> { Set([fullTextSearchName] + (parentViewName.map { [$0] } ?? [])) }

    package var recovery: ExtensionRecovery { .writing }
    package var changesByItself: Bool { true }

    package func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> any TransactionHooks {
        YapDatabaseSearchResultsViewTransaction(
            view: self, name: name, transaction: transaction, state: state as! SearchState?)
    }

    package override func loadState(name: String, transaction: YapDatabaseReadTransaction) throws -> any ExtensionState
    {
        let store = transaction.store
        return try SearchState(
            view: ViewState(ofView: name, in: store, store.pageSummary(ofView: name)),
            query: store.yapText(extension: name, key: "query") ?? "")
    }

    override func pages(of state: any ExtensionState) -> ViewState { (state as! SearchState).view }
}

/// The results in one snapshot, and what was searched for.
struct SearchState: ExtensionState {
    var view: ViewState
    var query: String

    /// Nothing is searched for.
    var isFixed: Bool { query.isEmpty }
    var isUnstored: Bool { view.isUnstored }

    func hasStoredPages(of other: any ExtensionState) -> Bool {
        guard let other = other as? SearchState else { return false }
        return other.query == query && view.hasStoredPages(of: other.view)
    }

    func hasRows(of log: any ExtensionLog, name: String, in store: Store) throws -> Bool {
        try view.hasRows(of: log, name: name, in: store)
    }

    func advanced(by logs: [any ExtensionLog], of name: String, in store: Store) throws -> (any ExtensionState)? {
        guard let view = try view.advanced(by: logs, of: name, in: store) as? ViewState else { return nil }
        return try SearchState(view: view, query: store.yapText(extension: name, key: "query") ?? "")
    }

    func log(continuing log: any ExtensionLog) -> any ExtensionLog { view.log(continuing: log) }

    func isReached(from before: any ExtensionState, by logs: [any ExtensionLog]) -> Bool {
        guard let before = before as? SearchState else { return true }
        return view.isReached(from: before.view, by: logs)
    }
}
