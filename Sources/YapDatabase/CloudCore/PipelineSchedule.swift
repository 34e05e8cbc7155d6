import Foundation

/// How a pipeline orders the operations of different commits.
public enum YDBCloudCorePipelineAlgorithm: Int, Sendable {
    /// Graphs run in the order of commits: no operation starts before all those of earlier commits are completed or skipped.
    /// Dependencies count among operations of one commit.
    case commitGraph = 0
    /// Operations of all commits run together. Dependencies count among all operations of the pipeline.
    case flatGraph = 1
}

/// What happens with a queued operation.
public enum YDBCloudCoreOperationStatus: Int, Sendable {
    /// It waits for its start.
    case pending = 0
    /// It was given to the delegate.
    case active
    /// It was completed. The queue no longer has it.
    case completed
    /// It was skipped. The queue no longer has it.
    case skipped
}

/// Which operations of a pipeline run, and which may start. A value that knows neither clock nor database.
///
/// What runs, is on hold or is suspended is not stored. Pipelines compare the newest snapshot with the one before and
/// start what is left. So an operation starts again if the program was killed while it ran, and does not if its
/// completion was committed.
struct PipelineSchedule: Sendable {
    /// The operations that were given to the delegate.
    private(set) var active: Set<UUID> = []
    /// What keeps operations from starting, by context.
    private var allHolds: [UUID: [String: Hold]] = [:]

    private struct Hold {
        var date: Date
        /// Seconds after which it ends in any case; nil if it ends at its date.
        let delay: TimeInterval?
    }

    /// The dates before which operations must not start, by context.
    var holds: [UUID: [String: Date]] { allHolds.mapValues { $0.mapValues(\.date) } }

    /// Drops what is known of operations that are no longer queued.
    mutating func forget(_ gone: some Sequence<UUID>) {
        for uuid in gone {
            active.remove(uuid)
            allHolds[uuid] = nil
        }
    }

    mutating func setActive(_ isActive: Bool, _ uuid: UUID) {
        if isActive { active.insert(uuid) } else { active.remove(uuid) }
    }

    func holds(_ uuid: UUID) -> [String: Date]? { allHolds[uuid]?.mapValues(\.date) }

    /// - Parameter delay: where the date follows from the time at which it is set: seconds after which the hold ends, also if the clock is set back.
    mutating func setHold(_ date: Date?, _ uuid: UUID, _ context: String, delay: TimeInterval? = nil) {
        allHolds[uuid, default: [:]][context] = date.map { Hold(date: $0, delay: delay) }
        if allHolds[uuid]?.isEmpty == true { allHolds[uuid] = nil }
    }

    /// Brings retries nearer that are further away than they can be, because the clock was set back. O(holds).
    mutating func boundRetries(_ now: Date) {
        for (uuid, holds) in allHolds {
            for (context, hold) in holds {
                guard let delay = hold.delay, hold.date > now + delay else { continue }
                allHolds[uuid]?[context]?.date = now + delay
            }
        }
    }

    /// Starts what may start: the highest priority first, then the earliest commit. O(operations), and sorting them in a flat
    /// graph.
    /// - Parameter limit: the most operations that are active at a time.
    /// - Returns: the started operations, and when a hold ends next.
    mutating func start(
        _ graphs: [CloudQueue.Graph], _ algorithm: YDBCloudCorePipelineAlgorithm, limit: Int, now: Date
    ) -> (started: [QueuedOperation], nextHold: Date?) {
        boundRetries(now)
        let candidates = Self.candidates(graphs, algorithm)
        let queued = Set(candidates.map(\.uuid))
        var count = graphs.reduce(0) { $0 + $1.operations.count { active.contains($0.uuid) } }
        var (started, nextHold): ([QueuedOperation], Date?) = ([], nil)
        for operation in candidates where !active.contains(operation.uuid) {
            if let hold = hold(operation.uuid, now) {
                nextHold = min(nextHold ?? hold, hold)
                continue
            }
            guard count < limit, operation.isKnown, isFree(operation, queued) else { continue }
            active.insert(operation.uuid)
            started.append(operation)
            count += 1
        }
        return (started, nextHold)
    }

    private static func candidates(
        _ graphs: [CloudQueue.Graph], _ algorithm: YDBCloudCorePipelineAlgorithm
    ) -> [QueuedOperation] {
        switch algorithm {
        case .commitGraph: return graphs.first { !$0.operations.isEmpty }?.operations ?? []
        case .flatGraph:
            let all = graphs.flatMap(\.operations).enumerated()
            return all.sorted { ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset) }.map(\.element)
        }
    }

    /// Whether nothing that the operation depends on is queued.
    private func isFree(_ operation: QueuedOperation, _ queued: Set<UUID>) -> Bool {
        operation.dependencies.allSatisfy { $0 == operation.uuid || !queued.contains($0) }
    }

    /// When the operation's last hold ends; nil if none is left.
    private mutating func hold(_ uuid: UUID, _ now: Date) -> Date? {
        guard let holds = allHolds[uuid] else { return nil }
        let left = holds.filter { $0.value.date > now }
        allHolds[uuid] = left.isEmpty ? nil : left
        return left.values.map(\.date).max()
    }
}
