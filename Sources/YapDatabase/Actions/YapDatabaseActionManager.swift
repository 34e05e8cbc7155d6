import Dispatch
import Foundation
import ListChanges

/// Returns the actions of a row; nil for none.
public typealias YapActionScheduler = @Sendable (_ collection: String, _ key: String, _ object: Any) -> [YapActionItem]?

/// Calls blocks that objects ask for (``YapActionable``), each at its date, and again until it has done its work.
///
/// ```swift
/// try database.register(YapDatabaseActionManager(), withName: "actions")
/// ```
///
/// It begins when it is registered and ends when it is unregistered or the database is closed. It follows the commits of this
/// process and of others. Nothing is stored: after a launch all objects are asked again, and an action whose work was not
/// recorded in its row is called again. All actions are held in memory; a commit costs O(changed rows + all actions).
public final class YapDatabaseActionManager: YapDatabaseExtension, ExtensionHooks, @unchecked Sendable {
    // @unchecked: all mutable state is behind a lock.

    private struct State {
        var reachability: any YapReachability = YapAlwaysReachable()
        var suspendCount = 0
        var name: String?
        weak var database: YapDatabase?
    }

    private let state = Locked(State())
    private let schedule = Locked(ActionSchedule())
    private let alarm = Alarm("YapDatabaseActionManager")
    private var queue: DispatchQueue { alarm.queue }
    private let allowedCollections: YapWhitelistBlacklist?
    private let scheduler: YapActionScheduler
    private let givenClock: (any YapClock)?
    /// Blocks that were called and have not returned.
    private let running = DispatchGroup()

    /// - Parameters:
    ///   - options: only `allowedCollections` is used: objects of others are not asked.
    ///   - scheduler: names the actions of an object, in place of ``YapActionable``.
    ///   - clock: decides when a date has come; nil for the clock of the database, ``YapDatabaseOptions/clock``.
    public init(
        options: YapDatabaseViewOptions? = nil, scheduler: YapActionScheduler? = nil,
        clock: (any YapClock)? = nil
    ) {
        allowedCollections = options?.allowedCollections
        self.scheduler = scheduler ?? { _, _, object in (object as? any YapActionable)?.yapActionItems() }
        givenClock = clock
        super.init(className: "YapDatabaseActionManager", classVersion: 1)
    }

    package var isPersistent: Bool { false }

    private var clock: any YapClock {
        givenClock ?? state.withLock { $0.database }?.options.clock ?? YapSystemClock()
    }

    /// Blocks that are due have been called, and have returned.
    package func waitUntilIdle() async {
        await awaitQueue(queue)
        await withCheckedContinuation { continuation in running.notify(queue: queue) { continuation.resume() } }
    }

    /// Whether the network can be used. Set it before registering. Initially ``YapAlwaysReachable``.
    public var reachability: any YapReachability {
        get { state.withLock { $0.reachability } }
        set { state.withLock { $0.reachability = newValue } }
    }

    // MARK: Suspending

    /// Whether no block is called until ``resume()``.
    public var isSuspended: Bool { suspendCount > 0 }

    /// How often ``resume()`` must be called before blocks are called.
    public var suspendCount: Int { state.withLock { $0.suspendCount } }

    /// Calls no more blocks until ``resume()`` was called as often.
    /// - Returns: the new count.
    @discardableResult public func suspend() -> Int { suspend(withCount: 1) }

    /// Suspends several times.
    @discardableResult public func suspend(withCount count: Int) -> Int {
        state.withLock { state in
            state.suspendCount += max(count, 0)
            return state.suspendCount
        }
    }

    /// Takes one ``suspend()`` back. Without one it does nothing.
    /// - Returns: the new count.
    @discardableResult public func resume() -> Int {
        let (count, isNewlyActive) = state.withLock { state in
            let isSuspended = state.suspendCount > 0
            if isSuspended { state.suspendCount -= 1 }
            return (state.suspendCount, isSuspended && state.suspendCount == 0)
        }
        if isNewlyActive { queue.async { self.askAll() } }
        return count
    }

    // MARK: Following the database

    package func didRegister(withName name: String, in database: YapDatabase) {
        state.withLock { state in
            state.name = name
            state.database = database
        }
        // Before the rows are read, so that no commit is missed.
        let commits = database.commits.beginning()
        reachability.startNotifier { [weak self] in
            guard let self else { return }
            queue.async { self.run() }
        }
        queue.async { self.askAll() }
        // Actions have a date; they do not wait behind the other tasks of the program.
        Task.detached(priority: .userInitiated) { [weak self, queue] in
            for await commit in commits {
                guard let self, isRegistered else { return }
                queue.async { self.follow(commit) }
            }
        }
    }

    private var isRegistered: Bool {
        let (database, name) = state.withLock { ($0.database, $0.name) }
        guard let database, let name else { return false }
        return database.registeredExtension(name) === self
    }

    private func follow(_ commit: YapDatabaseCommit) {
        if commit.isExternal || commit.isAllRemoved || !commit.removedCollections.isEmpty { return askAll() }
        let keys = Set(commit.objectChanges).union(commit.removedKeys)
        if keys.isEmpty { return }
        read { transaction in
            for key in keys { try self.ask(key, in: transaction) }
        }
    }

    /// Asks every object.
    private func askAll() {
        read { transaction in
            var asked: Set<RowKey> = []
            try transaction.enumerateRows(allowedCollections: self.allowedCollections, columns: .keys) { row, _ in
                asked.insert(row.key)
            }
            for key in asked.union(self.schedule.withLock { $0.keys }) {
                try self.ask(key, in: transaction)
            }
        }
    }

    /// A row that cannot be decoded has no actions. After any other error, those that it had stay, and all rows are asked again later.
    private func ask(_ key: RowKey, in transaction: YapDatabaseReadTransaction) throws {
        guard allowedCollections?.isAllowed(key.collection) ?? true else { return }
        var items: [YapActionItem] = []
        do {
            if let object = try transaction.object(key) { items = scheduler(key.collection, key.key, object) ?? [] }
        } catch let error as YapDatabaseError where error.code == .decodingFailed {
            YapDatabase.log(.warning, "The actions of \(key) are not known: \(error)")
        }
        schedule.withLock { $0.set(items, of: key) }
    }

    // MARK: Calling

    /// Reads rows, and then calls what is due. Does nothing while suspended: resuming asks all objects.
    private func read(_ body: (YapDatabaseReadTransaction) throws -> Void) {
        guard !isSuspended, isRegistered, let database = state.withLock({ $0.database }) else { return }
        do {
            try database.newConnection().read { transaction in
                try body(transaction)
                try callDue(transaction)
            }
            alarm.succeed()
        } catch let error as YapDatabaseError where error.code == .closed {
        } catch {
            // What the failed read was to ask is not known any more.
            let when = alarm.retry { [weak self] in self?.askAll() }
            YapDatabase.log(.warning, "Actions are looked for again \(when): \(error)")
        }
    }

    private func run() { read { _ in } }

    private func callDue(_ transaction: YapDatabaseReadTransaction) throws {
        let (now, isReachable) = (clock.now, reachability.isReachable)
        let (due, next) = schedule.withLock { $0.start(now: now, isReachable: isReachable) }
        var count = 0
        // What is not called because a row cannot be read is due again.
        defer { schedule.withLock { $0.undoStart(due.dropFirst(count)) } }
        for action in due {
            let found = try readRow(action.key, in: transaction)
            count += 1
            guard let row = found else { continue }
            let (key, item, object) = (action.key, action.item, SharedValue(value: row.object))
            let metadata = row.metadata.map(SharedValue.init(value:))
            (item.queue ?? .global()).async(group: running) {
                item.block(key.collection, key.key, object.value, metadata?.value)
            }
        }
        if let next { alarm.set(next, clock) { [weak self] in self?.run() } }
    }

    /// Nil also for a row that cannot be decoded, which must not delay the actions of others.
    private func readRow(
        _ key: RowKey, in transaction: YapDatabaseReadTransaction
    ) throws -> (object: Any, metadata: Any?)? {
        do {
            return try transaction.row(key)
        } catch let error as YapDatabaseError where error.code == .decodingFailed {
            YapDatabase.log(.warning, "An action of \(key) is not called: \(error)")
            return nil
        }
    }
}
