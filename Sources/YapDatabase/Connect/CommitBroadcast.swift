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
    let queue: CommitQueue
    /// The loop that uses this copy; nil for the sequence itself.
    private(set) var loop: CommitLoop?

    /// All iterators of one sequence take commits from the same queue.
    public func makeAsyncIterator() -> YapDatabaseCommits {
        // One that was begun for a loop is its iterator.
        if loop != nil { return self }
        return YapDatabaseCommits(queue: queue, loop: queue.makeLoop(in: CommitLoop.currentTask))
    }

    /// The same for a loop that another task is about to begin: ``YapDatabase/waitUntilIdle()`` waits for it from now on.
    package func beginning() -> YapDatabaseCommits { YapDatabaseCommits(queue: queue, loop: queue.makeLoop(in: nil)) }

    /// Waits for the next commit; nil at the end.
    public mutating func next() async -> YapDatabaseCommit? { await next(isolation: nil) }

    /// Waits for the next commit and resumes on the caller's actor without another thread in between; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> YapDatabaseCommit? {
        while let event = await nextEvent(isolation: actor) {
            if case .commit(let commit) = event { return commit }
        }
        return nil
    }

    /// Waits for the next commit, or for what wakes the loop; nil at the end.
    mutating func nextEvent(isolation actor: isolated (any Actor)?) async -> CommitEvent? {
        let queue = queue
        let loop = self.loop ?? queue.makeLoop(in: CommitLoop.currentTask)
        self.loop = loop
        if let waiting = queue.take(for: loop).event { return waiting }
        let consumer = WaitingConsumer(queue, loop)
        return await withTaskCancellationHandler {
            // A closure runs on the caller's actor only if it refers to it.
            _ = actor
            while true {
                // Another consumer of the sequence may be quicker.
                let (event, isOver) = await consumer.next()
                if event != nil || isOver { return event }
            }
        } onCancel: {
            queue.finish()
        }
    }
}

/// What a loop over commits wakes up for.
enum CommitEvent: Sendable {
    case commit(YapDatabaseCommit)
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

    /// Waits until each loop over a stream has had all commits so far and asks for the next, except loops whose body runs in the calling
    /// task.
    /// - Throws: `CancellationError` if the task is cancelled before.
    func waitUntilTaken() async throws {
        let task = CommitLoop.currentTask
        try await waiters.wait { queues().allSatisfy { $0.isTaken(exceptBy: task) } }
    }

    func stream() -> YapDatabaseCommits {
        let queue = CommitQueue(waiters)
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
        return { for queue in queues { queue.serve() } }
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

/// The commits that wait for the consumer of one stream, and the consumers that wait for a commit.
///
/// A continuation would resume its task on the global executor, which wakes a thread of its own before the consumer's. As the executor
/// of a ``WaitingConsumer`` the queue keeps the task itself, and the thread that sends a commit runs the few instructions that take the
/// task to its own executor.
final class CommitQueue: SerialExecutor {
    /// A task on its way through ``WaitingConsumer/next()``.
    private struct WaitingJob {
        let job: UnownedJob
        /// The task may end, on another thread, while the job that resumed it returns.
        let queue: CommitQueue
    }

    private struct State {
        var backlog = CommitBacklog()
        var loops: [Weak<CommitLoop>] = []
        var jobs: [WaitingJob] = []
        var isRunning = false
        var isFinished = false
        var isWoken = false

        /// Takes the next job, if there is something for it.
        mutating func beginJob() -> WaitingJob? {
            guard !isRunning, !jobs.isEmpty, isFinished || isWoken || !backlog.isEmpty else { return nil }
            isRunning = true
            return jobs.removeFirst()
        }
    }

    private let state = Locked(State())
    /// Tasks that wait until all loops have taken what they get.
    private let waiters: ChangeWaiters

    init(_ waiters: ChangeWaiters) { self.waiters = waiters }

    /// - Parameter task: in which its body runs; nil if that is not known yet.
    func makeLoop(in task: Int?) -> CommitLoop {
        let loop = CommitLoop(waiters, task)
        state.withLock { state in
            state.loops.removeAll { $0.object == nil }
            state.loops.append(Weak(loop))
        }
        return loop
    }

    /// - Returns: what the loop wakes up for, if it waits already, and whether there will be nothing any more.
    func take(for loop: CommitLoop) -> (event: CommitEvent?, isOver: Bool) {
        let task = CommitLoop.currentTask
        let (event, isOver) = state.withLock { state -> (CommitEvent?, Bool) in
            if let task { loop.task = task }
            if state.isWoken, !state.isFinished {
                state.isWoken = false
                loop.isAsking = false
                return (.wake, false)
            }
            let next = state.backlog.popFirst()
            loop.isAsking = next == nil
            return (
                next.map { CommitEvent.commit(YapDatabaseCommit($0)) }, state.isFinished && state.backlog.isEmpty
            )
        }
        if event == nil { waiters.changed() }
        return (event, isOver)
    }

    /// Wakes the loop without a commit.
    func wake() {
        state.withLock { $0.isWoken = true }
        serve()
    }

    func isTaken(exceptBy task: Int?) -> Bool {
        // A last reference is released outside of the lock.
        var loops: [CommitLoop] = []
        return state.withLock { state in
            loops = state.loops.compactMap(\.object)
            return state.isFinished
                || loops.allSatisfy { loop in
                    loop.isAsking && !state.isWoken && state.backlog.isEmpty || task != nil && loop.task == task
                }
        }
    }

    func append(_ commits: [Commit]) { state.withLock { $0.backlog.append(commits) } }

    func finish() {
        state.withLock { $0.isFinished = true }
        serve()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let waiting = WaitingJob(job: UnownedJob(job), queue: self)
        Self.run(
            state.withLock { state in
                state.jobs.append(waiting)
                return state.beginJob()
            })
    }

    /// Runs the jobs for which there is something.
    func serve() { Self.run(state.withLock { $0.beginJob() }) }

    private static func run(_ first: WaitingJob?) {
        var next = first
        while let waiting = next {
            waiting.job.runSynchronously(on: waiting.queue.asUnownedSerialExecutor())
            next = waiting.queue.state.withLock { state in
                state.isRunning = false
                return state.beginJob()
            }
        }
    }
}

/// A loop over a stream, from its beginning to its end.
final class CommitLoop: @unchecked Sendable {
    // @unchecked: what changes is behind the lock of its queue.

    /// Whether it has had all commits and asks for the next.
    var isAsking = false
    /// The task that made it or that asked last.
    var task: Int?
    private let waiters: ChangeWaiters

    init(_ waiters: ChangeWaiters, _ task: Int?) { (self.waiters, self.task) = (waiters, task) }

    deinit { waiters.changed() }

    /// A number for the task that runs; nil outside of tasks.
    static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}

/// Where a task waits for a commit: an actor that runs it when there is one.
private actor WaitingConsumer {
    private let queue: CommitQueue
    private let loop: CommitLoop

    init(_ queue: CommitQueue, _ loop: CommitLoop) { (self.queue, self.loop) = (queue, loop) }

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func next() -> (event: CommitEvent?, isOver: Bool) { queue.take(for: loop) }
}
