/// The texts that a person types into a search field. Only the newest is searched for.
///
/// ```swift
/// queue.enqueueQuery(field.text + "*")
/// connection.asyncReadWrite { transaction in
///     let results = transaction.ext("results") as! YapDatabaseSearchResultsViewTransaction
///     try results.performSearch(with: queue)
/// }
/// ```
///
/// May be used from any thread.
public final class YapDatabaseSearchQueue: Sendable {
    private struct State {
        var queries: [String] = []
        /// Whether the search in progress is to end.
        var isStopped = false
        var isRollback = false
    }

    private let state = Locked(State())

    /// Creates a queue without a text.
    public init() {}

    /// Adds a text. A search for an older one that is in progress ends soon.
    public func enqueueQuery(_ query: String) { state.withLock { $0.queries.append(query) } }

    /// The texts that no search has taken yet, oldest first.
    public func enqueuedQueries() -> [String] { state.withLock { $0.queries } }

    /// Returns the number of texts that no search has taken yet.
    public func enqueuedQueryCount() -> Int { state.withLock { $0.queries.count } }

    /// Ends the search in progress and forgets the texts added so far.
    /// - Parameter shouldRollback: whether the transaction of the search rolls back; otherwise the view keeps what was found.
    public func abortSearchInProgressAndRollback(_ shouldRollback: Bool) {
        state.withLock {
            $0.queries = []
            $0.isStopped = true
            $0.isRollback = shouldRollback
        }
    }

    // MARK: For the search

    /// Takes all texts and returns the newest; nil if there is none.
    func takeNewest() -> String? {
        state.withLock { state in
            defer { state = State() }
            return state.queries.last
        }
    }

    /// Whether the search in progress is still the newest.
    var isWanted: Bool { state.withLock { !$0.isStopped && $0.queries.isEmpty } }

    var endsWithRollback: Bool { state.withLock { $0.isStopped && $0.isRollback } }

    func checkIsWanted() throws {
        if !isWanted { throw SearchStopped() }
    }
}
