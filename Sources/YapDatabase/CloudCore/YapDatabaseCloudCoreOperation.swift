import FileEngine
import Foundation

/// Something to do with a cloud's server: an upload, a deletion.
///
/// ```swift
/// final class Upload: YapDatabaseCloudCoreOperation {
///     let path: String
///     init(path: String) { self.path = path; super.init() }
///     required init?(coder: NSCoder) {
///         guard let path = coder.decodeObject(forKey: "path") as? String else { return nil }
///         self.path = path
///         super.init(coder: coder)
///     }
///     override func encode(with coder: NSCoder) { super.encode(with: coder); coder.encode(path, forKey: "path") }
/// }
/// ```
///
/// It is stored in the commit that queues it, as a keyed archive of property-list values, sets, URLs and UUIDs, until it is
/// completed or skipped. The database keeps copies: changing an operation that was queued has no effect until
/// ``YapDatabaseCloudCoreTransaction/modifyOperation(_:)``. A class that is nested in another type or private, or whose name in
/// files of the original has no module, must be registered (``YapDatabase/registerArchivedClass(_:as:)``).
open class YapDatabaseCloudCoreOperation: NSObject, NSCoding, NSCopying {
    /// Names the operation among all.
    public let uuid: UUID
    /// The number of the graph that it is in: that of the commit that queued it. 0 until it is queued.
    public internal(set) final var snapshot = 0
    /// The name of the pipeline that runs it; nil for the default pipeline, which also runs those of names that are unknown.
    public final var pipeline: String?
    /// Operations that must be completed or skipped before this one starts. One that is not queued holds nothing back.
    public final var dependencies: Set<UUID> = [] {
        didSet { dependencies.remove(uuid) }
    }
    /// Among operations that can start, those with the highest number start first.
    public final var priority: Int32 = 0
    /// Values that are stored with the operation: property-list values, sets, URLs and UUIDs.
    public final var persistentUserInfo: [String: Any]?

    public override init() {
        uuid = .random()
        super.init()
    }

    /// For operations that are known by something else than an archive.
    init(uuid: UUID) {
        self.uuid = uuid
        super.init()
    }

    public required init?(coder: NSCoder) {
        guard let uuid = UUID(any: coder.decodeObject(forKey: ArchiveKey.uuid)) else { return nil }
        self.uuid = uuid
        super.init()
        priority = coder.decodeInt32(forKey: ArchiveKey.priority)
        persistentUserInfo = coder.decodeObject(forKey: ArchiveKey.persistentUserInfo) as? [String: Any]
        // An older layout has a list.
        let stored = coder.decodeObject(forKey: ArchiveKey.dependencies)
        let elements = (stored as? [Any]) ?? (stored as? Set<AnyHashable>)?.map(\.base) ?? []
        dependencies = Set(elements.compactMap { UUID(any: $0) }).subtracting([uuid])
    }

    /// Subclasses call `super`, and use names of their own.
    open func encode(with coder: NSCoder) {
        coder.encode(Self.layoutVersion, forKey: ArchiveKey.version)
        coder.encode(uuid, forKey: ArchiveKey.uuid)
        coder.encode(priority, forKey: ArchiveKey.priority)
        coder.encode(dependencies.isEmpty ? nil : dependencies, forKey: ArchiveKey.dependencies)
        coder.encode(persistentUserInfo, forKey: ArchiveKey.persistentUserInfo)
    }

    /// Returns a copy of what `encode(with:)` writes. Subclasses whose other properties count override it.
    open func copy(with zone: NSZone? = nil) -> Any {
        guard let fields = try? FieldEncoder.fields(of: self),
            let copy = type(of: self).init(coder: FieldDecoder(fields))
        else {
            fatalError("\(type(of: self)).init(coder:) must accept what encode(with:) wrote.")
        }
        copy.pipeline = pipeline
        copy.snapshot = snapshot
        return copy
    }

    private static let layoutVersion: Int32 = 1

    private enum ArchiveKey {
        static let version = "version_base"
        static let uuid = "uuid"
        static let priority = "priority"
        static let dependencies = "dependencies"
        static let persistentUserInfo = "persistentUserInfo"
    }
}

extension YapDatabaseCloudCoreOperation {
    /// Makes the operation wait for another one.
    public final func addDependency(_ operation: YapDatabaseCloudCoreOperation) { addDependency(operation.uuid) }

    /// Makes the operation wait for another one.
    public final func addDependency(_ uuid: UUID) { dependencies.insert(uuid) }

    /// Makes the operation wait for others.
    public final func addDependencies(_ operations: [YapDatabaseCloudCoreOperation]) {
        dependencies.formUnion(operations.map(\.uuid))
    }

    /// Makes the operation wait for others.
    public final func addDependencies(_ uuids: [UUID]) { dependencies.formUnion(uuids) }

    /// Sets one value of ``persistentUserInfo``; nil removes it.
    /// - Parameters:
    ///   - object: a property-list value, a set, a URL or a UUID; nil removes the value.
    ///   - key: the name of the value.
    public final func setPersistentUserInfoObject(_ object: Any?, forKey key: String) {
        var info = persistentUserInfo ?? [:]
        info[key] = object
        persistentUserInfo = info
    }

    /// A copy of the same class.
    final var duplicate: YapDatabaseCloudCoreOperation {
        guard let copy = copy(with: nil) as? YapDatabaseCloudCoreOperation, copy.uuid == uuid else {
            fatalError("\(type(of: self)).copy(with:) must return a copy of the operation, with its UUID.")
        }
        return copy
    }
}

extension UUID {
    /// The value of either type that an archive may give.
    fileprivate init?(any value: Any?) {
        if let uuid = value as? UUID {
            self = uuid
        } else if let uuid = value as? NSUUID, let same = UUID(uuidString: uuid.uuidString) {
            self = same
        } else {
            return nil
        }
    }
}
