import Foundation

/// Registers how values are encoded and decoded. Register before values are read or written: a transaction uses the codings
/// from its beginning.
extension YapDatabase {
    // MARK: Codable

    /// Registers `Codable` as the encoding of a collection's objects: as binary property lists, like the original, or
    /// in another format.
    ///
    /// Storing an object of another type throws ``YapDatabaseError/Code-swift.enum/encodingFailed``.
    ///
    /// ```swift
    /// struct Book: Codable { var title: String }
    /// database.registerCodableSerialization(Book.self, forCollection: "books", as: .json)
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of all objects of the collection.
    ///   - collection: nil is the collection `""`.
    ///   - format: how values are stored.
    public func registerCodableSerialization<Object: Codable & SendableMetatype>(
        _ type: Object.Type, forCollection collection: String?, as format: YapDatabaseCodableFormat = .propertyList
    ) {
        change(.object, collection) { $0.setCodable(type, format) }
    }

    /// Registers `Codable` as the encoding of a collection's objects and metadata. See
    /// ``registerCodableSerialization(_:forCollection:as:)``.
    ///
    /// - Parameters:
    ///   - type: the type of all objects of the collection.
    ///   - metadataType: the type of all metadata of the collection.
    ///   - collection: nil is the collection `""`.
    ///   - format: how values are stored.
    public func registerCodableSerialization<Object: Codable & SendableMetatype, Metadata: Codable & SendableMetatype>(
        _ type: Object.Type, metadata metadataType: Metadata.Type, forCollection collection: String?,
        as format: YapDatabaseCodableFormat = .propertyList
    ) {
        change(.object, collection) { $0.setCodable(type, format) }
        change(.metadata, collection) { $0.setCodable(metadataType, format) }
    }

    // MARK: Defaults, for collections without a registration of their own

    /// Registers the default serializer of objects and metadata. Initially ``defaultSerializer()``.
    ///
    /// It runs on the thread of the transaction that writes a value. An error that it throws becomes `encodingFailed`.
    ///
    /// ```swift
    /// database.registerDefaultSerializer(YapDatabase.propertyListSerializer())
    /// database.registerDefaultDeserializer(YapDatabase.propertyListDeserializer())
    /// ```
    public func registerDefaultSerializer(_ serializer: @escaping YapDatabaseSerializer) {
        changeDefault { $0.setSerializer(serializer) }
    }

    /// Registers the default deserializer of objects and metadata. Initially ``defaultDeserializer()``.
    ///
    /// It runs on the thread of the transaction that reads a value. An error or nil becomes `decodingFailed`.
    ///
    /// Example: ``registerDefaultSerializer(_:)``.
    public func registerDefaultDeserializer(_ deserializer: @escaping YapDatabaseDeserializer) {
        changeDefault { $0.setDeserializer(deserializer) }
    }

    /// Registers the default sanitizer that runs before objects and metadata are stored; nil removes it.
    ///
    /// It runs on the thread of the transaction that writes the value.
    ///
    /// Example: ``registerPreSanitizer(_:forCollection:)``.
    public func registerDefaultPreSanitizer(_ preSanitizer: YapDatabasePreSanitizer?) {
        changeDefault { $0.setPreSanitizer(preSanitizer) }
    }

    /// Registers the default sanitizer that runs after objects and metadata were stored; nil removes it.
    ///
    /// It runs on the thread of the transaction that writes the value.
    ///
    /// Example: ``registerPreSanitizer(_:forCollection:)``.
    public func registerDefaultPostSanitizer(_ postSanitizer: YapDatabasePostSanitizer?) {
        changeDefault { $0.setPostSanitizer(postSanitizer) }
    }

    // MARK: Policies

    /// Sets what other connections' caches receive of a written object. Initially `.containment`: nothing.
    ///
    /// Example: ``setObjectPolicy(_:forCollection:)``.
    public func setDefaultObjectPolicy(_ policy: YapDatabasePolicy) {
        changeDefault(.object) { $0.policy = policy }
    }

    /// Sets what other connections' caches receive of written metadata. Initially `.containment`: nothing.
    ///
    /// Example: ``setObjectPolicy(_:forCollection:)``.
    public func setDefaultMetadataPolicy(_ policy: YapDatabasePolicy) {
        changeDefault(.metadata) { $0.policy = policy }
    }

    /// Sets the object policy of one collection. See ``setDefaultObjectPolicy(_:)``.
    ///
    /// ```swift
    /// database.setObjectPolicy(.share, forCollection: "settings")
    /// ```
    ///
    /// - Parameters:
    ///   - policy: what other connections receive of a written value.
    ///   - collection: nil is the collection `""`.
    public func setObjectPolicy(_ policy: YapDatabasePolicy, forCollection collection: String?) {
        change(.object, collection) { $0.policy = policy }
    }

    /// Sets the metadata policy of one collection. See ``setDefaultMetadataPolicy(_:)``.
    ///
    /// Example: ``setObjectPolicy(_:forCollection:)``.
    ///
    /// - Parameters:
    ///   - policy: what other connections receive of a written value.
    ///   - collection: nil is the collection `""`.
    public func setMetadataPolicy(_ policy: YapDatabasePolicy, forCollection collection: String?) {
        change(.metadata, collection) { $0.policy = policy }
    }
}

// MARK: Blocks, for one collection

extension YapDatabase {
    /// Registers a serializer for objects and metadata of `collection`.
    ///
    /// ```swift
    /// database.registerSerializer(YapDatabase.rawSerializer(), forCollection: "images")
    /// database.registerDeserializer(YapDatabase.rawDeserializer(), forCollection: "images")
    /// ```
    ///
    /// - Parameters:
    ///   - serializer: encodes a value on the thread of the transaction that writes it.
    ///   - collection: nil is the collection `""`.
    public func registerSerializer(_ serializer: @escaping YapDatabaseSerializer, forCollection collection: String?) {
        changeBoth(collection) { $0.setSerializer(serializer) }
    }

    /// Registers a deserializer for objects and metadata of `collection`.
    ///
    /// Example: ``registerSerializer(_:forCollection:)``.
    ///
    /// - Parameters:
    ///   - deserializer: decodes bytes on the thread of the transaction that reads them.
    ///   - collection: nil is the collection `""`.
    public func registerDeserializer(
        _ deserializer: @escaping YapDatabaseDeserializer, forCollection collection: String?
    ) {
        changeBoth(collection) { $0.setDeserializer(deserializer) }
    }

    /// Registers a sanitizer that runs before objects and metadata of `collection` are stored; nil restores the
    /// default.
    ///
    /// ```swift
    /// database.registerPreSanitizer({ collection, key, value in
    ///     (value as? NSString)?.copy() ?? value
    /// }, forCollection: "notes")
    /// ```
    ///
    /// - Parameters:
    ///   - sanitizer: returns the value to store and cache; runs on the thread of the transaction that writes it.
    ///   - collection: nil is the collection `""`.
    public func registerPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?, forCollection collection: String?) {
        changeBoth(collection) { $0.setPreSanitizer(sanitizer) }
    }

    /// Registers a sanitizer that runs after objects and metadata of `collection` were stored; nil restores the
    /// default.
    ///
    /// Example: ``registerPreSanitizer(_:forCollection:)``.
    ///
    /// - Parameters:
    ///   - sanitizer: runs after a value was written, on the thread of the transaction.
    ///   - collection: nil is the collection `""`.
    public func registerPostSanitizer(_ sanitizer: YapDatabasePostSanitizer?, forCollection collection: String?) {
        changeBoth(collection) { $0.setPostSanitizer(sanitizer) }
    }

    /// Registers a serializer for objects and one for metadata in each of `collections`.
    /// - Parameters:
    ///   - serializer: encodes a value on the thread of the transaction that writes it.
    ///   - deserializer: decodes bytes on the thread of the transaction that reads them.
    ///   - preSanitizer: returns the value to store and cache; runs on the thread of the transaction that writes it. Nil for none.
    ///   - postSanitizer: runs after a value was written, on the thread of the transaction. Nil for none.
    ///   - collections: the collections, each with these blocks.
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
