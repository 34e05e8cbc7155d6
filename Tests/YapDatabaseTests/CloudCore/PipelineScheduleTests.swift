import FileEngine
import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// Which operations start, as values: no database, no clock, no thread.
@Suite struct PipelineScheduleTests {
    private func queued(_ operation: Upload, _ rowid: Int64, _ graph: Int64) -> QueuedOperation {
        let row = CloudQueueRow(rowid: rowid, pipeline: nil, graph: graph, bytes: [])
        return QueuedOperation(operation.duplicate, row, pipeline: "default")
    }

    private func graphs(_ graphs: [[Upload]]) -> [CloudQueue.Graph] {
        var queue = CloudQueue()
        var rowid: Int64 = 0
        for (number, operations) in graphs.enumerated() {
            for operation in operations {
                rowid += 1
                queue.insert(queued(operation, rowid, Int64(number)))
            }
        }
        return queue["default"]
    }

    private func paths(_ operations: [QueuedOperation]) -> String {
        operations.map { ($0.copy() as! Upload).path }.joined()
    }

    private let now = Date(timeIntervalSinceReferenceDate: 1_000)

    @Test func graphsRunInTheOrderOfCommits() {
        let (a, b, c) = (Upload("a"), Upload("b", priority: 1), Upload("c", priority: 9))
        let d = Upload("d", priority: 5, after: [a])
        var schedule = PipelineSchedule()
        let all = graphs([[a, b, d], [c]])
        #expect(paths(schedule.start(all, .commitGraph, limit: 8, now: now).started) == "ba")
        #expect(paths(schedule.start(all, .commitGraph, limit: 8, now: now).started) == "")
        schedule.forget([a.uuid])
        #expect(paths(schedule.start(graphs([[b, d], [c]]), .commitGraph, limit: 8, now: now).started) == "d")
        #expect(paths(schedule.start(graphs([[b], [c]]), .commitGraph, limit: 8, now: now).started) == "")
        #expect(paths(schedule.start(graphs([[c]]), .commitGraph, limit: 8, now: now).started) == "c")
    }

    @Test func aFlatGraphRunsTheOperationsOfAllCommitsTogether() {
        let (a, b, c) = (Upload("a"), Upload("b", priority: 1), Upload("c", priority: 9))
        let (d, e) = (Upload("d", priority: 9, after: [a]), Upload("e", priority: 1))
        var schedule = PipelineSchedule()
        let all = graphs([[a, b], [c, d], [e]])
        #expect(paths(schedule.start(all, .flatGraph, limit: 3, now: now).started) == "cbe")
        #expect(paths(schedule.start(all, .flatGraph, limit: 3, now: now).started) == "")
        #expect(paths(schedule.start(all, .flatGraph, limit: 8, now: now).started) == "a")
        #expect(paths(schedule.start(graphs([[b], [c, d], [e]]), .flatGraph, limit: 8, now: now).started) == "d")
    }

    @Test func anOperationStartsWhenTheHoldsOfAllContextsEnd() {
        let (a, b) = (Upload("a"), Upload("b", after: []))
        var schedule = PipelineSchedule()
        let all = graphs([[a, b]])
        schedule.setHold(now + 10, a.uuid, "x")
        schedule.setHold(now + 20, a.uuid, "y")
        schedule.setHold(now - 1, b.uuid, "x")
        let first = schedule.start(all, .commitGraph, limit: 8, now: now)
        #expect(paths(first.started) == "b" && first.nextHold == now + 20)
        #expect(schedule.start(all, .commitGraph, limit: 8, now: now + 19).started.isEmpty)
        schedule.setHold(nil, a.uuid, "y")
        let last = schedule.start(all, .commitGraph, limit: 8, now: now + 19)
        #expect(paths(last.started) == "a" && last.nextHold == nil && schedule.holds.isEmpty)
    }

    @Test func anOperationThatIsActiveCountsUntilItIsGoneOrPending() {
        let (a, b) = (Upload("a"), Upload("b"))
        var schedule = PipelineSchedule()
        schedule.setActive(true, a.uuid)
        // Not queued, so it does not count.
        schedule.setActive(true, UUID())
        let all = graphs([[a, b]])
        #expect(schedule.start(all, .commitGraph, limit: 1, now: now).started.isEmpty)
        schedule.setActive(false, a.uuid)
        #expect(paths(schedule.start(all, .commitGraph, limit: 1, now: now).started) == "a")
    }

    /// Runs random queues to their ends, and asks of each start whether it was right, by the definition.
    @Test(arguments: [YDBCloudCorePipelineAlgorithm.commitGraph, .flatGraph])
    func startsAreThoseOfTheDefinition(algorithm: YDBCloudCorePipelineAlgorithm) {
        for seed in 0..<300 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            var all: [[Upload]] = []
            for _ in 0..<(1 + random.below(4)) {
                var graph: [Upload] = []
                for _ in 0..<(1 + random.below(5)) {
                    let operation = Upload("\(all.count)\(graph.count)", priority: Int32(random.below(3)))
                    for other in (all.flatMap { $0 } + graph) where random.percent(20) {
                        operation.addDependency(other)
                    }
                    graph.append(operation)
                }
                all.append(graph)
            }
            var schedule = PipelineSchedule()
            let limit = 1 + random.below(4)
            var (left, running) = (all, Set<UUID>())
            while left.contains(where: { !$0.isEmpty }) {
                let started = schedule.start(graphs(left), algorithm, limit: limit, now: now).started
                for operation in started {
                    let allowed = startable(left, running, algorithm)
                    let best = allowed.map(\.priority).max()
                    #expect(allowed.contains { $0.uuid == operation.uuid }, "seed \(seed)")
                    #expect(operation.priority == best, "seed \(seed)")
                    running.insert(operation.uuid)
                }
                #expect(running.count <= limit, "seed \(seed)")
                #expect(running.count == limit || startable(left, running, algorithm).isEmpty, "seed \(seed)")
                guard let done = running.sorted(by: { $0.uuidString < $1.uuidString }).first else {
                    Issue.record("nothing runs, seed \(seed)")
                    break
                }
                // Completed, or given back to start again.
                running.remove(done)
                if random.percent(80) {
                    for index in left.indices { left[index].removeAll { $0.uuid == done } }
                    schedule.forget([done])
                } else {
                    schedule.setActive(false, done)
                }
            }
        }
    }

    private func startable(
        _ left: [[Upload]], _ running: Set<UUID>, _ algorithm: YDBCloudCorePipelineAlgorithm
    ) -> [Upload] {
        let candidates = algorithm == .flatGraph ? left.flatMap { $0 } : left.first { !$0.isEmpty } ?? []
        let queued = Set(candidates.map(\.uuid))
        return candidates.filter { !running.contains($0.uuid) && $0.dependencies.isDisjoint(with: queued) }
    }
}
