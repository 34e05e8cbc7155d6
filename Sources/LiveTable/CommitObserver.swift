import YapDatabase

/// Calls a closure on the main actor for each commit of a database, until it is stopped or deallocated.
///
/// It reads ``YapDatabase/YapDatabase/commits``, so the database needs to post no notifications.
@MainActor public final class CommitObserver {
    private let task: Task<Void, Never>

    /// Begins to call `onCommit`, for each commit after this moment.
    /// - Parameters:
    ///   - database: the database.
    ///   - onCommit: called on the main actor, once for each commit of any process.
    public init(_ database: YapDatabase, onCommit: @escaping @MainActor (YapDatabaseCommit) -> Void) {
        // Begins here and not when the task first runs, so that no commit is missed.
        let commits = database.commits.beginning()
        task = Task {
            for await commit in commits {
                // A commit may be on its way when the observer is stopped.
                if Task.isCancelled { return }
                onCommit(commit)
            }
        }
    }

    deinit { task.cancel() }

    /// Ends the calls.
    public func stop() { task.cancel() }
}
