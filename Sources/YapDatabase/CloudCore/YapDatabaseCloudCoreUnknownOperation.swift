import Foundation

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
