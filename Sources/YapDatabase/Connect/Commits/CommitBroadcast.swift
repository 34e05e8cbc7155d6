extension YapDatabase {
    /// The commits from now on, of this process and of others that it detects, in the order in which they were made. The
    /// sequence ends when the database is closed or the task is cancelled.
    ///
    /// A slow consumer does not delay writers. A consumer that is more than 512 commits or 1 MB of records behind receives a
    /// single commit in their place, for which ``YapDatabaseCommit/isExternal`` is true.
    public var commits: YapDatabaseCommits { broadcast.stream() }
}

/// The commits of a database from the time at which it was asked for them: ``YapDatabase/commits``.
public struct YapDatabaseCommits: AsyncSequence, AsyncIteratorProtocol, Sendable {
    public typealias Element = YapDatabaseCommit
    public typealias Failure = Never

    // The sequence holds the queue: where nothing holds the sequence, nothing is kept for it.
    fileprivate let queue: CommitQueue

    /// All iterators of one sequence take commits from the same queue.
    public func makeAsyncIterator() -> YapDatabaseCommits { self }

    /// Waits for the next commit; nil at the end.
    public mutating func next() async -> YapDatabaseCommit? { await next(isolation: nil) }

    /// Waits for the next commit and resumes on the caller's actor without another thread in between; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> YapDatabaseCommit? {
        let queue = queue
        if let waiting = queue.popWaiting() { return waiting }
        return await withTaskCancellationHandler {
            await queue.next(isolation: actor)
        } onCancel: {
            queue.finish()
        }
    }
}

/// Sends every commit to any number of streams.
final class CommitBroadcast: Sendable {
    private struct State {
        var queues: [Weak<CommitQueue>] = []
        var isFinished = false
    }

    private let state = Locked(State())

    func stream() -> YapDatabaseCommits {
        let queue = CommitQueue()
        let isFinished = state.withLock { state in
            if !state.isFinished { state.queues.append(Weak(queue)) }
            return state.isFinished
        }
        if isFinished { queue.finish() }
        return YapDatabaseCommits(queue: queue)
    }

    func send(_ commits: [Commit]) {
        for queue in queues() { queue.send(commits) }
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

/// The commits that wait for the consumer of one stream.
private final class CommitQueue: Sendable {
    private struct State {
        var backlog = CommitBacklog()
        var consumers: [CheckedContinuation<YapDatabaseCommit?, Never>] = []
        var isFinished = false
    }

    private let state = Locked(State())

    /// The next commit, if it waits already.
    func popWaiting() -> YapDatabaseCommit? { state.withLock { $0.backlog.popFirst() }.map(YapDatabaseCommit.init) }

    func next(isolation actor: isolated (any Actor)?) async -> YapDatabaseCommit? {
        await withCheckedContinuation { continuation in
            let (isOver, commit) = state.withLock { state -> (Bool, Commit?) in
                let commit = state.backlog.popFirst()
                let isOver = commit != nil || state.isFinished
                if !isOver { state.consumers.append(continuation) }
                return (isOver, commit)
            }
            if isOver { continuation.resume(returning: commit.map(YapDatabaseCommit.init)) }
        }
    }

    func send(_ commits: [Commit]) {
        let served = state.withLock { state in
            state.backlog.append(commits)
            var served: [(CheckedContinuation<YapDatabaseCommit?, Never>, Commit)] = []
            while !state.consumers.isEmpty, let commit = state.backlog.popFirst() {
                served.append((state.consumers.removeFirst(), commit))
            }
            return served
        }
        for (consumer, commit) in served { consumer.resume(returning: YapDatabaseCommit(commit)) }
    }

    func finish() {
        let consumers = state.withLock { state in
            state.isFinished = true
            defer { state.consumers = [] }
            return state.consumers
        }
        for consumer in consumers { consumer.resume(returning: nil) }
    }
}
