import Foundation

/// How values become bytes. To be said before the values are read or written: a transaction goes on with what was
/// registered when it began.
extension YapDatabase {
    // MARK: Codable

    /// Stores the collection's objects as encoded by their `Codable`: as binary property lists, like the original, or in
    /// another format.
    ///
    /// An object of another type is refused with ``YapDatabaseError/Code-swift.enum/encodingFailed``.
    public func registerCodableSerialization<Object: Codable & SendableMetatype>(
        _ type: Object.Type, forCollection collection: String?, as format: YapDatabaseCodableFormat = .propertyList
    ) {
        change(.object, collection) { $0.setCodable(type, format) }
    }

    /// Like ``registerCodableSerialization(_:forCollection:as:)``, for objects and metadata.
    public func registerCodableSerialization<Object: Codable & SendableMetatype, Metadata: Codable & SendableMetatype>(
        _ type: Object.Type, metadata metadataType: Metadata.Type, forCollection collection: String?,
        as format: YapDatabaseCodableFormat = .propertyList
    ) {
        change(.object, collection) { $0.setCodable(type, format) }
        change(.metadata, collection) { $0.setCodable(metadataType, format) }
    }

    // MARK: Default, for collections of which nothing else was said

    /// How objects and metadata become bytes. At first ``defaultSerializer()``.
    public func registerDefaultSerializer(_ serializer: @escaping YapDatabaseSerializer) {
        changeDefault { $0.setSerializer(serializer) }
    }

    /// How bytes become objects and metadata. At first ``defaultDeserializer()``.
    public func registerDefaultDeserializer(_ deserializer: @escaping YapDatabaseDeserializer) {
        changeDefault { $0.setDeserializer(deserializer) }
    }

    /// What is done with values before they are stored; nil for nothing.
    public func registerDefaultPreSanitizer(_ preSanitizer: YapDatabasePreSanitizer?) {
        changeDefault { $0.setPreSanitizer(preSanitizer) }
    }

    /// What is done with values after they were stored; nil for nothing.
    public func registerDefaultPostSanitizer(_ postSanitizer: YapDatabasePostSanitizer?) {
        changeDefault { $0.setPostSanitizer(postSanitizer) }
    }

    // MARK: Policies

    /// What the caches of other connections get of a written object. At first nothing.
    public func setDefaultObjectPolicy(_ policy: YapDatabasePolicy) {
        changeDefault(.object) { $0.policy = policy }
    }

    /// What the caches of other connections get of written metadata. At first nothing.
    public func setDefaultMetadataPolicy(_ policy: YapDatabasePolicy) {
        changeDefault(.metadata) { $0.policy = policy }
    }

    /// Like ``setDefaultObjectPolicy(_:)``, for one collection.
    public func setObjectPolicy(_ policy: YapDatabasePolicy, forCollection collection: String?) {
        change(.object, collection) { $0.policy = policy }
    }

    /// Like ``setDefaultMetadataPolicy(_:)``, for one collection.
    public func setMetadataPolicy(_ policy: YapDatabasePolicy, forCollection collection: String?) {
        change(.metadata, collection) { $0.policy = policy }
    }
}

// MARK: Blocks, for one collection

extension YapDatabase {
    /// For objects and metadata.
    public func registerSerializer(_ serializer: @escaping YapDatabaseSerializer, forCollection collection: String?) {
        changeBoth(collection) { $0.setSerializer(serializer) }
    }

    /// For objects and metadata.
    public func registerDeserializer(
        _ deserializer: @escaping YapDatabaseDeserializer, forCollection collection: String?
    ) {
        changeBoth(collection) { $0.setDeserializer(deserializer) }
    }

    /// For objects and metadata.
    public func registerPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?, forCollection collection: String?) {
        changeBoth(collection) { $0.setPreSanitizer(sanitizer) }
    }

    /// For objects and metadata.
    public func registerPostSanitizer(_ sanitizer: YapDatabasePostSanitizer?, forCollection collection: String?) {
        changeBoth(collection) { $0.setPostSanitizer(sanitizer) }
    }

    /// For objects and metadata of several collections.
    public func registerSerializer(
        _ serializer: @escaping YapDatabaseSerializer, deserializer: @escaping YapDatabaseDeserializer,
        preSanitizer: YapDatabasePreSanitizer? = nil, postSanitizer: YapDatabasePostSanitizer? = nil,
        forCollections collections: [String]
    ) {
        for role in CodingTable.Role.allCases {
            change(role, collections, serializer, deserializer, preSanitizer, postSanitizer)
        }
    }
}

extension YapDatabase {
    var codings: CodingTable { codingTable.withLock { $0 } }

    func change(_ role: CodingTable.Role, _ collection: String?, _ change: (inout CodingParts) -> Void) {
        codingTable.withLock { $0.change(role, collection ?? "", change) }
    }

    func change(
        _ role: CodingTable.Role, _ collections: [String], _ serializer: @escaping YapDatabaseSerializer,
        _ deserializer: @escaping YapDatabaseDeserializer, _ preSanitizer: YapDatabasePreSanitizer?,
        _ postSanitizer: YapDatabasePostSanitizer?
    ) {
        for collection in collections {
            change(role, collection) {
                $0.setSerializer(serializer)
                $0.setDeserializer(deserializer)
                $0.setPreSanitizer(preSanitizer)
                $0.setPostSanitizer(postSanitizer)
            }
        }
    }

    func changeDefault(_ role: CodingTable.Role, _ change: (inout CodingParts) -> Void) {
        codingTable.withLock { $0.changeDefault(role, change) }
    }

    private func changeBoth(_ collection: String?, _ change: (inout CodingParts) -> Void) {
        for role in CodingTable.Role.allCases { self.change(role, collection, change) }
    }

    private func changeDefault(_ change: (inout CodingParts) -> Void) {
        for role in CodingTable.Role.allCases { changeDefault(role, change) }
    }
}
