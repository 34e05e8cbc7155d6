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
