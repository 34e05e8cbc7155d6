import YapDatabase

extension YapDB {
    /// A view: which rows it holds, in which groups and in which order.
    public struct View: Sendable {
        /// Decides the group of a row.
        public typealias Grouping = YapDatabaseViewGrouping
        /// Compares two rows of a group.
        public typealias Sorting = YapDatabaseViewSorting

        /// The name under which it is registered.
        public let name: String
        let grouping: Grouping
        let sorting: Sorting
        let settings: ViewSettings

        /// Declares a view with the name under which it is registered.
        /// - Parameters:
        ///   - version: change it whenever the blocks change, or anything that their answers depend on.
        ///   - persistent: whether the view is stored in the file.
        ///   - collections: those whose rows it may hold; nil for all.
        public init(
            name: String, grouping: Grouping, sorting: Sorting, version: String = "1.0", persistent: Bool = true,
            collections: [String]? = nil
        ) {
            self.name = name
            self.grouping = grouping
            self.sorting = sorting
            settings = ViewSettings(version: version, isPersistent: persistent, collections: collections)
        }

        func makeExtension() -> YapDatabaseExtension {
            YapDatabaseAutoView(
                grouping: grouping, sorting: sorting, versionTag: settings.version,
                options: settings.apply(to: YapDatabaseViewOptions()))
        }
    }

    /// The rows of another view that pass a filter.
    public struct Filter: Sendable {
        /// Decides whether a row passes.
        public typealias Filtering = YapDatabaseViewFiltering

        /// The name under which it is registered.
        public let name: String
        let parent: Fetch
        let filtering: Filtering
        let settings: ViewSettings

        /// Declares a filter with the name under which it is registered.
        /// - Parameters:
        ///   - parent: the view whose rows are filtered; also a filter, or results of a search.
        ///   - version: change it whenever the block changes, or anything that its answers depend on.
        ///   - persistent: whether the view is stored in the file; then the parent must be too.
        ///   - collections: those whose rows it may hold; nil for all.
        public init(
            name: String, parent: Fetch, filtering: Filtering, version: String = "1.0", persistent: Bool = true,
            collections: [String]? = nil
        ) {
            self.name = name
            self.parent = parent
            self.filtering = filtering
            settings = ViewSettings(version: version, isPersistent: persistent, collections: collections)
        }

        func makeExtension() -> YapDatabaseExtension {
            YapDatabaseFilteredView(
                parentViewName: parent.name, filtering: filtering, versionTag: settings.version,
                options: settings.apply(to: YapDatabaseViewOptions()))
        }
    }
}

/// What all views have.
struct ViewSettings: Sendable {
    let version: String
    let isPersistent: Bool
    let collections: [String]?

    var allowedCollections: YapWhitelistBlacklist? { collections.map { YapWhitelistBlacklist(whitelist: Set($0)) } }

    func apply<Options: YapDatabaseViewOptions>(to options: Options) -> Options {
        options.isPersistent = isPersistent
        options.allowedCollections = allowedCollections
        return options
    }
}
