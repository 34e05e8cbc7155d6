/// Options of a ``YapDatabaseCloudCore``. It copies its options when it is created.
public final class YapDatabaseCloudCoreOptions {
    /// The classes whose operations may be queued, with their subclasses; nil for all.
    public var allowedOperationClasses: [YapDatabaseCloudCoreOperation.Type]?

    /// Whether tags can be stored, such as the eTags of remote files. Initially false.
    public var enableTagSupport = false

    /// Whether rows can be attached to URIs of the cloud. Initially false.
    public var enableAttachDetachSupport = false

    /// Creates options: any operation may be queued, without tags and attached rows.
    public init() {}

    func copy() -> YapDatabaseCloudCoreOptions {
        let copy = YapDatabaseCloudCoreOptions()
        copy.allowedOperationClasses = allowedOperationClasses
        copy.enableTagSupport = enableTagSupport
        copy.enableAttachDetachSupport = enableAttachDetachSupport
        return copy
    }

    func allows(_ operation: YapDatabaseCloudCoreOperation) -> Bool {
        allowedOperationClasses.map { $0.contains { operation.isKind(of: $0) } } ?? true
    }
}
