import FileEngine
import Foundation

/// A stored operation: immutable, shared by all snapshots that have it.
final class QueuedOperation: @unchecked Sendable {
    // @unchecked: nothing changes the operation, and every caller gets a copy of it.

    let row: CloudQueueRow
    let pipeline: String
    let uuid: UUID
    let priority: Int32
    let dependencies: Set<UUID>
    /// Whether this program has its class.
    let isKnown: Bool
    private let operation: YapDatabaseCloudCoreOperation

    /// - Parameter operation: nothing else may refer to it.
    init(_ operation: YapDatabaseCloudCoreOperation, _ row: CloudQueueRow, pipeline: String) {
        operation.pipeline = pipeline
        operation.snapshot = Int(truncatingIfNeeded: row.graph)
        self.operation = operation
        self.row = row
        self.pipeline = pipeline
        uuid = operation.uuid
        priority = operation.priority
        dependencies = operation.dependencies
        isKnown = !(operation is YapDatabaseCloudCoreUnknownOperation)
    }

    /// The operation, for a caller that may change it.
    func copy() -> YapDatabaseCloudCoreOperation { operation.duplicate }

    /// The reason why it cannot be decoded; nil if it can.
    var reason: (any Error)? { (operation as? YapDatabaseCloudCoreUnknownOperation)?.error }
}
