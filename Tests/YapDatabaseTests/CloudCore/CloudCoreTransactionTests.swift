import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// Queuing, changing and finishing operations, while no pipeline runs.
@Suite struct CloudCoreTransactionTests {
    private func withCloud(
        _ cloud: YapDatabaseCloudCore? = nil, others: [String] = [],
        _ body: (YapDatabaseConnection, YapDatabase) throws -> Void
    ) throws {
        let uploader = Uploader()
        let cloud = cloud ?? makeCloud(uploader, others: others)
        cloud.suspend()
        try withTemporaryDatabase { database throws in
            try database.register(cloud, withName: "cloud")
            try body(database.newConnection(), database)
        }
        #expect(uploader.started == [])
    }

    @Test func operationsOfACommitAreAGraphInTheOrderOfTheirPriorities() throws {
        try withCloud(others: ["big"]) { connection, database throws in
            let before = database.snapshot
            try connection.readWrite { transaction throws in
                let cloud = try transaction.cloud
                for (path, priority) in [("a", 0), ("b", 2), ("c", 0), ("d", 1)] as [(String, Int32)] {
                    #expect(try cloud.addOperation(Upload(path, priority: priority)))
                }
                try cloud.addOperation(Upload("e", in: "big"))
                // A pipeline that is not there.
                try cloud.addOperation(Upload("f", in: "nowhere"))
                #expect(cloud.graphForAddedOperations(inPipeline: "big") == 0)
                #expect(cloud.graphForAddedOperations(inPipeline: "nowhere") == nil)
            }
            try connection.readWrite { transaction throws in
                #expect(try transaction.cloud.graphForAddedOperations(inPipeline: nil) == 1)
                try transaction.cloud.addOperation(Upload("g"))
                var added: [String] = []
                try transaction.cloud.enumerateAddedOperations {
                    added.append("\($0.name) \(($1 as! Upload).path) \($2)"); $3 = false
                }
                #expect(added == ["default g 1"])
            }
            try connection.read { transaction throws in
                let expected = [
                    "default 0 b", "default 0 d", "default 0 a", "default 0 c", "default 0 f", "default 1 g", "big 0 e",
                ]
                #expect(try transaction.queued == expected)
                var snapshots: [Int] = []
                try transaction.cloud.enumerateOperations(inPipeline: nil) { operation, _, _ in
                    snapshots.append(operation.snapshot - before)
                    #expect(operation.pipeline == "default")
                }
                #expect(snapshots == [1, 1, 1, 1, 1, 2])
            }
        }
    }

    @Test func aSnapshotKeepsItsQueue() throws {
        try withCloud { connection, database throws in
            let frozen = try database.newConnection()
            let operation = Upload("a")
            try connection.readWrite { try $0.queue(operation) }
            try frozen.beginLongLivedReadTransaction()
            try connection.readWrite { transaction throws in
                try transaction.cloud.completeOperation(with: operation.uuid)
                try transaction.cloud.addOperation(Upload("b"))
                #expect(try transaction.queued == ["default 1 b"])
            }
            #expect(try frozen.read { try $0.queued } == ["default 0 a"])
            #expect(try connection.read { try $0.queued } == ["default 0 b"])
            try frozen.beginLongLivedReadTransaction()
            #expect(try frozen.read { try $0.queued } == ["default 0 b"])
        }
    }

    @Test func whatIsRolledBackIsNotQueued() throws {
        try withCloud { connection, database throws in
            let kept = Upload("kept")
            try connection.readWrite { try $0.queue(kept) }
            try connection.readWrite { transaction throws in
                try transaction.cloud.addOperation(Upload("a"))
                try transaction.cloud.completeOperation(with: kept.uuid)
                transaction.rollback()
            }
            #expect(try connection.read { try $0.queued } == ["default 0 kept"])
            #expect(database.registeredCloud.defaultPipeline()?.graphCount() == 1)
        }
    }

    @Test func theQueueHasCopies() throws {
        try withCloud { connection, _ throws in
            let operation = Upload("a")
            operation.setPersistentUserInfoObject(["k": [1, 2]], forKey: "info")
            operation.setPersistentUserInfoObject(UUID(), forKey: "id")
            try connection.readWrite { transaction throws in
                try transaction.cloud.addOperation(operation)
                operation.priority = 9
                let found = try #require(transaction.cloud.operation(with: operation.uuid) as? Upload)
                #expect(found !== operation && found.priority == 0 && found.path == "a")
                found.priority = 7
                #expect(try !transaction.cloud.addOperation(operation), "it is queued already")
            }
            try connection.readWrite { transaction throws in
                let found = try #require(try transaction.cloud.operation(with: operation.uuid, inPipeline: nil))
                #expect(found.priority == 0)
                #expect((found.persistentUserInfo?["info"] as? [String: [Int]]) == ["k": [1, 2]])
                #expect(found.persistentUserInfo?["id"] is UUID)
                found.priority = 5
                #expect(try transaction.cloud.modifyOperation(found))
                #expect(try !transaction.cloud.modifyOperation(Upload("other")))
            }
            #expect(try connection.read { try $0.cloud.operation(with: operation.uuid)?.priority } == 5)
        }
    }

    @Test func operationsAreInsertedIntoEarlierGraphs() throws {
        try withCloud { connection, _ throws in
            let (a, b) = (Upload("a"), Upload("b"))
            try connection.readWrite { try $0.queue(a) }
            try connection.readWrite { try $0.queue(b) }
            try connection.readWrite { transaction throws in
                let cloud = try transaction.cloud
                let fix = Upload("fix")
                #expect(try cloud.insertOperation(fix, inGraph: 0))
                a.addDependency(fix)
                #expect(try cloud.modifyOperation(a))
                #expect(try cloud.insertOperation(Upload("after b"), afterOperation: b.uuid))
                #expect(try !cloud.insertOperation(Upload("lost"), afterOperation: UUID()))
                #expect(try cloud.insertOperation(Upload("new"), inGraph: 2))
                #expect(cloud.graphForOperation(fix) == 0)
                #expect(cloud.recursiveDependencies(for: a) == [fix.uuid])
                let expected = ["default 0 a", "default 0 fix", "default 1 b", "default 1 after b", "default 2 new"]
                #expect(try transaction.queued == expected)
            }
            try connection.readWrite { transaction throws in
                try transaction.cloud.skipOperations { _, operation, graph, _ in
                    graph == 0 || operation.dependencies == [b.uuid]
                }
                #expect(try transaction.queued == ["default 1 b", "default 2 new"])
            }
            #expect(try connection.read { try $0.queued } == ["default 0 b", "default 1 new"])
            try connection.readWrite { transaction throws in
                try transaction.cloud.skipOperations(inPipeline: nil) { operation, _, stop in
                    stop = true
                    return operation.uuid == b.uuid
                }
            }
            #expect(try connection.read { try $0.queued } == ["default 0 new"])
        }
    }

    @Test func badOperationsAreRefusedAndTheTransactionGoesOn() throws {
        final class Nested: YapDatabaseCloudCoreOperation {}
        let options = YapDatabaseCloudCoreOptions()
        options.allowedOperationClasses = [Upload.self, Nested.self]
        let uploader = Uploader()
        let cloud = YapDatabaseCloudCore(options: options)
        cloud.registerPipeline(
            YapDatabaseCloudCorePipeline(name: YapDatabaseCloudCoreDefaultPipelineName, delegate: uploader))
        try withCloud(cloud) { connection, _ throws in
            try connection.readWrite { transaction throws in
                let cloud = try transaction.cloud
                expectError(.badOperation, mentioning: "allowedOperationClasses") {
                    try cloud.addOperation(YapDatabaseCloudCoreOperation())
                }
                expectError(.encodingFailed, mentioning: "registerArchivedClass") { try cloud.addOperation(Nested()) }
                let strange = Upload("strange")
                strange.persistentUserInfo = ["it": Thread.current]
                expectError(.encodingFailed, mentioning: "\(strange.uuid)") { try cloud.addOperation(strange) }
                let (a, b) = (Upload("a"), Upload("b"))
                let c = Upload("c", after: [b])
                b.addDependency(a)
                a.addDependency(c)
                try cloud.addOperation(a)
                try cloud.addOperation(b)
                expectError(.badOperation, mentioning: "wait for itself") { try cloud.addOperation(c) }
                a.addDependency(b)
                expectError(.badOperation, mentioning: "wait for itself") { try cloud.modifyOperation(a) }
                a.addDependency(a)
                #expect(!a.dependencies.contains(a.uuid))
                #expect(try transaction.queued == ["default 0 a", "default 0 b"])
                expectError(.badExtension, mentioning: "enableTagSupport") {
                    try cloud.setTag("x", forKey: "k", withIdentifier: nil)
                }
                expectError(.badExtension, mentioning: "enableAttachDetachSupport") {
                    try cloud.attachCloudURI("x", forKey: "k", inCollection: nil)
                }
            }
            #expect(try connection.read { try $0.queued } == ["default 0 a", "default 0 b"])
        }
    }

    @Test func aDefaultPipelineIsNeeded() throws {
        try withTemporaryDatabase { database throws in
            expectError(.badExtension, mentioning: "registerPipeline", "default") {
                try database.register(YapDatabaseCloudCore(), withName: "cloud")
            }
            let uploader = Uploader()
            let cloud = makeCloud(uploader, others: ["x"])
            #expect(cloud.registeredPipelineNames() == ["default", "x"])
            let again = YapDatabaseCloudCorePipeline(name: "x", delegate: uploader)
            #expect(!cloud.registerPipeline(again))
            #expect(!YapDatabaseCloudCore().registerPipeline(cloud.registeredPipelines()[1]))
            try database.register(cloud, withName: "cloud")
            #expect(!cloud.registerPipeline(YapDatabaseCloudCorePipeline(name: "y", delegate: uploader)))
            let isSet = cloud.setOperationSerializer(
                { _ in Data() }, deserializer: { _ in YapDatabaseCloudCoreOperation() })
            #expect(!isSet)
        }
    }

    @Test func allGoesWithAllRows() throws {
        try withCloud { connection, _ throws in
            try connection.readWrite { transaction throws in
                try transaction.setObject(1, forKey: "k")
                try transaction.cloud.addOperation(Upload("a"))
                try transaction.cloud.setTag("t", forKey: "k", withIdentifier: nil)
                try transaction.cloud.attachCloudURI("u", forKey: "k", inCollection: nil)
            }
            try connection.readWrite { transaction throws in
                try transaction.cloud.addOperation(Upload("b"))
                try transaction.removeAllObjectsInAllCollections()
                try transaction.cloud.addOperation(Upload("c"))
            }
            try connection.read { transaction throws in
                #expect(try transaction.queued == ["default 0 c"])
                #expect(try transaction.cloud.tag(forKey: "k", withIdentifier: nil) == nil)
            }
        }
    }
}

extension YapDatabase {
    fileprivate var registeredCloud: YapDatabaseCloudCore { registeredExtension("cloud") as! YapDatabaseCloudCore }
}
