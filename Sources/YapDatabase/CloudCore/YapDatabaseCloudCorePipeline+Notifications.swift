import Dispatch
import FileEngine
import Foundation

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
