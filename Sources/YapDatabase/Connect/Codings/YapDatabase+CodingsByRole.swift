/// Registers blocks for objects alone or for metadata alone.
extension YapDatabase {
    // MARK: Objects

    /// Registers a serializer for objects of `collection`.
    public func registerObjectSerializer(
        _ serializer: @escaping YapDatabaseSerializer, forCollection collection: String?
    ) {
        change(.object, collection) { $0.setSerializer(serializer) }
    }

    /// Registers a deserializer for objects of `collection`.
    public func registerObjectDeserializer(
        _ deserializer: @escaping YapDatabaseDeserializer, forCollection collection: String?
    ) {
        change(.object, collection) { $0.setDeserializer(deserializer) }
    }

    /// Registers a sanitizer that runs before objects of `collection` are stored; nil restores the default.
    public func registerObjectPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?, forCollection collection: String?) {
        change(.object, collection) { $0.setPreSanitizer(sanitizer) }
    }

    /// Registers a sanitizer that runs after objects of `collection` were stored; nil restores the default.
    public func registerObjectPostSanitizer(_ sanitizer: YapDatabasePostSanitizer?, forCollection collection: String?) {
        change(.object, collection) { $0.setPostSanitizer(sanitizer) }
    }

    /// Registers a serializer for objects of each of `collections`.
    public func registerObjectSerializer(
        _ serializer: @escaping YapDatabaseSerializer, deserializer: @escaping YapDatabaseDeserializer,
        preSanitizer: YapDatabasePreSanitizer? = nil, postSanitizer: YapDatabasePostSanitizer? = nil,
        forCollections collections: [String]
    ) {
        change(.object, collections, serializer, deserializer, preSanitizer, postSanitizer)
    }

    // MARK: Metadata

    /// Registers a serializer for metadata of `collection`.
    public func registerMetadataSerializer(
        _ serializer: @escaping YapDatabaseSerializer, forCollection collection: String?
    ) {
        change(.metadata, collection) { $0.setSerializer(serializer) }
    }

    /// Registers a deserializer for metadata of `collection`.
    public func registerMetadataDeserializer(
        _ deserializer: @escaping YapDatabaseDeserializer, forCollection collection: String?
    ) {
        change(.metadata, collection) { $0.setDeserializer(deserializer) }
    }

    /// Registers a sanitizer that runs before metadata of `collection` is stored; nil restores the default.
    public func registerMetadataPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?, forCollection collection: String?) {
        change(.metadata, collection) { $0.setPreSanitizer(sanitizer) }
    }

    /// Registers a sanitizer that runs after metadata of `collection` was stored; nil restores the default.
    public func registerMetadataPostSanitizer(
        _ sanitizer: YapDatabasePostSanitizer?, forCollection collection: String?
    ) {
        change(.metadata, collection) { $0.setPostSanitizer(sanitizer) }
    }

    /// Registers a serializer for metadata of each of `collections`.
    public func registerMetadataSerializer(
        _ serializer: @escaping YapDatabaseSerializer, deserializer: @escaping YapDatabaseDeserializer,
        preSanitizer: YapDatabasePreSanitizer? = nil, postSanitizer: YapDatabasePostSanitizer? = nil,
        forCollections collections: [String]
    ) {
        change(.metadata, collections, serializer, deserializer, preSanitizer, postSanitizer)
    }
}

/// Registers the defaults for collections without a registration of their own.
extension YapDatabase {
    /// Registers the default serializer of objects.
    public func registerDefaultObjectSerializer(_ serializer: @escaping YapDatabaseSerializer) {
        changeDefault(.object) { $0.setSerializer(serializer) }
    }

    /// Registers the default deserializer of objects.
    public func registerDefaultObjectDeserializer(_ deserializer: @escaping YapDatabaseDeserializer) {
        changeDefault(.object) { $0.setDeserializer(deserializer) }
    }

    /// Registers the default sanitizer that runs before objects are stored; nil removes it.
    public func registerDefaultObjectPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?) {
        changeDefault(.object) { $0.setPreSanitizer(sanitizer) }
    }

    /// Registers the default sanitizer that runs after objects were stored; nil removes it.
    public func registerDefaultObjectPostSanitizer(_ sanitizer: YapDatabasePostSanitizer?) {
        changeDefault(.object) { $0.setPostSanitizer(sanitizer) }
    }

    /// Registers the default serializer of metadata.
    public func registerDefaultMetadataSerializer(_ serializer: @escaping YapDatabaseSerializer) {
        changeDefault(.metadata) { $0.setSerializer(serializer) }
    }

    /// Registers the default deserializer of metadata.
    public func registerDefaultMetadataDeserializer(_ deserializer: @escaping YapDatabaseDeserializer) {
        changeDefault(.metadata) { $0.setDeserializer(deserializer) }
    }

    /// Registers the default sanitizer that runs before metadata is stored; nil removes it.
    public func registerDefaultMetadataPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?) {
        changeDefault(.metadata) { $0.setPreSanitizer(sanitizer) }
    }

    /// Registers the default sanitizer that runs after metadata was stored; nil removes it.
    public func registerDefaultMetadataPostSanitizer(_ sanitizer: YapDatabasePostSanitizer?) {
        changeDefault(.metadata) { $0.setPostSanitizer(sanitizer) }
    }
}
