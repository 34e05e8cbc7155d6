import YapDatabase

extension YapDB {
    /// The rows of another view whose texts match what was searched for last; see ``Search``. Empty before the first search.
    public struct SearchResults: Sendable {
        /// Sets the texts of a row.
        public typealias Handler = YapDatabaseFullTextSearchHandler

        /// The name under which the view of the results is registered.
        public let name: String
        let parent: Fetch
        let search: String
        let columnNames: [String]
        let handler: Handler
        let settings: ViewSettings

        /// Declares results with the name under which their view is registered.
        /// - Parameters:
        ///   - parent: the view in which to search; also a filter, or results of another search.
        ///   - search: the name under which the full-text search is registered. Several views may have one; the first that is
        ///     registered decides its columns.
        ///   - columnNames: the columns that the handler sets.
        ///   - version: change it whenever the columns or the handler change.
        ///   - persistent: whether the results are stored in the file; then the parent must be too.
        ///   - collections: those whose rows can be found; nil for all.
        public init(
            name: String, parent: Fetch, search: String, columnNames: [String], handler: Handler,
            version: String = "1.0", persistent: Bool = false, collections: [String]? = nil
        ) {
            self.name = name
            self.parent = parent
            self.search = search
            self.columnNames = columnNames
            self.handler = handler
            settings = ViewSettings(version: version, isPersistent: persistent, collections: collections)
        }

        func makeSearch() -> YapDatabaseExtension {
            YapDatabaseFullTextSearch(
                columnNames: columnNames, handler: handler, versionTag: settings.version,
                allowedCollections: settings.allowedCollections)
        }

        func makeExtension() -> YapDatabaseExtension {
            YapDatabaseSearchResultsView(
                fullTextSearchName: search, parentViewName: parent.name, versionTag: settings.version,
                options: settings.apply(to: YapDatabaseSearchResultsViewOptions()))
        }
    }

    /// Columns of rows that SQL queries can search.
    public struct SecondaryIndex: Sendable {
        /// Sets the columns of a row.
        public typealias Handler = YapDatabaseSecondaryIndexHandler

        /// The name under which it is registered.
        public let name: String
        let handler: Handler
        let columnTypes: [String: YapDatabaseSecondaryIndexType]
        let version: String
        let collections: [String]?

        /// Declares an index with the name under which it is registered.
        /// - Parameters:
        ///   - columnTypes: the columns that the handler sets.
        ///   - version: change it whenever the columns or the handler change.
        ///   - collections: those whose rows it may have; nil for all.
        public init(
            name: String, handler: Handler, columnTypes: [String: YapDatabaseSecondaryIndexType],
            version: String = "1.0", collections: [String]? = nil
        ) {
            self.name = name
            self.handler = handler
            self.columnTypes = columnTypes
            self.version = version
            self.collections = collections
        }

        func makeExtension() -> YapDatabaseExtension {
            let setup = YapDatabaseSecondaryIndexSetup()
            // A dictionary has no order, but columns in another order are another table.
            for (column, type) in columnTypes.sorted(by: { $0.key < $1.key }) { setup.addColumn(column, with: type) }
            let options = YapDatabaseSecondaryIndexOptions()
            options.allowedCollections = collections.map { YapWhitelistBlacklist(whitelist: Set($0)) }
            return YapDatabaseSecondaryIndex(setup: setup, handler: handler, versionTag: version, options: options)
        }
    }
}
