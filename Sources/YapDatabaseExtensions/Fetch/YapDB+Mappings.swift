import Foundation
import YapDatabase

extension YapDB {
    /// Which groups of a view are shown as sections, and in which order.
    public struct Mappings {
        private enum Kind {
            case composed(YapDatabaseViewMappings)
            case groups([String])
            case dynamic(YapDatabaseViewMappingGroupFilter, YapDatabaseViewMappingGroupSort)
        }

        private let kind: Kind

        /// Passes every group.
        public static var passThroughFilter: YapDatabaseViewMappingGroupFilter { { _, _ in true } }

        /// Orders groups by their names, without regard to case.
        public static var caseInsensitiveGroupSort: YapDatabaseViewMappingGroupSort {
            { one, other, _ in one.caseInsensitiveCompare(other) }
        }

        /// Shows the groups that pass the filter, in the order of `sort`.
        /// - Parameters:
        ///   - filter: returns whether a group is shown; runs on the thread that updates the mappings.
        ///   - sort: decides which of two groups comes first; runs on that thread.
        public init(
            filter: @escaping YapDatabaseViewMappingGroupFilter = Mappings.passThroughFilter,
            sort: @escaping YapDatabaseViewMappingGroupSort = Mappings.caseInsensitiveGroupSort
        ) {
            kind = .dynamic(filter, sort)
        }

        /// Shows these groups, in this order.
        public init(groups: [String]) { kind = .groups(groups) }

        /// Shows the groups of these mappings. They must belong to the view for which they are used.
        public init(composed: YapDatabaseViewMappings) { kind = .composed(composed) }

        func createMappings(view: String) -> YapDatabaseViewMappings {
            switch kind {
            case .composed(let mappings):
                guard mappings.view == view else {
                    fatalError("These mappings are of the view \"\(mappings.view)\", not of \"\(view)\".")
                }
                return mappings
            case .groups(let groups): return YapDatabaseViewMappings(groups: groups, view: view)
            case .dynamic(let filter, let sort):
                return YapDatabaseViewMappings(groupFilterBlock: filter, sortBlock: sort, view: view)
            }
        }
    }

    /// Which extension is fetched, and which part of it is shown.
    public struct FetchConfiguration {
        /// Sets ranges, dependencies and other settings of mappings.
        public typealias MappingsConfigurationBlock = (YapDatabaseViewMappings) -> Void

        /// What is fetched.
        public let fetch: Fetch
        let mappings: Mappings
        let block: MappingsConfigurationBlock?

        /// The name under which the extension is registered.
        public var name: String { fetch.name }

        /// Shows a part of a fetched extension.
        /// - Parameters:
        ///   - mappings: the groups that are shown; by default all groups, ordered by name.
        ///   - block: receives the mappings before they are returned.
        public init(fetch: Fetch, mappings: Mappings = Mappings(), block: MappingsConfigurationBlock? = nil) {
            self.fetch = fetch
            self.mappings = mappings
            self.block = block
        }

        /// All groups of a view.
        public init(view: View) { self.init(fetch: .view(view)) }

        /// All groups of a filter.
        public init(filter: Filter) { self.init(fetch: .filter(filter)) }

        /// All groups of a search's results.
        public init(search: SearchResults) { self.init(fetch: .search(search)) }

        /// Registers the extensions that are missing, and returns configured mappings of the view. They are empty before the first
        /// `update(with:)`.
        ///
        /// - Parameters:
        ///   - database: the database in which it is registered.
        ///   - config: settings of the connection that registers; nil for the database's.
        /// - Throws: `YapDatabaseError`, as `YapDatabase.register(_:withName:replacing:config:progress:)`.
        public func createMappingsRegisteredInDatabase(
            _ database: YapDatabase, config: YapDatabaseConnectionConfig? = nil
        ) throws -> YapDatabaseViewMappings {
            let mappings = try fetch.createViewMappings(mappings, inDatabase: database, config: config)
            block?(mappings)
            return mappings
        }
    }
}
