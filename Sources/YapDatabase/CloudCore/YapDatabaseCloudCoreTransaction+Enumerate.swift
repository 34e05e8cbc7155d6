import Foundation

/// Reading the queue. Operations are copies.
extension YapDatabaseCloudCoreTransaction {
    /// A queued operation; nil if there is none.
    public func operation(with uuid: UUID) -> YapDatabaseCloudCoreOperation? { queue.operation(uuid)?.copy() }

    /// A queued operation of a pipeline; nil if there is none. Quicker.
    /// - Parameter pipeline: its name; nil for the default one.
    public func operation(with uuid: UUID, inPipeline pipeline: String?) -> YapDatabaseCloudCoreOperation? {
        cloud.pipeline(withName: pipeline).flatMap { queue.operation(uuid, in: $0.name)?.copy() }
    }

    /// The place of the graph of operations that this transaction adds; nil if there is no pipeline of the name.
    public func graphForAddedOperations(inPipeline pipeline: String?) -> Int? {
        cloud.pipeline(withName: pipeline).map { queue.oldGraphCount($0.name) }
    }

    /// The place of the graph that has the operation; nil if it is not queued in its pipeline.
    public func graphForOperation(_ operation: YapDatabaseCloudCoreOperation) -> Int? {
        cloud.pipeline(withName: operation.pipeline).flatMap { queue.graphIndex(operation.uuid, in: $0.name) }
    }

    /// Everything that the operation waits for, directly or not, as far as it is queued in its pipeline.
    public func recursiveDependencies(for operation: YapDatabaseCloudCoreOperation) -> Set<UUID> {
        guard let pipeline = cloud.pipeline(withName: operation.pipeline) else { return [] }
        return queue.allDependencies(operation.dependencies, in: pipeline.name)
    }

    /// Visits the operations of all pipelines: the pipelines in the order of their registration, the graphs of each in the order of commits.
    ///
    /// The block runs on the calling thread. It may change the queue.
    ///
    /// - Throws: what the block throws.
    public func enumerateOperations(
        _ body: (
            _ pipeline: YapDatabaseCloudCorePipeline, _ operation: YapDatabaseCloudCoreOperation, _ graphIdx: Int,
            _ stop: inout Bool
        ) throws -> Void
    ) rethrows {
        try visit(cloud.registeredPipelines(), { _ in true }, body)
    }

    /// Visits the operations of a pipeline.
    ///
    /// The block runs on the calling thread.
    ///
    /// - Parameter pipeline: its name; nil for the default one.
    /// - Throws: what the block throws.
    public func enumerateOperations(
        inPipeline pipeline: String?,
        using body: (_ operation: YapDatabaseCloudCoreOperation, _ graphIdx: Int, _ stop: inout Bool) throws -> Void
    ) rethrows {
        let pipelines = cloud.pipeline(withName: pipeline).map { [$0] } ?? []
        try visit(pipelines, { _ in true }) { try body($1, $2, &$3) }
    }

    /// Visits the operations that this transaction added.
    ///
    /// The block runs on the calling thread.
    ///
    /// - Throws: what the block throws.
    public func enumerateAddedOperations(
        _ body: (
            _ pipeline: YapDatabaseCloudCorePipeline, _ operation: YapDatabaseCloudCoreOperation, _ graphIdx: Int,
            _ stop: inout Bool
        ) throws -> Void
    ) rethrows {
        try visit(cloud.registeredPipelines(), \.isNew, body)
    }

    /// Visits the operations that this transaction added to a pipeline.
    ///
    /// The block runs on the calling thread.
    ///
    /// - Parameter pipeline: its name; nil for the default one.
    /// - Throws: what the block throws.
    public func enumerateAddedOperations(
        inPipeline pipeline: String?,
        using body: (_ operation: YapDatabaseCloudCoreOperation, _ graphIdx: Int, _ stop: inout Bool) throws -> Void
    ) rethrows {
        let pipelines = cloud.pipeline(withName: pipeline).map { [$0] } ?? []
        try visit(pipelines, \.isNew) { try body($1, $2, &$3) }
    }

    private func visit(
        _ pipelines: [YapDatabaseCloudCorePipeline], _ isWanted: (CloudQueue.Graph) -> Bool,
        _ body: (
            YapDatabaseCloudCorePipeline, YapDatabaseCloudCoreOperation, Int, inout Bool
        ) throws -> Void
    ) rethrows {
        let queue = queue
        var stop = false
        for pipeline in pipelines {
            for (place, graph) in queue[pipeline.name].enumerated() where isWanted(graph) {
                for operation in graph.operations {
                    try body(pipeline, operation.copy(), place, &stop)
                    if stop { return }
                }
            }
        }
    }
}
