import FileEngine
import Foundation

/// The stored form of operations.
extension YapDatabaseCloudCore {
    /// Stores an operation as a keyed archive, as the original does.
    public static func defaultOperationSerializer() -> YDBCloudCoreOperationSerializer { OperationArchive.encode }

    /// Reads the output of ``defaultOperationSerializer()`` and operations of the original.
    public static func defaultOperationDeserializer() -> YDBCloudCoreOperationDeserializer { OperationArchive.decode }

    /// Stores operations in another form. Set it before the extension is registered.
    ///
    /// An operation whose bytes the deserializer rejects is kept as they are (``YapDatabaseCloudCoreUnknownOperation``). Classes
    /// that do not encode themselves with a coder override `copy(with:)`.
    ///
    /// - Parameters:
    ///   - serializer: makes the bytes; runs on the thread of the transaction that queues the operation.
    ///   - deserializer: makes an operation from bytes; runs on the thread that loads the queue.
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

    /// Makes the bytes that are stored for an operation.
    public var operationSerializer: YDBCloudCoreOperationSerializer { state.withLock { $0.serializer } }
    /// Makes an operation from stored bytes.
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
