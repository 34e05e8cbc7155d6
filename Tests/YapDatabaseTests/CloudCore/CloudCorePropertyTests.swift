import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// Pipelines, tags and attached rows against plain lists: inside and after random transactions, and after launches.
@Suite struct CloudCorePropertyTests {
    private static let names = ["big", "default"]

    @Test(arguments: Effort.some([1, 2, 3, 4, 5, 6] as [UInt64])) func theQueueIsThatOfTheModel(seed: UInt64) throws {
        try Self.run(seed, transactions: 600)
    }

    static func run(_ seed: UInt64, transactions: Int) throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "t.sqlite")
            var random = SplitMix64(seed: seed)
            var model = CloudModel(pipelines: names)
            let uploader = Uploader()
            for _ in 0..<6 {
                // A launch that closes the database, or one that just ends.
                let database = try reopened(url)
                let cloud = makeCloud(uploader, seed % 2 == 0 ? .commitGraph : .flatGraph, others: ["big"])
                cloud.suspend()
                try database.register(cloud, withName: "cloud")
                var run = try CloudRun(database, cloud, seed, random, model)
                run.expectQueue()
                for _ in 0..<(transactions / 6) { try run.step() }
                (random, model) = (run.random, run.model)
                if random.percent(50) { try database.close() }
            }
            #expect(try YapDatabase.check(url: url) == [])
        }
    }
}

/// Random transactions of one launch.
private struct CloudRun {
    let seed: UInt64
    let connections: [YapDatabaseConnection]
    let cloud: YapDatabaseCloudCore
    var random: SplitMix64
    var model: CloudModel
    var log: [String] = []

    init(
        _ database: YapDatabase, _ cloud: YapDatabaseCloudCore, _ seed: UInt64, _ random: SplitMix64,
        _ model: CloudModel
    ) throws {
        self.seed = seed
        self.cloud = cloud
        self.random = random
        self.model = model
        connections = try [database.newConnection(), database.newConnection()]
    }

    mutating func step() throws {
        let before = model
        log = []
        let isRolledBack = random.percent(10)
        try connections[random.below(2)].readWrite { transaction throws in
            for _ in 0..<(1 + random.below(6)) { try edit(transaction) }
            try expect(transaction)
            if isRolledBack { transaction.rollback() }
        }
        if isRolledBack { model = before } else { model.commit() }
        try connections[random.below(2)].read { try expect($0) }
        expectQueue()
    }

    /// The pipelines know the newest commit at once.
    func expectQueue() {
        var lines: [String] = []
        for pipeline in cloud.registeredPipelines().sorted(by: { $0.name < $1.name }) {
            pipeline.enumerateOperations { operation, graph, _ in
                lines.append("\(pipeline.name) \(graph) \(text(operation))")
            }
        }
        #expect(lines == model.queued, "seed \(seed): \(log)")
    }

    private func expect(_ transaction: YapDatabaseReadTransaction) throws {
        let cloud = try transaction.cloud
        var lines: [String: [String]] = [:]
        cloud.enumerateOperations { pipeline, operation, graph, _ in
            lines[pipeline.name, default: []].append("\(pipeline.name) \(graph) \(text(operation))")
        }
        let found = lines.sorted { $0.key < $1.key }.flatMap(\.value)
        #expect(found == model.queued, "seed \(seed): \(log)")
        try #require(found == model.queued)
        var tags: [String: String] = [:]
        var (attached, waiting): (Set<String>, Set<String>) = ([], [])
        for key in Self.keys {
            try cloud.enumerateTags(forKey: key) { identifier, tag, _ in tags["\(key) \(identifier)"] = "\(tag)" }
            try cloud.enumerateAttached(forCloudURI: "/\(key)") { row, _, pending, _ in
                if pending { waiting.insert("\(row) /\(key)") } else { attached.insert("\(row) /\(key)") }
            }
        }
        #expect(tags == model.tags, "seed \(seed): \(log)")
        #expect(attached == model.attached && waiting == model.waiting, "seed \(seed): \(log)")
    }

    private func text(_ operation: YapDatabaseCloudCoreOperation) -> String {
        let info = operation.persistentUserInfo?["info"] as? Int
        let path = (operation as? Upload)?.path ?? "?"
        return "\(path) \(operation.priority) \(operation.dependencies.count) \(info ?? -1)"
    }

    private static let keys = ["a", "b", "c", "d"]

    private mutating func edit(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let cloud = try transaction.cloud
        let pipeline = random.pick(["big", "default"])
        switch random.below(100) {
        case 0..<30: try queue(cloud, pipeline, graph: nil)
        case 30..<40: try queue(cloud, pipeline, graph: random.below(4))
        case 40..<55: try modify(cloud)
        case 55..<75:
            guard let (pipeline, operation) = someOperation() else { return }
            log.append("finish \(operation.path)")
            switch random.below(3) {
            case 0: try cloud.completeOperation(with: operation.uuid)
            case 1: try cloud.completeOperation(with: operation.uuid, inPipeline: pipeline)
            default: try cloud.skipOperation(with: operation.uuid)
            }
            model.remove { $0.uuid == operation.uuid }
        case 75..<78:
            log.append("skip those with priority 2")
            try cloud.skipOperations { _, operation, _, _ in operation.priority == 2 }
            model.remove { $0.priority == 2 }
        case 78..<86: try tag(cloud)
        case 86..<99: try attach(transaction)
        default:
            log.append("remove all")
            let hasRows = try transaction.numberOfKeysInAllCollections() > 0
            try transaction.removeAllObjectsInAllCollections()
            if hasRows { model.removeAll() }
        }
    }

    private mutating func someOperation() -> (pipeline: String, operation: CloudModel.Operation)? {
        let all = model.operations
        return all.isEmpty ? nil : random.pick(all)
    }

    private mutating func dependencies(_ pipeline: String) -> Set<UUID> {
        Set(
            model.operations.filter { $0.pipeline == pipeline || random.percent(10) }.map(\.operation.uuid).filter {
                _ in
                random.percent(10)
            })
    }

    private mutating func queue(_ cloud: YapDatabaseCloudCoreTransaction, _ pipeline: String, graph: Int?) throws {
        let operation = Upload("\(random.below(1_000))", priority: Int32(random.below(4)), in: pipeline)
        operation.dependencies = dependencies(pipeline)
        let added = CloudModel.Operation(
            path: operation.path, uuid: operation.uuid, priority: operation.priority,
            dependencies: operation.dependencies)
        log.append("queue \(added.text) in \(pipeline) \(graph ?? -1)")
        if let graph {
            #expect(try cloud.insertOperation(operation, inGraph: graph))
            model.insert(added, pipeline, graph: graph)
        } else {
            #expect(try cloud.addOperation(operation))
            model.add(added, pipeline)
        }
    }

    private mutating func modify(_ cloud: YapDatabaseCloudCoreTransaction) throws {
        guard let (pipeline, old) = someOperation(), let operation = cloud.operation(with: old.uuid) else { return }
        operation.priority = Int32(random.below(4))
        operation.dependencies = dependencies(pipeline)
        let info = random.below(100)
        operation.setPersistentUserInfoObject(info, forKey: "info")
        log.append("modify \(old.text)")
        if model.isCircular(old.uuid, operation.dependencies, pipeline) {
            expectError(.badOperation, mentioning: "wait for itself") { try cloud.modifyOperation(operation) }
            return
        }
        #expect(try cloud.modifyOperation(operation))
        model.change(old.uuid) {
            ($0.priority, $0.dependencies, $0.info) = (operation.priority, operation.dependencies, info)
        }
    }

    private mutating func tag(_ cloud: YapDatabaseCloudCoreTransaction) throws {
        let (key, identifier) = (random.pick(Self.keys), random.pick(["", "eTag"]))
        switch random.below(5) {
        case 0:
            try cloud.removeTag(forKey: key, withIdentifier: identifier)
            model.tags["\(key) \(identifier)"] = nil
        case 1:
            try cloud.removeAllTags(forKey: key)
            model.tags = model.tags.filter { !$0.key.hasPrefix("\(key) ") }
        default:
            let value = "\(random.below(100))"
            try cloud.setTag(value, forKey: key, withIdentifier: identifier)
            model.tags["\(key) \(identifier)"] = value
        }
    }

    private mutating func attach(_ transaction: YapDatabaseReadWriteTransaction) throws {
        let (key, uri) = (random.pick(Self.keys), "/" + random.pick(Self.keys))
        log.append("rows \(key) \(uri)")
        switch random.below(5) {
        case 0:
            try transaction.setObject(1, forKey: key)
            guard model.rows.insert(key).inserted else { return }
            let waiting = model.waiting.filter { $0.hasPrefix("\(key) ") }
            model.attached.formUnion(waiting)
            model.waiting.subtract(waiting)
        case 1:
            try transaction.removeObject(forKey: key)
            model.removeRow(key)
        case 2:
            try transaction.cloud.detachCloudURI(uri, forKey: key, inCollection: nil)
            if model.rows.contains(key) {
                model.attached.remove("\(key) \(uri)")
            } else {
                model.waiting.remove("\(key) \(uri)")
            }
        default:
            try transaction.cloud.attachCloudURI(uri, forKey: key, inCollection: nil)
            if model.rows.contains(key) {
                model.attached.insert("\(key) \(uri)")
            } else {
                model.waiting.insert("\(key) \(uri)")
            }
        }
    }
}
