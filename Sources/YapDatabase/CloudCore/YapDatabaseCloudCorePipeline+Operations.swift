import Foundation

/// The operations of the newest snapshot that this process knows.
extension YapDatabaseCloudCorePipeline {
    private var graphs: [CloudQueue.Graph] { owner?.newest?[name] ?? [] }

    /// A copy of a queued operation; nil if there is none.
    public func operation(with uuid: UUID) -> YapDatabaseCloudCoreOperation? { operations(with: [uuid])[uuid] }

    /// Copies of those operations that are queued.
    public func operations(with uuids: [UUID]) -> [UUID: YapDatabaseCloudCoreOperation] {
        let wanted = Set(uuids)
        let found = graphs.flatMap(\.operations).filter { wanted.contains($0.uuid) }
        return Dictionary(found.map { ($0.uuid, $0.copy()) }, uniquingKeysWith: { first, _ in first })
    }

    /// Copies of the operations that the delegate has.
    public func activeOperations() -> [YapDatabaseCloudCoreOperation] {
        let active = state.withLock { $0.schedule.active }
        return graphs.flatMap(\.operations).filter { active.contains($0.uuid) }.map { $0.copy() }
    }

    /// Visits copies of all operations, by their graphs in the order of commits, with the place of the graph.
    ///
    /// The block runs on the calling thread.
    ///
    /// - Throws: what the block throws.
    public func enumerateOperations(
        _ body: (_ operation: YapDatabaseCloudCoreOperation, _ graphIdx: Int, _ stop: inout Bool) throws -> Void
    ) rethrows {
        var stop = false
        for (place, graph) in graphs.enumerated() {
            for operation in graph.operations {
                try body(operation.copy(), place, &stop)
                if stop { return }
            }
        }
    }

    /// The number of commits that have operations here.
    public func graphCount() -> Int { graphs.count }

    // MARK: Status

    /// Whether the delegate has the operation. Completed and skipped operations are no longer queued: they are pending.
    public func statusForOperation(with uuid: UUID) -> YDBCloudCoreOperationStatus {
        state.withLock { $0.schedule.active.contains(uuid) } ? .active : .pending
    }

    /// Counts an operation as running that the delegate has not received, such as a background task of an earlier launch. Call it
    /// before the extension is registered, or while the pipeline is suspended.
    public func setStatusAsActiveForOperation(with uuid: UUID) {
        state.withLock { $0.schedule.setActive(true, uuid) }
        noteActivity()
    }

    /// Gives a failed operation back to the pipeline, which starts it again when it can.
    /// - Parameters:
    ///   - uuid: names the operation.
    ///   - retryDelay: seconds to wait before that, as a hold of the context `retry`. If the clock is set back meanwhile, they are counted again, so
    ///     that the hold ends at most so many seconds later.
    public func setStatusAsPendingForOperation(with uuid: UUID, retryDelay: TimeInterval = 0) {
        let date = retryDelay > 0 ? (owner?.clock ?? YapSystemClock()).now + retryDelay : nil
        state.withLock { state in
            if let date { state.schedule.setHold(date, uuid, "retry", delay: retryDelay) }
            state.schedule.setActive(false, uuid)
        }
        noteActivity()
        owner?.later()
    }

    // MARK: Holds

    /// Keeps an operation from starting before a date. It starts once the dates of all contexts have passed.
    ///
    /// A hold may be set before the commit that queues the operation. It is not stored.
    /// - Parameters:
    ///   - date: nil removes the hold of the context.
    ///   - uuid: names the operation.
    ///   - context: a name, so that several holds of one operation do not replace each other.
    public func setHoldDate(_ date: Date?, forOperationWith uuid: UUID, context: String = "") {
        state.withLock { $0.schedule.setHold(date, uuid, context) }
        owner?.later()
    }

    /// The date that was set for a context; nil if there is none or it has passed.
    /// - Parameters:
    ///   - uuid: names the operation.
    ///   - context: a name, so that several holds of one operation do not replace each other.
    public func holdDateForOperation(with uuid: UUID, context: String = "") -> Date? {
        holdDatesForOperation(with: uuid)?[context]
    }

    /// The latest date of all contexts; nil if there is none.
    public func latestHoldDateForOperation(with uuid: UUID) -> Date? { holdDatesForOperation(with: uuid)?.values.max() }

    /// The dates of an operation, by context; nil if there are none.
    public func holdDatesForOperation(with uuid: UUID) -> [String: Date]? { state.withLock { $0.schedule.holds(uuid) } }

    /// The dates of a context, by operation; nil if there are none.
    public func holdDates(forContext context: String) -> [UUID: Date]? {
        let dates = state.withLock { $0.schedule.holds.compactMapValues { $0[context] } }
        return dates.isEmpty ? nil : dates
    }
}
