extension YapDatabase {
    /// The commits from now on, of this process and of others that it detects, in the order in which they were made. The
    /// sequence ends when the database is closed or the task is cancelled.
    ///
    /// A slow consumer does not delay writers. A consumer that is more than 512 commits or 1 MB of records behind receives a
    /// single commit in their place, for which ``YapDatabaseCommit/isExternal`` is true.
    ///
    /// A commit may change no row: a program that rests after many commits stores what makes the next opening quick.
    public var commits: YapDatabaseCommits { broadcast.stream() }
}

/// The commits of a database from the time at which it was asked for them: ``YapDatabase/commits``.
public struct YapDatabaseCommits: AsyncSequence, AsyncIteratorProtocol, Sendable {
    public typealias Element = YapDatabaseCommit
    public typealias Failure = Never

    // The sequence holds the queue: where nothing holds the sequence, nothing is kept for it.
    let queue: CommitQueue
    /// The loop that uses this copy; nil for the sequence itself.
    private(set) var loop: CommitLoop?

    /// All iterators of one sequence take commits from the same queue.
    public func makeAsyncIterator() -> YapDatabaseCommits {
        // One that was begun for a loop is its iterator.
        if loop != nil { return self }
        return YapDatabaseCommits(queue: queue, loop: queue.makeLoop(in: CommitLoop.currentTask))
    }

    /// Returns the commits for a loop that another task is about to begin. ``YapDatabase/waitUntilIdle()`` waits for the loop from now on.
    package func beginning() -> YapDatabaseCommits { YapDatabaseCommits(queue: queue, loop: queue.makeLoop(in: nil)) }

    /// Waits for the next commit; nil at the end.
    public mutating func next() async -> YapDatabaseCommit? { await next(isolation: nil) }

    /// Waits for the next commit and resumes on the caller's actor without another thread in between; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> YapDatabaseCommit? {
        while let event = await nextEvent(takesAll: false, isolation: actor) {
            if case .commits(let commits) = event { return commits[0] }
        }
        return nil
    }

    /// Waits for the next commit, or for what wakes the loop; nil at the end.
    /// - Parameter takesAll: whether all commits that wait are one event.
    mutating func nextEvent(takesAll: Bool, isolation actor: isolated (any Actor)?) async -> CommitEvent? {
        let queue = queue
        let loop = self.loop ?? queue.makeLoop(in: CommitLoop.currentTask)
        self.loop = loop
        if let waiting = queue.take(for: loop, all: takesAll).event { return waiting }
        let consumer = WaitingConsumer(queue, loop)
        return await withTaskCancellationHandler {
            // A closure runs on the caller's actor only if it refers to it.
            _ = actor
            while true {
                // Another consumer of the sequence may be quicker.
                let (event, isOver) = await consumer.next(takesAll)
                if event != nil || isOver { return event }
            }
        } onCancel: {
            queue.finish()
        }
    }
}

/// What a loop over commits wakes up for.
enum CommitEvent: Sendable {
    /// In their order, at least one.
    case commits([YapDatabaseCommit])
    /// Something else changed what the loop shows: ``CommitQueue/wake()``.
    case wake
}

/// Sends every commit to any number of streams.
///
/// A waiting consumer is a job that its queue keeps, as an executor of its own. The thread that commits sends the job
/// to the consumer's actor. A continuation would first wake a thread of the global executor, which takes about 20 µs
/// more.
final class CommitBroadcast: Sendable {
    private struct State {
        var queues: [Weak<CommitQueue>] = []
        var isFinished = false
    }

    private let state = Locked(State())
    private let waiters = ChangeWaiters()
    private let asking = AskingQueues()

    /// Waits until each loop over a stream has had all commits so far and asks for the next, except loops whose body runs in the calling
    /// task.
    /// - Throws: `CancellationError` if the task is cancelled before.
    func waitUntilTaken() async throws {
        let task = CommitLoop.currentTask
        try await waiters.wait { queues().allSatisfy { $0.isTaken(exceptBy: task) } }
    }

    /// Whether a stream asks whether commits concern its loop.
    var asksAboutCommits: Bool { asking.count.load(ordering: .relaxed) > 0 }

    /// - Parameter isConcerned: what a stream of one loop asks about a commit while that loop waits, having had all commits before: if it says
    ///   no, the loop sleeps on. Called on the thread that commits, without a lock, so it has to be quick.
    func stream(ifConcerned isConcerned: (@Sendable (Commit) -> Bool)? = nil) -> YapDatabaseCommits {
        let queue = CommitQueue(waiters, isConcerned, asking)
        let isFinished = state.withLock { state in
            if !state.isFinished { state.queues.append(Weak(queue)) }
            return state.isFinished
        }
        if isFinished { queue.finish() }
        return YapDatabaseCommits(queue: queue, loop: nil)
    }

    /// - Returns: a function that wakes the consumers. It may run code of their executors, so call it without a lock.
    func send(_ commits: [Commit]) -> () -> Void {
        let queues = queues()
        for queue in queues { queue.append(commits) }
        return {
            for queue in queues { queue.serve() }
            for commit in commits { _ = commit.dropWritten() }
        }
    }

    func finish() {
        state.withLock { $0.isFinished = true }
        for queue in queues() { queue.finish() }
    }

    private func queues() -> [CommitQueue] {
        state.withLock { state in
            let queues = state.queues.compactMap { $0.object }
            if queues.count < state.queues.count { state.queues = queues.map { Weak($0) } }
            return queues
        }
    }
}
