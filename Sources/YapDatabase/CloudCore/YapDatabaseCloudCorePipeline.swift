import Dispatch
import FileEngine
import Foundation

/// A queue of operations that are given to a delegate.
///
/// The operations themselves are in the database; the pipeline knows which of them run, which are on hold and whether it is
/// suspended. That is not stored: after a launch all operations are pending.
public final class YapDatabaseCloudCorePipeline: @unchecked Sendable {
    // @unchecked: all mutable state is behind a lock; a weak reference to the delegate is atomic.

    struct State {
        var previousNames: Set<String> = []
        var maxConcurrentOperationCount = 8
        var suspendCount = 0
        var isActive = false
        var owner = Weak<YapDatabaseCloudCore>(nil)
        var schedule = PipelineSchedule()
        /// The operations of the snapshot that it followed last.
        var known: [UUID: QueuedOperation] = [:]
        var unposted = UnpostedNews()
    }

    /// The name, by which operations choose the pipeline.
    public let name: String
    /// How the operations of several commits are ordered.
    public let algorithm: YDBCloudCorePipelineAlgorithm
    private let weakDelegate: Weak<AnyObject>
    let state = Locked(State())

    /// - Parameter delegate: not retained. Without it no operation starts.
    public init(
        name: String, algorithm: YDBCloudCorePipelineAlgorithm = .commitGraph,
        delegate: any YapDatabaseCloudCorePipelineDelegate
    ) {
        self.name = name
        self.algorithm = algorithm
        weakDelegate = Weak(delegate)
    }

    /// What starts the operations; nil once it is deallocated, because it is not retained.
    public var delegate: (any YapDatabaseCloudCorePipelineDelegate)? {
        weakDelegate.object as? any YapDatabaseCloudCorePipelineDelegate
    }

    /// The extension that it was added to.
    public var owner: YapDatabaseCloudCore? { state.withLock { $0.owner.object } }

    func setOwner(_ owner: YapDatabaseCloudCore) -> Bool {
        state.withLock { state in
            guard state.owner.object == nil else { return false }
            state.owner = Weak(owner)
            return true
        }
    }

    /// Names that the pipeline had in earlier releases of the app, whose operations it takes over. Set it before the extension is
    /// registered.
    public var previousNames: Set<String> {
        get { state.withLock { $0.previousNames } }
        set { state.withLock { $0.previousNames = newValue } }
    }

    /// The most operations that the delegate has at a time; 0 for any number. Initially 8.
    public var maxConcurrentOperationCount: Int {
        get { state.withLock { $0.maxConcurrentOperationCount } }
        set {
            state.withLock { $0.maxConcurrentOperationCount = max(newValue, 0) }
            owner?.later()
        }
    }

    // MARK: Suspending

    /// Whether no operation of the pipeline starts until ``resume()``.
    public var isSuspended: Bool { suspendCount > 0 }

    /// How often ``resume()`` must be called before operations start.
    public var suspendCount: Int { state.withLock { $0.suspendCount } }

    /// Starts no more operations until ``resume()`` was called as often. Those that run go on.
    /// - Returns: the new count.
    @discardableResult public func suspend() -> Int { suspend(withCount: 1) }

    /// Suspends several times.
    @discardableResult public func suspend(withCount count: Int) -> Int {
        let sum = state.withLock { state in
            state.suspendCount += max(count, 0)
            return state.suspendCount
        }
        guard count > 0 else { return sum }
        post { $0.isSuspendCountChanged = true }
        noteActivity()
        return sum
    }

    /// Takes one ``suspend()`` back. Without one it does nothing.
    /// - Returns: the new count.
    @discardableResult public func resume() -> Int {
        let (count, isChanged) = state.withLock { state in
            let isSuspended = state.suspendCount > 0
            if isSuspended { state.suspendCount -= 1 }
            return (state.suspendCount, isSuspended)
        }
        guard isChanged else { return count }
        post { $0.isSuspendCountChanged = true }
        if count == 0 { owner?.later() }
        return count
    }

    /// Whether the delegate has operations. Once true, it stays so until all operations are done, or until the pipeline is
    /// suspended and the delegate has none.
    public var isActive: Bool { state.withLock { $0.isActive } }

    func noteActivity() {
        let isChanged = state.withLock { state in
            let isRunning = state.schedule.active.contains { state.known[$0] != nil }
            let isActive = isRunning || state.isActive && !state.known.isEmpty && state.suspendCount == 0
            defer { state.isActive = isActive }
            return isActive != state.isActive
        }
        if isChanged { post { $0.isActivityChanged = true } }
    }
}

/// What carries out the operations of a pipeline.
public protocol YapDatabaseCloudCorePipelineDelegate: AnyObject, Sendable {
    /// Begins to carry out an operation. Called on any thread, for several operations at once, and soon after the operation was
    /// queued or could start.
    ///
    /// Once it is done, complete it in a read-write transaction, with what it changes in the rows
    /// (``YapDatabaseCloudCoreTransaction/completeOperation(with:inPipeline:)``). If it failed, skip it in the same way, or give
    /// it back to the pipeline, which starts it again
    /// (``YapDatabaseCloudCorePipeline/setStatusAsPendingForOperation(with:retryDelay:)``).
    /// - Parameter operation: a copy. It may have been started by an earlier launch that ended before it was completed.
    func startOperation(_ operation: YapDatabaseCloudCoreOperation, forPipeline pipeline: YapDatabaseCloudCorePipeline)
}
