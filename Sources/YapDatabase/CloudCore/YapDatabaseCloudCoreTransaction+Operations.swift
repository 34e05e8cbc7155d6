import ListChanges
import FileEngine
import Foundation

/// Queuing, changing and finishing operations.
extension YapDatabaseCloudCoreTransaction {
    /// Queues an operation, in the graph of this commit. It starts after the commit.
    /// - Returns: false if the operation is queued already.
    /// - Throws: ``YapDatabaseError`` with `badOperation` if its class is not allowed or its dependencies form a circle, and with
    ///   `encodingFailed` if it cannot be encoded. Nothing is queued then, and the transaction may continue.
    @discardableResult public func addOperation(_ operation: YapDatabaseCloudCoreOperation) throws -> Bool {
        let pipeline = pipeline(of: operation)
        let number = queue.newGraphNumber(pipeline.name, commit: transaction.snapshot.number + 1)
        return try insert(operation, pipeline, number, isNew: true, "addOperation")
    }

    /// Queues an operation in the graph of an earlier commit.
    ///
    /// If a running operation meets a conflict that another one can resolve, insert that one into its graph, usually 0, and make
    /// the first depend on it (``modifyOperation(_:)``).
    /// - Parameter graphIdx: the place of the graph in the operation's pipeline. If there is none, the operation is added as by
    ///   ``addOperation(_:)``.
    /// - Returns: false if the operation is queued already.
    /// - Throws: as ``addOperation(_:)`` does.
    @discardableResult public func insertOperation(
        _ operation: YapDatabaseCloudCoreOperation, inGraph graphIdx: Int
    ) throws -> Bool {
        require(graphIdx >= 0, "The place of a graph is not negative.")
        let pipeline = pipeline(of: operation)
        let graphs = queue[pipeline.name].filter { !$0.isNew }
        guard graphs.indices.contains(graphIdx) else { return try addOperation(operation) }
        return try insert(operation, pipeline, graphs[graphIdx].number, isNew: false, "insertOperation")
    }

    /// Queues an operation in the graph of another one, which it waits for.
    /// - Parameters:
    ///   - operation: the operation; the database keeps a copy.
    ///   - uuid: the operation to wait for.
    /// - Returns: false if the operation is queued already, or the other one is not.
    /// - Throws: as ``addOperation(_:)`` does.
    @discardableResult public func insertOperation(
        _ operation: YapDatabaseCloudCoreOperation, afterOperation uuid: UUID
    ) throws -> Bool {
        let queue = queue
        guard let other = queue.operation(uuid), let pipeline = cloud.pipeline(withName: other.pipeline),
            let place = queue.graphIndex(uuid, in: other.pipeline)
        else { return false }
        let dependent = operation.duplicate
        dependent.pipeline = pipeline.name
        dependent.addDependency(uuid)
        let isNew = queue[pipeline.name][place].isNew
        return try insert(dependent, pipeline, other.row.graph, isNew: isNew, "insertOperation")
    }

    /// Replaces a queued operation by a changed copy of it. Its pipeline and its graph stay.
    /// - Returns: false if it is not queued, or this program cannot decode what is.
    /// - Throws: as ``addOperation(_:)`` does.
    @discardableResult public func modifyOperation(_ operation: YapDatabaseCloudCoreOperation) throws -> Bool {
        let writer = readWriteTransaction("modifyOperation")
        guard let old = queue.operation(operation.uuid), old.isKnown else { return false }
        let (copy, bytes) = try prepared(operation, old.pipeline)
        try writer.step { try tables.setOperation(bytes, rowid: old.row.rowid) }
        let row = CloudQueueRow(rowid: old.row.rowid, pipeline: old.row.pipeline, graph: old.row.graph, bytes: bytes)
        edit { $0.replace(QueuedOperation(copy, row, pipeline: old.pipeline)) }
        return true
    }

    /// Removes an operation that was carried out. Others that wait for it may start after the commit.
    ///
    /// Call it in the transaction that stores the result: then both are committed, or neither.
    ///
    /// - Throws: ``YapDatabaseError`` with code `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost;
    ///   `transactionFailed` if it was lost before.
    public func completeOperation(with uuid: UUID) throws { try remove([uuid], "completeOperation") }

    /// Like ``completeOperation(with:)``, quicker.
    /// - Parameter pipeline: the name of the operation's pipeline; nil for the default one.
    /// - Throws: ``YapDatabaseError`` with code `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost;
    ///   `transactionFailed` if it was lost before.
    public func completeOperation(with uuid: UUID, inPipeline pipeline: String?) throws {
        try remove([uuid], in: pipeline, "completeOperation")
    }

    /// Removes an operation that will not be carried out. Others that wait for it may start after the commit.
    /// - Throws: ``YapDatabaseError`` with code `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost;
    ///   `transactionFailed` if it was lost before.
    public func skipOperation(with uuid: UUID) throws { try remove([uuid], "skipOperation") }

    /// Like ``skipOperation(with:)``, quicker.
    /// - Parameter pipeline: the name of the operation's pipeline; nil for the default one.
    /// - Throws: ``YapDatabaseError`` with code `diskFull`, `inputOutput` or `corrupt`, after which the transaction is lost;
    ///   `transactionFailed` if it was lost before.
    public func skipOperation(with uuid: UUID, inPipeline pipeline: String?) throws {
        try remove([uuid], in: pipeline, "skipOperation")
    }

    /// Skips the operations of all pipelines for which the block returns true.
    ///
    /// The block runs on the thread of the transaction.
    ///
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `diskFull`, `inputOutput` or `corrupt`, after which the
    ///   transaction is lost; `transactionFailed` if it was lost before.
    public func skipOperations(
        passingTest test: (
            _ pipeline: YapDatabaseCloudCorePipeline, _ operation: YapDatabaseCloudCoreOperation, _ graphIdx: Int,
            _ stop: inout Bool
        ) throws -> Bool
    ) throws {
        _ = readWriteTransaction("skipOperations")
        var skipped: [String: [UUID]] = [:]
        try enumerateOperations { pipeline, operation, graph, stop in
            if try test(pipeline, operation, graph, &stop) {
                skipped[pipeline.name, default: []].append(operation.uuid)
            }
        }
        for (name, uuids) in skipped { try remove(uuids, in: name, "skipOperations") }
    }

    /// Skips the operations of a pipeline for which the block returns true.
    ///
    /// The block runs on the thread of the transaction.
    ///
    /// - Parameter pipeline: its name; nil for the default one.
    /// - Throws: what the block throws; ``YapDatabaseError`` with code `diskFull`, `inputOutput` or `corrupt`, after which the
    ///   transaction is lost; `transactionFailed` if it was lost before.
    public func skipOperations(
        inPipeline pipeline: String?,
        passingTest test: (
            _ operation: YapDatabaseCloudCoreOperation, _ graphIdx: Int, _ stop: inout Bool
        ) throws -> Bool
    ) throws {
        _ = readWriteTransaction("skipOperations")
        var skipped: [UUID] = []
        try enumerateOperations(inPipeline: pipeline) { operation, graph, stop in
            if try test(operation, graph, &stop) { skipped.append(operation.uuid) }
        }
        try remove(skipped, in: pipeline, "skipOperations")
    }
}

extension YapDatabaseCloudCoreTransaction {
    /// The pipeline that runs the operation: the default one if there is none of its name.
    private func pipeline(of operation: YapDatabaseCloudCoreOperation) -> YapDatabaseCloudCorePipeline {
        if let pipeline = cloud.pipeline(withName: operation.pipeline) { return pipeline }
        YapDatabase.log(
            .warning,
            "\"\(name)\" has no pipeline \"\(operation.pipeline ?? "")\": the operation \(operation.uuid) is in the "
                + "default pipeline.")
        // Without one the extension is not registered.
        return cloud.defaultPipeline()!
    }

    private func insert(
        _ operation: YapDatabaseCloudCoreOperation, _ pipeline: YapDatabaseCloudCorePipeline, _ graph: Int64,
        isNew: Bool,
        _ caller: String
    ) throws -> Bool {
        let writer = readWriteTransaction(caller)
        guard queue.operation(operation.uuid) == nil else { return false }
        let (copy, bytes) = try prepared(operation, pipeline.name)
        let row = try writer.step {
            try tables.insertOperation(bytes, pipeline: try rowid(of: pipeline), graph: graph)
        }
        edit { $0.insert(QueuedOperation(copy, row, pipeline: pipeline.name), isNew: isNew) }
        return true
    }

    /// A copy of the operation that nothing else refers to, and its stored form.
    private func prepared(
        _ operation: YapDatabaseCloudCoreOperation, _ pipeline: String
    ) throws -> (YapDatabaseCloudCoreOperation, [UInt8]) {
        guard cloud.settings.allows(operation), !(operation is YapDatabaseCloudCoreUnknownOperation) else {
            throw YapDatabaseError(
                .badOperation,
                "Operations of the class \(type(of: operation)) are not among the allowedOperationClasses of \"\(name)\"."
            )
        }
        guard !queue.isCircular(operation.uuid, operation.dependencies, in: pipeline) else {
            throw YapDatabaseError(
                .badOperation,
                "The operation \(operation.uuid) would wait for itself: operations that it depends on depend on it. It was "
                    + "not queued.")
        }
        let bytes = try cloud.encode(operation)
        guard bytes.count <= tables.valueLimit else {
            throw YapDatabaseError(
                .valueTooLarge,
                "The operation \(operation.uuid) is \(bytes.count) bytes; SQLite holds at most \(tables.valueLimit). It was not "
                    + "queued. Store large data in rows or files, and their names in the operation.")
        }
        return (operation.duplicate, bytes)
    }

    /// The rowid to store with operations of a pipeline; nil for the default one.
    private func rowid(of pipeline: YapDatabaseCloudCorePipeline) throws -> Int64? {
        if pipeline.name == YapDatabaseCloudCoreDefaultPipelineName { return nil }
        if let known = queue.rowids[pipeline.name] { return known }
        // Another process, which does not have the pipeline, has removed it.
        let rowid = try tables.insertPipeline(pipeline.name, algorithm: pipeline.algorithm.rawValue)
        edit { $0.rowids[pipeline.name] = rowid }
        return rowid
    }

    private func remove(_ uuids: [UUID], _ caller: String) throws {
        let writer = readWriteTransaction(caller)
        for uuid in uuids {
            while let operation = queue.operation(uuid) { try remove(operation, writer) }
        }
    }

    private func remove(_ uuids: [UUID], in pipeline: String?, _ caller: String) throws {
        let writer = readWriteTransaction(caller)
        guard let name = cloud.pipeline(withName: pipeline)?.name else { return }
        for uuid in uuids {
            while let operation = queue.operation(uuid, in: name) { try remove(operation, writer) }
        }
    }

    private func remove(_ operation: QueuedOperation, _ writer: YapDatabaseReadWriteTransaction) throws {
        try writer.step { try tables.removeOperation(operation.row.rowid) }
        edit { $0.remove(operation) }
    }
}
