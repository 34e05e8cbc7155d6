import Dispatch
import YapDatabase

extension YapDB {
    /// Searches for what a person types, in one or several views of results.
    ///
    /// ```swift
    /// let search = try YapDB.Search(db: database, view: .search(results)) { term in term + "*" }
    /// try await search.usingTerm("dun")
    /// ```
    ///
    /// A term that is given while an older one is searched for takes its place.
    public final class Search: Sendable {
        /// Returns the query for a term, in the language of SQLite's FTS5.
        public typealias Query = @Sendable (_ searchTerm: String) -> String

        private let connection: YapDatabaseConnection
        private let queues: [(name: String, queue: YapDatabaseSearchQueue)]
        private let query: Query

        /// Registers what is missing of the views.
        /// - Parameters:
        ///   - db: the database; the search opens a connection to it.
        ///   - views: fetches of results.
        ///   - query: makes the text of the search from a term; runs on the thread that calls `usingTerm`.
        /// - Throws: `YapDatabaseError`, as `YapDatabase.register(_:withName:replacing:config:progress:)`.
        /// - Precondition: each fetch is a `.search`; indexes are ignored.
        public init(db: YapDatabase, views: [Fetch], query: @escaping Query) throws {
            queues = try views.compactMap { fetch in
                switch fetch {
                case .index: return nil
                case .search: try fetch.registerInDatabase(db)
                case .view, .filter:
                    fatalError("\"\(fetch.name)\" holds no results. Search in a Fetch.search.")
                }
                return (fetch.name, YapDatabaseSearchQueue())
            }
            connection = try db.newConnection()
            self.query = query
        }

        /// A search in one view. See ``init(db:views:query:)``.
        /// - Parameters:
        ///   - db: the database; the search opens a connection to it.
        ///   - view: a fetch of results.
        ///   - query: makes the text of the search from a term; runs on the thread that calls `usingTerm`.
        /// - Throws: `YapDatabaseError`, as `YapDatabase.register(_:withName:replacing:config:progress:)`, such as `badExtension`.
        public convenience init(db: YapDatabase, view: Fetch, query: @escaping Query) throws {
            try self.init(db: db, views: [view], query: query)
        }

        /// Searches for a term, later; the views then hold what matches.
        ///
        /// The search runs on a queue of the search's connection, and the block on `queue`.
        ///
        /// - Parameter completion: receives `YapDatabaseError` with code `badQuery` if the query is wrong; all views are unchanged
        ///   then. Without a block errors go to `YapDatabaseOptions.asyncErrorHandler`, which by default stops the program.
        public func usingTerm(
            _ term: String, queue: DispatchQueue = .main,
            completion: (@Sendable (Result<Void, any Error>) -> Void)? = nil
        ) {
            enqueue(term)
            connection.asyncWrite({ [queues] in try Self.perform(queues, $0) }, queue: queue, completion: completion)
        }

        /// Searches for a term; then the views hold what matches, or what matches a newer term.
        /// - Throws: `YapDatabaseError` with code `badQuery` if the query is wrong. All views are unchanged then.
        public func usingTerm(_ term: String) async throws {
            enqueue(term)
            try await connection.readWrite { [queues] in try Self.perform(queues, $0) }
        }

        private func enqueue(_ term: String) {
            let query = query(term)
            for (_, queue) in queues { queue.enqueueQuery(query) }
        }

        private static func perform(
            _ queues: [(name: String, queue: YapDatabaseSearchQueue)], _ transaction: YapDatabaseReadWriteTransaction
        ) throws {
            for (name, queue) in queues {
                guard let results = transaction.ext(name) as? YapDatabaseSearchResultsViewTransaction else {
                    throw YapDatabaseError(
                        .badExtension, "\"\(name)\" is not registered as a view of search results. Register it again.")
                }
                try results.performSearch(with: queue)
            }
        }
    }
}
