import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// Pipelines that run. Each test waits on a thread of its own.
@Suite struct PipelineTests {
    /// Runs a test with a registered cloud core.
    private func with(
        _ cloud: YapDatabaseCloudCore,
        _ body: @escaping @Sendable (YapDatabaseConnection, YapDatabaseCloudCorePipeline, YapDatabase) throws -> Void
    ) async throws {
        try await onThread {
            try withTemporaryDatabase { database throws in
                try database.register(cloud, withName: "cloud")
                try body(database.newConnection(), #require(cloud.defaultPipeline()), database)
            }
        }
    }

    @Test func operationsStartAfterTheirCommitAndEndWithTheirResults() async throws {
        let uploader = Uploader()
        try await with(makeCloud(uploader)) { connection, pipeline, _ in
            let (a, b) = (Upload("a"), Upload("b"))
            let (c, d) = (Upload("c", after: [a]), Upload("d"))
            try connection.readWrite { transaction throws in
                for operation in [a, b, c] { try transaction.cloud.addOperation(operation) }
                // Time is the subject: they would start in it.
                usleep(2_000)
                #expect(uploader.started == [])
            }
            try connection.readWrite { try $0.queue(d) }
            try uploader.expect(["a", "b"], inAnyOrder: true)
            try waitUntil("two are active") { Set(pipeline.activeOperations().map(\.uuid)) == [a.uuid, b.uuid] }
            #expect(pipeline.isActive && pipeline.statusForOperation(with: c.uuid) == .pending)
            #expect(pipeline.operation(with: c.uuid)?.dependencies == [a.uuid] && pipeline.graphCount() == 2)
            try connection.readWrite { transaction throws in
                try transaction.setObject("result", forKey: "a")
                try transaction.cloud.completeOperation(with: a.uuid)
            }
            try uploader.expect(["a", "b", "c"], inAnyOrder: true)
            try connection.readWrite { try $0.cloud.skipOperation(with: b.uuid) }
            #expect(pipeline.operations(with: [a.uuid, b.uuid, c.uuid]).count == 1)
            try connection.readWrite { try $0.cloud.completeOperation(with: c.uuid) }
            try uploader.expect(["a", "b", "c", "d"], inAnyOrder: true)
            #expect(uploader.started.last == "d")
            try connection.readWrite { try $0.cloud.completeOperation(with: d.uuid) }
            try waitUntil("nothing is left") { !pipeline.isActive }
            #expect(pipeline.graphCount() == 0)
        }
    }

    @Test func aFailedOperationStartsAgainAfterItsDelay() async throws {
        let (uploader, clock) = (Uploader(), YapManualClock.at(1_000))
        try await with(makeCloud(uploader, clock: clock)) { connection, pipeline, _ in
            let operation = Upload("a")
            let held = Upload("held")
            // Before the commit, so that it cannot start too early.
            pipeline.setHoldDate(clock.date(1_005), forOperationWith: held.uuid, context: "x")
            try connection.readWrite { transaction throws in
                try transaction.cloud.addOperation(operation)
                try transaction.cloud.addOperation(held)
            }
            try uploader.expect(["a"])
            pipeline.setStatusAsPendingForOperation(with: operation.uuid)
            try uploader.expect(["a", "a"])
            pipeline.setStatusAsPendingForOperation(with: operation.uuid, retryDelay: 20)
            #expect(pipeline.holdDatesForOperation(with: operation.uuid) == ["retry": clock.date(1_020)])
            #expect(pipeline.holdDates(forContext: "x") == [held.uuid: clock.date(1_005)])
            try settle(pipeline)
            clock.advance(to: 1_010)
            try uploader.expect(["a", "a", "held"])
            #expect(pipeline.latestHoldDateForOperation(with: held.uuid) == nil)
            try settle(pipeline)
            clock.advance(to: 1_019)
            try settle(pipeline)
            #expect(uploader.started == ["a", "a", "held"])
            clock.advance(to: 1_020)
            try uploader.expect(["a", "a", "held", "a"])
            pipeline.setHoldDate(clock.date(5_000), forOperationWith: operation.uuid, context: "y")
            pipeline.setStatusAsPendingForOperation(with: operation.uuid)
            try settle(pipeline)
            pipeline.setHoldDate(nil, forOperationWith: operation.uuid, context: "y")
            try uploader.expect(["a", "a", "held", "a", "a"])
        }
    }

    /// The delay begins again, and a date that the program set stays.
    @Test(arguments: [0.0, 990, 5_000]) func aDelayIsNeverLongerThanItWasGiven(back: Double) async throws {
        let (uploader, clock) = (Uploader(), YapManualClock.at(10_000))
        try await with(makeCloud(uploader, clock: clock)) { connection, pipeline, _ in
            let (operation, held) = (Upload("a"), Upload("held"))
            pipeline.setHoldDate(clock.date(10_005), forOperationWith: held.uuid, context: "x")
            try connection.readWrite { transaction throws in
                try transaction.cloud.addOperation(operation)
                try transaction.cloud.addOperation(held)
            }
            try uploader.expect(["a"])
            pipeline.setStatusAsPendingForOperation(with: operation.uuid, retryDelay: 20)
            try settle(pipeline)
            clock.set(to: clock.date(10_000 - back))
            try settle(pipeline)
            clock.set(to: clock.date(10_000 - back + 20))
            try settle(pipeline)
            try waitUntil("the operation starts again") { uploader.started.filter { $0 == "a" }.count == 2 }
            if back == 0 { try waitUntil("the held one starts") { uploader.started.contains("held") } }
            #expect(uploader.started.contains("held") == (back == 0))
        }
    }

    /// Waits until the pipeline has done what was asked of it so far.
    private func settle(_ pipeline: YapDatabaseCloudCorePipeline) throws {
        let done = DispatchSemaphore(value: 0)
        pipeline.owner?.later()
        pipeline.owner?.queue.async { done.signal() }
        try done.wait(for: "the queue")
    }

    @Test func aSuspendedPipelineStartsNothingUntilItIsResumedAsOften() async throws {
        let uploader = Uploader()
        let cloud = makeCloud(uploader, others: ["other"])
        #expect(cloud.suspend(withCount: 2) == 2)
        try await with(cloud) { connection, pipeline, _ in
            #expect(pipeline.suspendCount == 2)
            try connection.readWrite { transaction throws in
                try transaction.cloud.addOperation(Upload("a"))
                try transaction.cloud.addOperation(Upload("b", in: "other"))
            }
            #expect(cloud.resume() == 1 && cloud.isSuspended && pipeline.suspend() == 2)
            try settle(pipeline)
            #expect(uploader.started == [])
            #expect(cloud.resume() == 0 && pipeline.isSuspended)
            try uploader.expect(["b"])
            #expect(pipeline.resume() == 0)
            try uploader.expect(["b", "a"])
            #expect(cloud.resume() == 0 && pipeline.resume() == 0)
        }
    }

    @Test func onlySoManyRunAtATime() async throws {
        let uploader = Uploader()
        let cloud = makeCloud(uploader, .flatGraph)
        cloud.defaultPipeline()?.maxConcurrentOperationCount = 2
        try await with(cloud) { connection, pipeline, _ in
            let operations = (0..<5).map { Upload("\($0)", priority: Int32(5 - $0)) }
            for operation in operations { pipeline.setHoldDate(.distantFuture, forOperationWith: operation.uuid) }
            try connection.readWrite { try $0.queue(operations[0]) }
            try connection.readWrite { transaction throws in
                for operation in operations.dropFirst() { try transaction.cloud.addOperation(operation) }
            }
            pipeline.suspend()
            for operation in operations { pipeline.setHoldDate(nil, forOperationWith: operation.uuid) }
            // A task of an earlier launch that still runs.
            pipeline.setStatusAsActiveForOperation(with: operations[4].uuid)
            pipeline.resume()
            try uploader.expect(["0"])
            try settle(pipeline)
            #expect(uploader.started == ["0"])
            try connection.readWrite { try $0.cloud.completeOperation(with: operations[4].uuid) }
            try uploader.expect(["0", "1"])
            pipeline.maxConcurrentOperationCount = 0
            try uploader.expect(["0", "1", "2", "3"], inAnyOrder: true)
        }
    }

    @Test func aReleasedDelegateIsGivenNothing() async throws {
        var uploader: Uploader? = Uploader()
        let cloud = makeCloud(uploader!)
        uploader = nil
        try await with(cloud) { connection, pipeline, _ in
            try connection.readWrite { try $0.queue(Upload("a")) }
            try settle(pipeline)
            #expect(pipeline.delegate == nil && pipeline.activeOperations().isEmpty && pipeline.graphCount() == 1)
        }
    }

    @Test func unregisteringEndsThePipelines() async throws {
        let uploader = Uploader()
        try await with(makeCloud(uploader)) { connection, pipeline, database in
            pipeline.suspend()
            try connection.readWrite { try $0.queue(Upload("a")) }
            try database.unregisterExtension(withName: "cloud")
            pipeline.resume()
            try settle(pipeline)
            #expect(uploader.started == [] && pipeline.graphCount() == 0)
            #expect(try tables(of: database.databaseURL) == ["database2", "yap2"])
        }
    }

    @Test func notificationsSayWhatChanged() async throws {
        let uploader = Uploader()
        let cloud = makeCloud(uploader)
        let pipeline = try #require(cloud.defaultPipeline())
        let heard = Locked<[String: Set<UUID>]>([:])
        let observer = NotificationCenter.default.addObserver(
            forName: .YDBCloudCorePipelineQueueChanged, object: pipeline, queue: nil
        ) { notification in
            for (key, value) in notification.userInfo ?? [:] {
                guard let key = key as? String, let uuids = value as? Set<UUID> else { continue }
                heard.withLock { $0[key, default: []].formUnion(uuids) }
            }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try await with(cloud) { connection, pipeline, _ in
            let (a, b) = (Upload("a"), Upload("b"))
            func wait(_ key: String, _ uuid: UUID) throws {
                try waitUntil("\(key)") { heard.withLock { $0[key]?.contains(uuid) == true } }
            }
            try connection.readWrite { try $0.queue(a) }
            try wait(YDBCloudCorePipelineQueueChangedKey_addedOperationUUIDs, a.uuid)
            #expect(try connection.readWrite { try $0.cloud.insertOperation(b, inGraph: 0) })
            try wait(YDBCloudCorePipelineQueueChangedKey_insertedOperationUUIDs, b.uuid)
            a.priority = 4
            #expect(try connection.readWrite { try $0.cloud.modifyOperation(a) })
            try wait(YDBCloudCorePipelineQueueChangedKey_modifiedOperationUUIDs, a.uuid)
            try connection.readWrite { try $0.cloud.completeOperation(with: b.uuid) }
            try wait(YDBCloudCorePipelineQueueChangedKey_removedOperationUUIDs, b.uuid)
        }
    }

    /// A delegate that finishes operations at random: each is completed once, in the order that the graphs and dependencies give.
    @Test(arguments: [YDBCloudCorePipelineAlgorithm.commitGraph, .flatGraph])
    func everyOperationIsDoneOnceInOrder(algorithm: YDBCloudCorePipelineAlgorithm) async throws {
        let done = Locked<[String]>([])
        let connectionBox = Locked<YapDatabaseConnection?>(nil)
        let uploader = Uploader { operation, pipeline in
            let (uuid, label) = (operation.uuid, operation.label)
            guard let connection = connectionBox.withLock({ $0 }) else { return }
            if Int.random(in: 0..<4) == 0 { return pipeline.setStatusAsPendingForOperation(with: uuid) }
            do {
                try connection.readWrite { transaction throws in
                    #expect(try transaction.cloud.operation(with: uuid) != nil, "\(label) was finished before")
                    try transaction.cloud.completeOperation(with: uuid)
                    done.withLock { $0.append(label) }
                }
            } catch {
                Issue.record("\(error)")
            }
        }
        try await with(makeCloud(uploader, algorithm)) { connection, pipeline, database in
            connectionBox.withLock { $0 = connection }
            var before: [String: Set<String>] = [:]
            var earlier: [Upload] = []
            for graph in 0..<30 {
                var own: [Upload] = []
                for index in 0..<4 {
                    let candidates = algorithm == .flatGraph ? earlier + own : own
                    let others = candidates.filter { _ in Int.random(in: 0..<6) == 0 }
                    let operation = Upload("\(graph).\(index)", priority: Int32(index % 2), after: others)
                    before[operation.path] = Set(others.map(\.path))
                    if algorithm == .commitGraph { before[operation.path]?.formUnion(earlier.map(\.path)) }
                    own.append(operation)
                }
                try connection.readWrite { transaction throws in
                    for operation in own { try transaction.cloud.addOperation(operation) }
                }
                earlier += own
            }
            try waitUntil("all are done") { done.withLock { $0.count } >= earlier.count }
            let order = done.withLock { $0 }
            #expect(order.count == Set(order).count && Set(order) == Set(earlier.map(\.path)))
            for (place, path) in order.enumerated() {
                #expect(before[path]!.isSubset(of: order[..<place]), "\(path) came too early")
            }
            try waitUntil("the queue is empty") { pipeline.graphCount() == 0 }
            connectionBox.withLock { $0 = nil }
        }
    }
}
