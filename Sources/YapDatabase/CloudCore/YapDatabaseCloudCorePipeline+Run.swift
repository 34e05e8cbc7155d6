import Dispatch
import FileEngine
import Foundation

/// Following the newest snapshot. Called on the queue of the extension only.
extension YapDatabaseCloudCorePipeline {
    /// Whether the delegate may be given operations.
    var canStart: Bool { !isSuspended && delegate != nil }

    /// Compares what is queued with the snapshot that was followed last.
    func follow(_ graphs: [CloudQueue.Graph]) {
        let (changes, unknown) = state.withLock { state in
            let before = state.known
            let oldGraphs = Set(before.values.map(\.row.graph))
            var changes = QueueChanges()
            state.known = [:]
            for operation in graphs.lazy.flatMap(\.operations) where state.known[operation.uuid] == nil {
                state.known[operation.uuid] = operation
                if let old = before[operation.uuid] {
                    if old.row != operation.row { changes.modified.insert(operation.uuid) }
                } else if oldGraphs.contains(operation.row.graph) {
                    changes.inserted.insert(operation.uuid)
                } else {
                    changes.added.insert(operation.uuid)
                }
            }
            changes.removed = Set(before.keys.filter { state.known[$0] == nil })
            state.schedule.forget(changes.removed)
            let new = changes.added.union(changes.inserted)
            return (changes, new.compactMap { state.known[$0] }.filter { !$0.isKnown })
        }
        for operation in unknown {
            YapDatabase.log(
                .warning,
                "The pipeline \"\(name)\" keeps the operation \(operation.uuid), which this program cannot decode, and "
                    + "does not start it: \(operation.reason.map { "\($0)" } ?? "")")
        }
        guard !changes.values.isEmpty else { return }
        noteActivity()
        post { $0.changes.formUnion(changes) }
    }

    /// Whether ``start(_:_:)`` would start an operation.
    func hasReady(_ graphs: [CloudQueue.Graph], _ now: Date) -> Bool { !planned(graphs, now).started.isEmpty }

    /// When a hold ends next, of an operation that could start otherwise.
    func nextHold(_ graphs: [CloudQueue.Graph], _ now: Date) -> Date? { planned(graphs, now).nextHold }

    private func planned(_ graphs: [CloudQueue.Graph], _ now: Date) -> (started: [QueuedOperation], nextHold: Date?) {
        var (schedule, limit) = state.withLock { state in
            state.schedule.boundRetries(now)
            return (state.schedule, state.limit)
        }
        return schedule.start(graphs, algorithm, limit: limit, now: now)
    }

    /// Gives the delegate what may start.
    /// - Returns: when a hold ends next.
    func start(_ graphs: [CloudQueue.Graph], _ now: Date) -> Date? {
        guard let delegate else { return nil }
        let (started, nextHold): ([QueuedOperation], Date?) = state.withLock { state in
            // It may have been suspended a moment ago.
            guard state.suspendCount == 0 else { return ([], nil) }
            let limit = state.limit
            return state.schedule.start(graphs, algorithm, limit: limit, now: now)
        }
        if !started.isEmpty { noteActivity() }
        for operation in started {
            DispatchQueue.global().async { self.give(operation.uuid, to: delegate) }
        }
        return nextHold
    }

    /// Gives the delegate an operation as it is now, unless it was completed or skipped a moment ago.
    private func give(_ uuid: UUID, to delegate: any YapDatabaseCloudCorePipelineDelegate) {
        if let operation = owner?.newest?.operation(uuid, in: name) {
            delegate.startOperation(operation.copy(), forPipeline: self)
        } else {
            state.withLock { $0.schedule.setActive(false, uuid) }
        }
    }
}

extension YapDatabaseCloudCorePipeline.State {
    fileprivate var limit: Int { maxConcurrentOperationCount == 0 ? .max : maxConcurrentOperationCount }
}

/// How a pipeline differs from an earlier snapshot.
struct QueueChanges {
    var added: Set<UUID> = []
    var inserted: Set<UUID> = []
    var modified: Set<UUID> = []
    var removed: Set<UUID> = []

    /// Adds later changes. What came and went meanwhile is left out.
    mutating func formUnion(_ later: QueueChanges) {
        let new = added.union(inserted)
        removed.formUnion(later.removed.subtracting(new))
        added = added.union(later.added).subtracting(later.removed)
        inserted = inserted.union(later.inserted).subtracting(later.removed)
        modified = modified.union(later.modified.subtracting(new)).subtracting(later.removed)
    }

    /// The notification's values; none if nothing changed.
    var values: [String: Set<UUID>] {
        [
            YDBCloudCorePipelineQueueChangedKey_addedOperationUUIDs: added,
            YDBCloudCorePipelineQueueChangedKey_insertedOperationUUIDs: inserted,
            YDBCloudCorePipelineQueueChangedKey_modifiedOperationUUIDs: modified,
            YDBCloudCorePipelineQueueChangedKey_removedOperationUUIDs: removed,
        ].filter { !$0.value.isEmpty }
    }
}

extension Notification.Name {
    /// Posted on the main queue after operations of a pipeline, the notification's object, were queued, changed, completed or
    /// skipped. The keys of its values are `YDBCloudCorePipelineQueueChangedKey_…`; each value is a `Set<UUID>`.
    public static let YDBCloudCorePipelineQueueChanged = Notification.Name(
        "YDBCloudCorePipelineQueueChangedNotification")
    /// Posted on the main queue after ``YapDatabaseCloudCorePipeline/suspendCount`` changed.
    public static let YDBCloudCorePipelineSuspendCountChanged = Notification.Name(
        "YDBCloudCorePipelineSuspendCountChangedNotification")
    /// Posted on the main queue after ``YapDatabaseCloudCorePipeline/isActive`` changed; the value `isActive` is the new one.
    public static let YDBCloudCorePipelineActiveStatusChanged = Notification.Name(
        "YDBCloudCorePipelineActiveStatusChangedNotification")
}

/// Operations that were queued in graphs of their own.
public let YDBCloudCorePipelineQueueChangedKey_addedOperationUUIDs = "added"
/// Operations that were changed.
public let YDBCloudCorePipelineQueueChangedKey_modifiedOperationUUIDs = "modified"
/// Operations that were put into graphs of earlier commits.
public let YDBCloudCorePipelineQueueChangedKey_insertedOperationUUIDs = "inserted"
/// Operations that were completed or skipped.
public let YDBCloudCorePipelineQueueChangedKey_removedOperationUUIDs = "removed"

/// What the main queue has not heard of a pipeline yet: one notification of a kind, however long it is busy.
struct UnpostedNews {
    var changes = QueueChanges()
    var isSuspendCountChanged = false
    var isActivityChanged = false
    /// Whether the main queue has a block that posts it.
    var isOnItsWay = false
}

extension YapDatabaseCloudCorePipeline {
    /// Adds to what is posted on the main queue.
    func post(_ add: (inout UnpostedNews) -> Void) {
        let isFirst = state.withLock { state in
            add(&state.unposted)
            defer { state.unposted.isOnItsWay = true }
            return !state.unposted.isOnItsWay
        }
        if isFirst { DispatchQueue.main.async { [weak self] in self?.postNews() } }
    }

    private func postNews() {
        let (news, isActive) = state.withLock { state in
            defer { state.unposted = UnpostedNews() }
            return (state.unposted, state.isActive)
        }
        let center = NotificationCenter.default
        if news.isSuspendCountChanged { center.post(name: .YDBCloudCorePipelineSuspendCountChanged, object: self) }
        if news.isActivityChanged {
            center.post(
                name: .YDBCloudCorePipelineActiveStatusChanged, object: self, userInfo: ["isActive": isActive])
        }
        if !news.changes.values.isEmpty {
            center.post(name: .YDBCloudCorePipelineQueueChanged, object: self, userInfo: news.changes.values)
        }
    }
}
