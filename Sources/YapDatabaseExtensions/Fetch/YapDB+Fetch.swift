import YapDatabase

extension YapDB {
    /// What is fetched: a view, a filter of it, results of a search in it, or an index. It registers itself, and what it stands on.
    ///
    /// ```swift
    /// let books = YapDB.Fetch.view(
    ///     YapDB.View(name: "books", grouping: .byKey { _, _, _ in "all" }, sorting: byTitle, collections: ["books"]))
    /// let old = YapDB.Fetch.filter(
    ///     YapDB.Filter(name: "old", parent: books, filtering: .byObject { _, _, _, _, object in object is Book }))
    /// try old.registerInDatabase(database)
    /// ```
    ///
    /// A `YapList`, `YapIndex` or `YapTextIndex` declares the same with types.
    public indirect enum Fetch: Sendable {
        /// Rows in groups and in an order, as blocks decide.
        case view(View)
        /// The rows of another fetch that pass a filter.
        case filter(Filter)
        /// The rows of another fetch that a text finds.
        case search(SearchResults)
        /// Columns for rows, which queries search.
        case index(SecondaryIndex)

        /// The name under which the extension is registered.
        public var name: String {
            switch self {
            case .view(let view): view.name
            case .filter(let filter): filter.name
            case .search(let search): search.name
            case .index(let index): index.name
            }
        }

        /// Whether this process has registered an extension of the name in the database.
        public func isRegisteredInDatabase(_ database: YapDatabase) -> Bool {
            database.registeredExtension(name) != nil
        }

        /// Registers the extension and those that it reads from, in one pass over the rows and one commit. Extensions that are
        /// registered already are left alone. Blocks until it is done.
        /// - Parameter config: settings of the connection that does it; nil for the database's.
        /// - Throws: `YapDatabaseError`, as `YapDatabase.register(_:withName:replacing:config:progress:)`.
        @available(*, noasync, message: "Await the async form; at the top level of main.swift, in an async function.")
        public func registerInDatabase(_ database: YapDatabase, config: YapDatabaseConnectionConfig? = nil) throws {
            let missing = parts.filter { database.registeredExtension($0.name) == nil }
            guard !missing.isEmpty else { return }
            try database.register(missing.map { ($0.name, $0.make()) }, config: config)
        }

        /// Registers the extension and those that it reads from, like the sync form, without blocking a thread of the caller.
        /// - Parameter config: settings of the connection that does it; nil for the database's.
        /// - Throws: `YapDatabaseError`, as `YapDatabase.register(_:withName:replacing:config:progress:)`.
        public func registerInDatabase(
            _ database: YapDatabase, config: YapDatabaseConnectionConfig? = nil
        ) async throws {
            let missing = parts.filter { database.registeredExtension($0.name) == nil }
            guard !missing.isEmpty else { return }
            try await database.register(missing.map { ($0.name, $0.make()) }, config: config)
        }

        /// Registers what is missing, and returns mappings of the view. Blocks only for what is missing: in async code, await
        /// `registerInDatabase(_:config:)` before.
        /// - Parameters:
        ///   - mappings: which groups are sections.
        ///   - database: the database in which it is registered.
        ///   - config: settings of the connection that registers; nil for the database's.
        /// - Throws: `YapDatabaseError`, as `YapDatabase.register(_:withName:replacing:config:progress:)`.
        /// - Precondition: it is not an index, which has no rows in order.
        public func createViewMappings(
            _ mappings: Mappings, inDatabase database: YapDatabase, config: YapDatabaseConnectionConfig? = nil
        ) throws -> YapDatabaseViewMappings {
            if case .index = self { fatalError("\"\(name)\" is an index. Mappings show a view.") }
            try registerInDatabase(database, config: config)
            return mappings.createMappings(view: name)
        }

        /// What is registered, each after what it stands on.
        var parts: [Part] {
            switch self {
            case .view(let view): [Part(name: view.name, make: view.makeExtension)]
            case .filter(let filter): filter.parent.parts + [Part(name: filter.name, make: filter.makeExtension)]
            case .search(let search):
                search.parent.parts + [
                    Part(name: search.search, make: search.makeSearch),
                    Part(name: search.name, make: search.makeExtension),
                ]
            case .index(let index): [Part(name: index.name, make: index.makeExtension)]
            }
        }

        struct Part {
            let name: String
            let make: () -> YapDatabaseExtension
        }
    }
}
