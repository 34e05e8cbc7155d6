import FileEngine
import Foundation

/// A stored operation: immutable, shared by all snapshots that have it.
final class QueuedOperation: @unchecked Sendable {
    // @unchecked: nothing changes the operation, and every caller gets a copy of it.

    let row: CloudQueueRow
    let pipeline: String
    let uuid: UUID
    let priority: Int32
    let dependencies: Set<UUID>
    /// Whether this program has its class.
    let isKnown: Bool
    private let operation: YapDatabaseCloudCoreOperation

    /// - Parameter operation: nothing else may refer to it.
    init(_ operation: YapDatabaseCloudCoreOperation, _ row: CloudQueueRow, pipeline: String) {
        operation.pipeline = pipeline
        operation.snapshot = Int(truncatingIfNeeded: row.graph)
        self.operation = operation
        self.row = row
        self.pipeline = pipeline
        uuid = operation.uuid
        priority = operation.priority
        dependencies = operation.dependencies
        isKnown = !(operation is YapDatabaseCloudCoreUnknownOperation)
    }

    /// The operation, for a caller that may change it.
    func copy() -> YapDatabaseCloudCoreOperation { operation.duplicate }

    /// The reason why it cannot be decoded; nil if it can.
    var reason: (any Error)? { (operation as? YapDatabaseCloudCoreUnknownOperation)?.error }
}

/// Returns the bytes that are stored for an operation.
public typealias YDBCloudCoreOperationSerializer = @Sendable (YapDatabaseCloudCoreOperation) throws -> Data
/// Returns the operation of stored bytes.
public typealias YDBCloudCoreOperationDeserializer = @Sendable (Data) throws -> YapDatabaseCloudCoreOperation

/// The default form of stored operations: that of the original, a keyed archive.
enum OperationArchive {
    private static let baseName = "YapDatabaseCloudCoreOperation"

    static func encode(_ operation: YapDatabaseCloudCoreOperation) throws -> Data {
        let fields = try FieldEncoder.fields(of: operation)
        return try KeyedArchive.encode(ArchivedObject(classes: try names(of: operation), fields: fields))
    }

    static func decode(_ data: Data) throws -> YapDatabaseCloudCoreOperation {
        let object = try KeyedArchive.decodeObject(data)
        let name = object.classes[0]
        guard let type = type(named: name) else { throw UnknownClass(name: name) }
        return try FieldDecoder.object(of: type, object.fields)
    }

    /// The name of the operation's class in archives, and those of its superclasses.
    private static func names(of operation: YapDatabaseCloudCoreOperation) throws -> [String] {
        var names: [String] = []
        var mirror: Mirror? = Mirror(reflecting: operation)
        while let type = mirror?.subjectType as? AnyClass, type != YapDatabaseCloudCoreOperation.self {
            names.append(try KeyedArchive.name(of: type))
            mirror = mirror?.superclassMirror
        }
        return names + [baseName, "NSObject"]
    }

    private static func type(named name: String) -> YapDatabaseCloudCoreOperation.Type? {
        if name == baseName { return YapDatabaseCloudCoreOperation.self }
        if let registered = KeyedArchive.registeredClasses[name] {
            return registered as? YapDatabaseCloudCoreOperation.Type
        }
        // The name comes from the file.
        return ArchivedClassName.isPlain(name) ? NSClassFromString(name) as? YapDatabaseCloudCoreOperation.Type : nil
    }
}

/// An operation of the file that this program cannot decode: most often because it does not have its class.
///
/// It is kept byte for byte and never started. In a commit graph it holds back the graphs after its own. Register the class
/// (``YapDatabase/registerArchivedClass(_:as:)``) and open the file again, or skip the operation by its `uuid`.
public final class YapDatabaseCloudCoreUnknownOperation: YapDatabaseCloudCoreOperation {
    /// The name of its class in the archive; nil if the bytes are no archive.
    public let archivedClassName: String?
    /// Its bytes.
    public let data: Data
    /// Why it cannot be decoded.
    public let error: any Error

    /// - Parameter rowid: names the operation if its bytes do not.
    init(_ data: Data, rowid: Int64, error: any Error) {
        self.data = data
        self.error = error
        let object = try? KeyedArchive.decodeObject(data, skipsUnreadable: true)
        archivedClassName = object?.classes.first
        let known = object.flatMap { YapDatabaseCloudCoreOperation(coder: FieldDecoder($0.fields)) }
        super.init(uuid: known?.uuid ?? Self.uuid(rowid))
        take(known)
    }

    required init?(coder: NSCoder) { nil }

    private func take(_ operation: YapDatabaseCloudCoreOperation?) {
        guard let operation else { return }
        priority = operation.priority
        dependencies = operation.dependencies
        persistentUserInfo = operation.persistentUserInfo
    }

    private init(copying operation: YapDatabaseCloudCoreUnknownOperation) {
        archivedClassName = operation.archivedClassName
        data = operation.data
        error = operation.error
        super.init(uuid: operation.uuid)
        take(operation)
        pipeline = operation.pipeline
        snapshot = operation.snapshot
    }

    public override func copy(with zone: NSZone? = nil) -> Any {
        YapDatabaseCloudCoreUnknownOperation(copying: self)
    }

    private static func uuid(_ rowid: Int64) -> UUID {
        let bytes = Array("YapCloud".utf8) + withUnsafeBytes(of: rowid.bigEndian) { Array($0) }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
