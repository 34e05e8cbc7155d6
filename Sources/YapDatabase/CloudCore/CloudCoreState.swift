import FileEngine

/// The operations in a snapshot.
///
/// One that was read from the file is decoded when it is first needed: no block of the app may run while a snapshot is loaded.
final class CloudCoreState: ExtensionState {
    private enum Content: Sendable {
        case stored([CloudQueueRow], [CloudPipelineRow])
        case decoded(CloudQueue)
    }

    private let content: Locked<Content>

    init(_ queue: CloudQueue) { content = Locked(.decoded(queue)) }

    init(_ operations: [CloudQueueRow], _ pipelines: [CloudPipelineRow]) {
        content = Locked(.stored(operations, pipelines))
    }

    func queue(_ cloud: YapDatabaseCloudCore) -> CloudQueue {
        let (operations, pipelines): ([CloudQueueRow], [CloudPipelineRow])
        switch content.withLock({ $0 }) {
        case .decoded(let queue): return queue
        case .stored(let rows, let names): (operations, pipelines) = (rows, names)
        }
        // Outside of the lock: the decoder of an app may ask for the queue.
        let queue = cloud.decode(operations, pipelines)
        return content.withLock { content in
            if case .decoded(let other) = content { return other }
            content = .decoded(queue)
            return queue
        }
    }
}
