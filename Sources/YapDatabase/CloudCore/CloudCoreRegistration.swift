import FileEngine
import Foundation

/// Creates or upgrades the tables, and stores which pipelines the program has.
struct CloudCoreRegistration {
    private let cloud: YapDatabaseCloudCore
    private let tables: CloudCoreTables
    private let name: String

    init(_ cloud: YapDatabaseCloudCore, _ tables: CloudCoreTables, name: String) {
        self.cloud = cloud
        self.tables = tables
        self.name = name
    }

    /// - Returns: the operations.
    func run(_ previous: RegisteredExtension?) throws -> CloudQueue {
        guard cloud.defaultPipeline() != nil else {
            throw YapDatabaseError(
                .badExtension,
                "\"\(name)\" has no pipeline named \"\(YapDatabaseCloudCoreDefaultPipelineName)\". Add one with "
                    + "registerPipeline(_:) first.")
        }
        try prepareTables(previous)
        let serial = try storePipelines()
        let stored = try cloud.decode(tables.operations(), tables.pipelines())
        return try keepingOrder(of: serial, stored)
    }

    private func prepareTables(_ previous: RegisteredExtension?) throws {
        if let previous {
            guard previous.classVersion <= cloud.classVersion else {
                throw YapDatabaseError(
                    .newerVersion,
                    "\"\(name)\" was written by a newer release: its layout has version \(previous.classVersion), this "
                        + "release knows \(cloud.classVersion). Update this program.")
            }
            try tables.upgrade(from: previous.classVersion)
        }
        var wanted: [CloudCoreTable] = [.pipelines, .queue]
        if cloud.settings.enableTagSupport { wanted.append(.tags) }
        if cloud.settings.enableAttachDetachSupport { wanted.append(.mapping) }
        for table in CloudCoreTable.allCases {
            if try tables.has(table) {
                try tables.checkColumns(table)
            } else if wanted.contains(table) {
                try tables.create(table)
            }
        }
        // The original leaves those of removed rows, and a new row with such a rowid would be attached.
        if try tables.has(.mapping) { try tables.removeMappingsWithoutRows() }
    }

    /// Stores the pipelines of the program in the place of those that were stored before. Operations of a pipeline that the program no longer has
    /// go to the default pipeline.
    /// - Returns: the names of pipelines with a flat graph that had commit graphs when their operations were queued.
    private func storePipelines() throws -> Set<String> {
        let stored = try tables.pipelines()
        var serial: Set<String> = []
        for pipeline in cloud.registeredPipelines() {
            let rows = stored.filter { cloud.pipeline(withName: $0.name) === pipeline }
            let isDefault = pipeline.name == YapDatabaseCloudCoreDefaultPipelineName
            guard var row = rows.first(where: { $0.name == pipeline.name }) ?? rows.first else {
                _ = try tables.insertPipeline(pipeline.name, algorithm: pipeline.algorithm.rawValue)
                continue
            }
            let isSerial = rows.contains { $0.algorithm == YDBCloudCorePipelineAlgorithm.commitGraph.rawValue }
            if isSerial, pipeline.algorithm == .flatGraph { serial.insert(pipeline.name) }
            for other in rows where other.rowid != row.rowid {
                try tables.removePipeline(other.rowid, movingOperationsTo: isDefault ? nil : row.rowid)
            }
            guard row.name != pipeline.name || row.algorithm != pipeline.algorithm.rawValue else { continue }
            row.name = pipeline.name
            row.algorithm = pipeline.algorithm.rawValue
            try tables.update(row)
        }
        for row in stored where cloud.pipeline(withName: row.name) == nil {
            try tables.removePipeline(row.rowid, movingOperationsTo: nil)
        }
        return serial
    }

    /// Keeps the order of operations when their graphs become one flat graph: each operation waits for all of the graph before its own.
    /// What it depended on in later graphs is dropped, because it had no effect.
    private func keepingOrder(of pipelines: Set<String>, _ stored: CloudQueue) throws -> CloudQueue {
        var queue = stored
        for name in pipelines {
            var (before, later): (Set<UUID>, Set<UUID>) = ([], Set(stored[name].flatMap(\.operations).map(\.uuid)))
            for graph in stored[name] {
                let own = Set(graph.operations.map(\.uuid))
                later.subtract(own)
                defer { before = own }
                for old in graph.operations where old.isKnown {
                    let operation = old.copy()
                    operation.dependencies = operation.dependencies.subtracting(later).union(before)
                    guard operation.dependencies != old.dependencies else { continue }
                    let bytes = try cloud.encode(operation)
                    try tables.setOperation(bytes, rowid: old.row.rowid)
                    let row = CloudQueueRow(
                        rowid: old.row.rowid, pipeline: old.row.pipeline, graph: old.row.graph, bytes: bytes)
                    queue.replace(QueuedOperation(operation, row, pipeline: name))
                }
            }
        }
        return queue
    }
}

/// The operations in a snapshot.
///
/// One that was read from the file is decoded when it is first needed: no block of the app may run while a snapshot is loaded.
final class CloudCoreState: ExtensionState {
    private enum Content: Sendable {
        case stored([CloudQueueRow], [CloudPipelineRow])
        case decoded(CloudQueue)
    }

    private let content: Locked<Content>

    init(_ queue: CloudQueue) { content = Locked(.decoded(queue)) }

    init(_ operations: [CloudQueueRow], _ pipelines: [CloudPipelineRow]) {
        content = Locked(.stored(operations, pipelines))
    }

    func queue(_ cloud: YapDatabaseCloudCore) -> CloudQueue {
        let (operations, pipelines): ([CloudQueueRow], [CloudPipelineRow])
        switch content.withLock({ $0 }) {
        case .decoded(let queue): return queue
        case .stored(let rows, let names): (operations, pipelines) = (rows, names)
        }
        // Outside of the lock: the decoder of an app may ask for the queue.
        let queue = cloud.decode(operations, pipelines)
        return content.withLock { content in
            if case .decoded(let other) = content { return other }
            content = .decoded(queue)
            return queue
        }
    }
}
