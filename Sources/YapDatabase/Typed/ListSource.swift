import FileEngine
import ListChanges

/// What decides which rows a ``YapList`` has, and where.
indirect enum ListSource<Value: Codable & Sendable>: Sendable {
    /// Its own groups and orders.
    case placed(Placement<Value>)
    /// The rows of another list that fulfil a condition.
    case filtered(parent: String, ListSource, YapCondition<Value>, isStored: Bool)
    /// The rows of another list that a text index finds.
    case searched(index: String, parent: String, ListSource, SnippetForm?)
    /// The rows that a text index finds, in an order of the list's own.
    case searchedAndPlaced(index: String, Placement<Value>, SnippetForm?)
    /// The rows that the program adds, call by call.
    case manual
    /// Its own groups and orders, over rows that are derived from those of a declaration or a collection, which is used with it.
    case derived(any RowDerivation, Placement<Value>, use: @Sendable (YapDatabase) -> Void)

    func makeView(of collection: String, versionTag: String) -> YapDatabaseExtension {
        switch self {
        case .placed(let placement), .derived(_, let placement, _):
            return YapDatabaseAutoView(
                placement.arrangement(of: collection, versionTag: versionTag),
                options: YapViewOptions(allowedCollections: YapWhitelistBlacklist(whitelist: [collection])),
                derivedBy: RowTable.derivingExtension(ofCollection: collection))
        case .manual:
            return YapDatabaseManualView(
                versionTag: versionTag,
                options: YapViewOptions(allowedCollections: YapWhitelistBlacklist(whitelist: [collection])))
        case .filtered(let parent, _, let condition, let isStored):
            var options = YapViewOptions()
            options.isPersistent = isStored
            return YapDatabaseFilteredView(
                parentViewName: parent, filtering: condition.filtering(collection), versionTag: versionTag,
                options: options)
        case .searched(let index, let parent, _, let snippets):
            return YapDatabaseSearchResultsView(
                fullTextSearchName: index, parentViewName: parent, versionTag: versionTag,
                options: Self.options(snippets, collection))
        case .searchedAndPlaced(let index, let placement, let snippets):
            return YapDatabaseSearchResultsView(
                fullTextSearchName: index, placement.arrangement(of: collection, versionTag: versionTag),
                Self.options(snippets, collection))
        }
    }

    /// The extension that derives the rows, and its name; nil for a list of rows that programs write.
    var derivedRows: (name: String, extension: YapDatabaseExtension)? {
        guard case .derived(let derivation, _, _) = self else { return nil }
        return (derivation.name, YapDatabaseDerivedRows(derivation))
    }

    /// Makes `Codable` the encoding of the rows from which those of the list are derived.
    func useSources(in database: YapDatabase) {
        if case .derived(_, _, let use) = self { use(database) }
    }

    /// Whether the list alone decides which rows it has, and where.
    var placesRows: Bool {
        switch self {
        case .placed, .derived: true
        case .filtered, .searched, .searchedAndPlaced, .manual: false
        }
    }

    /// Whether the program decides which groups there are, call by call.
    var isManual: Bool {
        switch self {
        case .manual: true
        case .filtered(_, let parent, _, _), .searched(_, _, let parent, _): parent.isManual
        case .placed, .searchedAndPlaced, .derived: false
        }
    }

    /// Whether the file has the list.
    var isStored: Bool {
        switch self {
        case .placed, .derived, .manual: true
        case .filtered(_, let parent, _, let isStored): isStored && parent.isStored
        case .searched, .searchedAndPlaced: false
        }
    }

    private static func options(_ snippets: SnippetForm?, _ collection: String) -> YapDatabaseSearchResultsViewOptions {
        let options = YapDatabaseSearchResultsViewOptions()
        options.allowedCollections = YapWhitelistBlacklist(whitelist: [collection])
        options.snippetOptions = snippets.map(YapDatabaseFullTextSearchSnippetOptions.init)
        return options
    }
}

// MARK: Filtered lists

extension YapList {
    /// A list of the rows of another one that fulfil a condition, in the same groups and the same order.
    ///
    /// ```swift
    /// let owned = YapList("owned", filtering: order, where: \.isOwned == true)
    /// try await database.register(order, owned)
    /// ```
    ///
    /// While the program runs, ``YapListRows/setFilter(_:versionTag:)`` sets another condition.
    ///
    /// - Parameters:
    ///   - name: the name of the list, unique in the file.
    ///   - parent: the list that is filtered, of any kind. It is registered before, or together with this one.
    ///   - condition: which of its values are in the list. A closure in it runs on any thread.
    ///   - isStored: whether the file has the list. One whose filter changes often is quicker in memory; it is filled when it is registered.
    ///   - versionTag: needed if a closure or a computed property is part of the condition.
    public init(
        _ name: String, filtering parent: YapList, where condition: YapCondition<Value>, isStored: Bool = true,
        versionTag: String? = nil
    ) {
        self.init(
            name, parent.collection, .filtered(parent: parent.name, parent.source, condition, isStored: isStored),
            isGroupBefore: parent.isGroupBefore,
            versionTag: condition.tag(versionTag, of: "The list \"\(name)\""))
    }
}

extension YapCondition {
    fileprivate func tag(_ given: String?, of what: String) -> String {
        declaredTag(given, [clause?.description], rule: comparisonRule, of: what)
    }
}

extension YapListRows {
    /// Makes a list that filters another one show the rows that fulfil another condition, with an exact change-set.
    ///
    /// Costs reading the rows of the list that is filtered, or only those of this one if the new condition is plainly narrower (with another `&&`,
    /// or a nearer bound), or a query if a ``YapIndex`` answers it. Stands until the program is started the next time and registers the list with the
    /// condition that it is declared with; registering it again meanwhile changes nothing.
    ///
    /// A stored list has one filter for all processes. A process that has declared another one cannot show the list any more: reading it throws
    /// `badExtension`, and its writes leave the list to this process. Declare a list whose filter a person chooses with `isStored: false`, so that
    /// each process has its own.
    ///
    /// ```swift
    /// try await connection.write { transaction in
    ///     try transaction[owned].setFilter(\.price < 10)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - condition: which values are in the list from now on. A closure in it runs on any thread.
    ///   - versionTag: needed if a closure or a computed property is part of the condition. With the tag of the present one nothing happens.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `diskFull` or `inputOutput`; the transaction is lost then.
    /// - Precondition: the list filters another one, and the transaction is a read-write transaction.
    public func setFilter(_ condition: YapCondition<Value>, versionTag: String? = nil) throws {
        guard let filtered = view as? YapDatabaseFilteredViewTransaction else {
            fatalError("The list \"\(list.name)\" filters no other one. Declare it with `filtering:`.")
        }
        let collection = list.collection
        let filtering = condition.filtering(collection.name) { transaction in
            try transaction[collection].where(condition).rowidsIfIndexed()
        }
        try filtered.setFiltering(
            filtering, versionTag: condition.tag(versionTag, of: "The filter of \"\(list.name)\""))
    }
}

// MARK: Found lists

/// How the part of a text that matches a search best is cut and marked.
public struct YapSnippets: Hashable, Sendable {
    /// What is put before a word that matches.
    public var start = YapDatabaseFullTextSearchSnippetOptions.defaultStartMatchText
    /// What is put after it.
    public var end = YapDatabaseFullTextSearchSnippetOptions.defaultEndMatchText
    /// What is put where text is left out.
    public var ellipsis = YapDatabaseFullTextSearchSnippetOptions.defaultEllipsesText
    /// The most words of a snippet, 1 to 64.
    public var words = YapDatabaseFullTextSearchSnippetOptions.defaultNumberOfTokens

    /// Marks in HTML, and 15 words.
    public init() {}

    fileprivate var form: SnippetForm {
        SnippetForm(start: start, end: end, ellipsis: ellipsis, column: -1, tokens: words)
    }
}

extension YapDatabaseFullTextSearchSnippetOptions {
    fileprivate convenience init(_ form: SnippetForm) {
        self.init()
        (startMatchText, endMatchText, ellipsesText, numberOfTokens) = (
            form.start, form.end, form.ellipsis, form.tokens
        )
    }
}

extension YapList {
    /// A list of the rows of another one that a search finds, in the same groups and the same order. It is in memory, and empty before the
    /// first search.
    ///
    /// ```swift
    /// let results = YapList("results", searching: texts, in: order)
    /// try await database.register(order, texts, results)
    /// try await connection.write { try $0[results].search(for: .prefixes(of: "o'br")) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the list, unique in the file.
    ///   - texts: the texts that are searched.
    ///   - parent: the list whose rows may be found. Both are registered before, or together with this one.
    ///   - snippets: how ``YapListRows/snippet(of:)`` cuts the texts; nil for none.
    public init(
        _ name: String, searching texts: YapTextIndex<Value, Key, Metadata>, in parent: YapList,
        snippets: YapSnippets? = nil
    ) {
        self.init(
            name, parent.collection,
            .searched(index: texts.name, parent: parent.name, parent.source, snippets?.form),
            isGroupBefore: parent.isGroupBefore,
            versionTag: "\(texts.name) | \(parent.name)")
    }

    /// A list of the rows that a search finds, in an order of its own and one group, ``onlyGroup``.
    ///
    /// ```swift
    /// let found = YapList("found", searching: texts, sortedBy: .ascending(\.title))
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the list, unique in the file.
    ///   - texts: the texts that are searched. They are registered before, or together with the list.
    ///   - orders: the first one decides, where values are equal the next one, and so on.
    ///   - condition: which of the values may be found; nil for all. A closure in it runs on any thread.
    ///   - snippets: how ``YapListRows/snippet(of:)`` cuts the texts; nil for none.
    ///   - versionTag: needed if a closure or a computed property is part of the declaration.
    public init(
        _ name: String, searching texts: YapTextIndex<Value, Key, Metadata>, sortedBy orders: YapOrder<Value>...,
        where condition: YapCondition<Value>? = nil, snippets: YapSnippets? = nil, versionTag: String? = nil
    ) {
        let placement = Placement(
            where: condition, group: { _ in Self.onlyGroup }, storedGroup: { _ in Self.onlyGroup }, by: orders)
        self.init(
            name, texts.collection, .searchedAndPlaced(index: texts.name, placement, snippets?.form),
            isGroupBefore: String.isGroup,
            versionTag: declaredTag(
                versionTag,
                [texts.name] + orders.map(\.description) + (condition.map { [$0.clause?.description] } ?? []),
                rule: comparisonRule, of: "The list \"\(name)\""))
    }
}

extension YapListRows {
    /// Searches, and makes the list show what is found: rows that matched before and match now stay where they are. Later writes keep it
    /// right for the same search.
    ///
    /// Costs the search, and O(rows of the list before and after), or of the list that is searched.
    ///
    /// ```swift
    /// try await connection.write { try $0[results].search(for: .words(in: field.text)) }
    /// ```
    ///
    /// - Parameter text: what was typed; an empty text empties the list.
    /// - Throws: ``YapDatabaseError`` with code `badQuery` only for ``YapSearchText/query(_:)``; the transaction may continue then. `corrupt`,
    ///   `inputOutput` and the like, after which it is lost.
    /// - Precondition: the list searches a text index, and the transaction is a read-write transaction.
    public func search(for text: YapSearchText) throws { try results("search").performSearch(for: text) }

    /// Returns the part of a value's texts that matches the search best; nil if it is not in the list, or the list has no snippets.
    ///
    /// Costs a search in one row.
    ///
    /// ```swift
    /// let snippet = try transaction[results].snippet(of: "dune")   // "... the <b>spice</b> ..."
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    /// - Precondition: the list searches a text index.
    public func snippet(of key: Key) throws -> String? {
        let row = list.collection.rowKey(key)
        return try results("snippet").snippet(forKey: row.key, inCollection: row.collection)
    }

    private func results(_ what: String) throws -> YapDatabaseSearchResultsViewTransaction {
        guard let results = view as? YapDatabaseSearchResultsViewTransaction else {
            fatalError("\(what): the list \"\(list.name)\" searches no texts. Declare it with `searching:`.")
        }
        return results
    }
}
