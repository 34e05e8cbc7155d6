import Synchronization

/// The commits that wait for the consumer of one stream, and the consumers that wait for a commit.
///
/// A continuation would resume its task on the global executor, which wakes a thread of its own before the consumer's. As the executor
/// of a ``WaitingConsumer`` the queue keeps the task itself, and the thread that sends a commit runs the few instructions that take the
/// task to its own executor.
final class CommitQueue: SerialExecutor {
    /// A task on its way through ``WaitingConsumer/next(_:)``.
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

        /// Drops the first commit if it is the given one, and returns the first; nil if there is none, or if the loop wakes anyway.
        mutating func nextCommit(after passed: Commit?) -> Commit? {
            // More commits than fit are one by now.
            if let passed, backlog.commits.first === passed { _ = backlog.popFirst() }
            return isFinished || isWoken ? nil : backlog.commits.first
        }
    }

    private let state = Locked(State())
    /// Tasks that wait until all loops have taken what they get.
    private let waiters: ChangeWaiters
    /// Whether the only loop, which waits and has had all commits before, is woken for a commit; nil for each.
    private let isConcerned: (@Sendable (Commit) -> Bool)?
    private let asking: AskingQueues

    init(_ waiters: ChangeWaiters, _ isConcerned: (@Sendable (Commit) -> Bool)?, _ asking: AskingQueues) {
        (self.waiters, self.isConcerned, self.asking) = (waiters, isConcerned, asking)
        if isConcerned != nil { asking.count.add(1, ordering: .relaxed) }
    }

    deinit { if isConcerned != nil { asking.count.subtract(1, ordering: .relaxed) } }

    /// - Parameter task: in which its body runs; nil if that is not known yet.
    func makeLoop(in task: Int?) -> CommitLoop {
        let loop = CommitLoop(waiters, task)
        state.withLock { state in
            state.loops.removeAll { $0.object == nil }
            state.loops.append(Weak(loop))
        }
        return loop
    }

    /// - Parameter all: whether all commits that wait are taken, or one.
    /// - Returns: what the loop wakes up for, if it waits already, and whether there will be nothing any more.
    func take(for loop: CommitLoop, all: Bool) -> (event: CommitEvent?, isOver: Bool) {
        let task = CommitLoop.currentTask
        let (event, isOver) = state.withLock { state -> (CommitEvent?, Bool) in
            if let task { loop.task = task }
            if state.isWoken, !state.isFinished {
                state.isWoken = false
                loop.isAsking = false
                return (.wake, false)
            }
            let next = all ? state.backlog.removeAll() : state.backlog.popFirst().map { [$0] } ?? []
            loop.isAsking = next.isEmpty
            return (
                next.isEmpty ? nil : .commits(next.map { YapDatabaseCommit($0) }),
                state.isFinished && state.backlog.isEmpty
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
            let isWoken = waiting.queue.hasNews()
            if isWoken { waiting.job.runSynchronously(on: waiting.queue.asUnownedSerialExecutor()) }
            next = waiting.queue.state.withLock { state in
                state.isRunning = false
                if !isWoken { state.jobs.insert(waiting, at: 0) }
                return state.beginJob()
            }
        }
    }

    /// Drops the commits at the front that do not concern the loop.
    /// - Returns: whether something is left for it.
    private func hasNews() -> Bool {
        guard let isConcerned else { return true }
        var passed: Commit?
        while let commit = state.withLock({ $0.nextCommit(after: passed) }) {
            if isConcerned(commit) { return true }
            passed = commit
        }
        if passed != nil { waiters.changed() }
        return state.withLock { $0.isFinished || $0.isWoken }
    }
}

/// The number of queues that ask whether commits concern their loops.
final class AskingQueues: Sendable {
    let count = Atomic<Int>(0)
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
actor WaitingConsumer {
    private let queue: CommitQueue
    private let loop: CommitLoop

    init(_ queue: CommitQueue, _ loop: CommitLoop) { (self.queue, self.loop) = (queue, loop) }

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func next(_ takesAll: Bool) -> (event: CommitEvent?, isOver: Bool) { queue.take(for: loop, all: takesAll) }
}
