extension YapDatabaseCloudCore {
    /// Adds a pipeline. All pipelines must be added before the extension is registered.
    /// - Returns: false if the extension is registered already, if it has a pipeline of that name, or if the pipeline belongs to another extension.
    @discardableResult public func registerPipeline(_ pipeline: YapDatabaseCloudCorePipeline) -> Bool {
        let count: Int? = state.withLock { state in
            guard state.name == nil, !state.pipelines.contains(where: { $0.name == pipeline.name }),
                pipeline.setOwner(self)
            else { return nil }
            state.pipelines.append(pipeline)
            return state.suspendCount
        }
        if let count, count > 0 { pipeline.suspend(withCount: count) }
        return count != nil
    }

    /// The pipelines, in the order in which they were added.
    public func registeredPipelines() -> [YapDatabaseCloudCorePipeline] { state.withLock { $0.pipelines } }

    /// The names of the pipelines, in the order in which they were added.
    public func registeredPipelineNames() -> [String] { registeredPipelines().map(\.name) }

    /// The pipeline named ``YapDatabaseCloudCoreDefaultPipelineName``.
    public func defaultPipeline() -> YapDatabaseCloudCorePipeline? { pipeline(withName: nil) }

    /// The pipeline that has or had the name; nil for the default pipeline.
    public func pipeline(withName name: String?) -> YapDatabaseCloudCorePipeline? {
        let name = name ?? YapDatabaseCloudCoreDefaultPipelineName
        let pipelines = registeredPipelines()
        return pipelines.first { $0.name == name } ?? pipelines.first { $0.previousNames.contains(name) }
    }
}

// MARK: Suspending

extension YapDatabaseCloudCore {
    /// Whether no operation starts, in any pipeline, until ``resume()``.
    public var isSuspended: Bool { suspendCount > 0 }

    /// How often ``resume()`` must be called before operations start.
    public var suspendCount: Int { state.withLock { $0.suspendCount } }

    /// Starts no more operations, in any pipeline. Each call must be undone by one call of ``resume()``.
    /// - Returns: the new count.
    @discardableResult public func suspend() -> Int { suspend(withCount: 1) }

    /// Suspends several times.
    @discardableResult public func suspend(withCount count: Int) -> Int {
        let (sum, pipelines) = state.withLock { state in
            state.suspendCount += max(count, 0)
            return (state.suspendCount, state.pipelines)
        }
        for pipeline in pipelines { pipeline.suspend(withCount: count) }
        return sum
    }

    /// Undoes one call of ``suspend()``. Does nothing if operations are not suspended.
    /// - Returns: the new count.
    @discardableResult public func resume() -> Int {
        let (count, pipelines): (Int, [YapDatabaseCloudCorePipeline]) = state.withLock { state in
            guard state.suspendCount > 0 else { return (0, []) }
            state.suspendCount -= 1
            return (state.suspendCount, state.pipelines)
        }
        for pipeline in pipelines { pipeline.resume() }
        return count
    }
}
