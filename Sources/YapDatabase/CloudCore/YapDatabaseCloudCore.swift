import Dispatch
import FileEngine
import Foundation

/// The name of the pipeline that each ``YapDatabaseCloudCore`` needs.
public let YapDatabaseCloudCoreDefaultPipelineName = "default"

/// Queues of operations for a cloud's server, stored in the commits that cause them.
///
/// ```swift
/// let cloud = YapDatabaseCloudCore(versionTag: "1", options: nil)
/// cloud.registerPipeline(YapDatabaseCloudCorePipeline(name: YapDatabaseCloudCoreDefaultPipelineName, delegate: uploader))
/// try database.register(cloud, withName: "cloud")
/// try connection.readWrite { transaction in
///     try transaction.setObject(book, forKey: "dune", inCollection: "books")
///     try (transaction.ext("cloud") as? YapDatabaseCloudCoreTransaction)?.addOperation(Upload(path: "/books/dune"))
/// }
/// ```
///
/// Each ``YapDatabaseCloudCorePipeline`` gives its operations to a delegate, when their dependencies and holds permit it, and
/// counts them as running until a transaction completes or skips them. After a launch it gives every operation again that was not
/// completed: an operation is never lost, and none is started after the commit that completed it. Every process that registers
/// the extension runs its pipelines; all but one should ``suspend()`` them before they register it.
///
/// It begins when it is registered and ends when it is unregistered or the database is closed.
public final class YapDatabaseCloudCore: YapDatabaseExtension, @unchecked Sendable {
    // @unchecked: all mutable state is behind a lock, and `settings` is a copy that is never changed.

    struct State {
        var pipelines: [YapDatabaseCloudCorePipeline] = []
        var serializer: YDBCloudCoreOperationSerializer = YapDatabaseCloudCore.defaultOperationSerializer()
        var deserializer: YDBCloudCoreOperationDeserializer = YapDatabaseCloudCore.defaultOperationDeserializer()
        var suspendCount = 0
        var name: String?
        weak var database: YapDatabase?
        /// The next time at which the clock wakes the pipelines.
        var wake: Date?
    }

    let state = Locked(State())
    /// The operations that were decoded last, by rowid.
    let decoded = Locked<[Int64: QueuedOperation]>([:])
    let queue = DispatchQueue(label: "YapDatabaseCloudCore")
    let settings: YapDatabaseCloudCoreOptions
    let clock: any YapActionClock
    private let tag: String

    /// - Parameters:
    ///   - versionTag: another one changes nothing of what is stored.
    ///   - clock: tells when holds end.
    public init(
        versionTag: String? = nil, options: YapDatabaseCloudCoreOptions? = nil,
        clock: any YapActionClock = YapSystemClock()
    ) {
        tag = versionTag ?? ""
        settings = options?.copy() ?? YapDatabaseCloudCoreOptions()
        self.clock = clock
        super.init(className: "YapDatabaseCloudCore", classVersion: 3)
    }

    /// A copy of the options that it was created with.
    public var options: YapDatabaseCloudCoreOptions { settings.copy() }

    public override var versionTag: String { tag }

    override func loadState(name: String, transaction: YapDatabaseReadTransaction) throws -> any ExtensionState {
        let tables = CloudCoreTables(transaction.store, extension: name)
        return CloudCoreState(try tables.operations(), try tables.pipelines())
    }

    override func makeTransaction(
        name: String, transaction: YapDatabaseReadTransaction, state: (any ExtensionState)?
    ) -> YapDatabaseExtensionTransaction {
        YapDatabaseCloudCoreTransaction(self, state as? CloudCoreState, name: name, transaction: transaction)
    }

    override func didRegister(withName name: String, in database: YapDatabase) { begin(name, database) }

    override func dropTables(name: String, transaction: YapDatabaseReadWriteTransaction) throws {
        try transaction.store.dropTables(ofExtension: name)
    }
}

// MARK: Pipelines

extension YapDatabaseCloudCore {
    /// Adds a pipeline. All of them must be added before the extension is registered.
    /// - Returns: false if it is too late, if there is one of that name, or if the pipeline belongs to another extension.
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
    public var isSuspended: Bool { suspendCount > 0 }

    /// How often ``resume()`` must be called before operations start.
    public var suspendCount: Int { state.withLock { $0.suspendCount } }

    /// Starts no more operations, in any pipeline, until ``resume()`` was called as often.
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

    /// Takes one ``suspend()`` back. Without one it does nothing.
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

// MARK: Stored operations

extension YapDatabaseCloudCore {
    /// Stores an operation as a keyed archive, as the original does.
    public static func defaultOperationSerializer() -> YDBCloudCoreOperationSerializer { OperationArchive.encode }

    /// Reads the output of ``defaultOperationSerializer()`` and operations of the original.
    public static func defaultOperationDeserializer() -> YDBCloudCoreOperationDeserializer { OperationArchive.decode }

    /// Stores operations in another form. Set it before the extension is registered.
    ///
    /// An operation whose bytes the deserializer rejects is kept as they are (``YapDatabaseCloudCoreUnknownOperation``). Classes
    /// that do not encode themselves with a coder override `copy(with:)`.
    /// - Returns: false if it is too late.
    @discardableResult public func setOperationSerializer(
        _ serializer: @escaping YDBCloudCoreOperationSerializer,
        deserializer: @escaping YDBCloudCoreOperationDeserializer
    ) -> Bool {
        state.withLock { state in
            guard state.name == nil else { return false }
            state.serializer = serializer
            state.deserializer = deserializer
            return true
        }
    }

    public var operationSerializer: YDBCloudCoreOperationSerializer { state.withLock { $0.serializer } }
    public var operationDeserializer: YDBCloudCoreOperationDeserializer { state.withLock { $0.deserializer } }

    func encode(_ operation: YapDatabaseCloudCoreOperation) throws -> [UInt8] {
        do {
            return Array(try operationSerializer(operation))
        } catch {
            throw YapDatabaseError(
                .encodingFailed,
                "The operation \(operation.uuid) of the class \(type(of: operation)) cannot be encoded. It was not queued.",
                underlying: error)
        }
    }

    /// The operations of stored rows. Those of pipelines that are unknown belong to the default one.
    func decode(_ rows: [CloudQueueRow], _ pipelines: [CloudPipelineRow]) -> CloudQueue {
        var names: [Int64: String] = [:]
        var queue = CloudQueue()
        for row in pipelines {
            guard let pipeline = pipeline(withName: row.name) else { continue }
            names[row.rowid] = pipeline.name
            if queue.rowids[pipeline.name] == nil || pipeline.name == row.name {
                queue.rowids[pipeline.name] = row.rowid
            }
        }
        let (known, deserializer) = (decoded.withLock { $0 }, operationDeserializer)
        var all: [Int64: QueuedOperation] = [:]
        for row in rows {
            let name = row.pipeline.flatMap { names[$0] } ?? YapDatabaseCloudCoreDefaultPipelineName
            let operation: QueuedOperation
            if let same = known[row.rowid], same.row == row, same.pipeline == name {
                operation = same
            } else {
                operation = Self.decode(row, pipeline: name, deserializer)
            }
            all[row.rowid] = operation
        }
        queue.load(Array(all.values))
        let latest = all
        decoded.withLock { $0 = latest }
        return queue
    }

    private static func decode(
        _ row: CloudQueueRow, pipeline: String, _ deserializer: YDBCloudCoreOperationDeserializer
    ) -> QueuedOperation {
        let data = Data(row.bytes)
        do {
            // The deserializer may keep the operation that it returns.
            return QueuedOperation(try deserializer(data).duplicate, row, pipeline: pipeline)
        } catch {
            let unknown = YapDatabaseCloudCoreUnknownOperation(data, rowid: row.rowid, error: error)
            return QueuedOperation(unknown, row, pipeline: pipeline)
        }
    }
}
