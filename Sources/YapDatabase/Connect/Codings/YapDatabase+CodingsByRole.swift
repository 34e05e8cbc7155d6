/// Blocks for objects alone, or for metadata alone.
extension YapDatabase {
    // MARK: Objects

    /// How objects of one collection become bytes.
    public func registerObjectSerializer(
        _ serializer: @escaping YapDatabaseSerializer, forCollection collection: String?
    ) {
        change(.object, collection) { $0.setSerializer(serializer) }
    }

    /// How bytes become objects of one collection.
    public func registerObjectDeserializer(
        _ deserializer: @escaping YapDatabaseDeserializer, forCollection collection: String?
    ) {
        change(.object, collection) { $0.setDeserializer(deserializer) }
    }

    /// What is done with objects of one collection before they are stored; nil for what is done in general.
    public func registerObjectPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?, forCollection collection: String?) {
        change(.object, collection) { $0.setPreSanitizer(sanitizer) }
    }

    /// What is done with objects of one collection after they were stored; nil for what is done in general.
    public func registerObjectPostSanitizer(_ sanitizer: YapDatabasePostSanitizer?, forCollection collection: String?) {
        change(.object, collection) { $0.setPostSanitizer(sanitizer) }
    }

    /// For several collections.
    public func registerObjectSerializer(
        _ serializer: @escaping YapDatabaseSerializer, deserializer: @escaping YapDatabaseDeserializer,
        preSanitizer: YapDatabasePreSanitizer? = nil, postSanitizer: YapDatabasePostSanitizer? = nil,
        forCollections collections: [String]
    ) {
        change(.object, collections, serializer, deserializer, preSanitizer, postSanitizer)
    }

    // MARK: Metadata

    /// How metadata of one collection become bytes.
    public func registerMetadataSerializer(
        _ serializer: @escaping YapDatabaseSerializer, forCollection collection: String?
    ) {
        change(.metadata, collection) { $0.setSerializer(serializer) }
    }

    /// How bytes become metadata of one collection.
    public func registerMetadataDeserializer(
        _ deserializer: @escaping YapDatabaseDeserializer, forCollection collection: String?
    ) {
        change(.metadata, collection) { $0.setDeserializer(deserializer) }
    }

    /// What is done with metadata of one collection before it is stored; nil for what is done in general.
    public func registerMetadataPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?, forCollection collection: String?) {
        change(.metadata, collection) { $0.setPreSanitizer(sanitizer) }
    }

    /// What is done with metadata of one collection after it was stored; nil for what is done in general.
    public func registerMetadataPostSanitizer(
        _ sanitizer: YapDatabasePostSanitizer?, forCollection collection: String?
    ) {
        change(.metadata, collection) { $0.setPostSanitizer(sanitizer) }
    }

    /// For several collections.
    public func registerMetadataSerializer(
        _ serializer: @escaping YapDatabaseSerializer, deserializer: @escaping YapDatabaseDeserializer,
        preSanitizer: YapDatabasePreSanitizer? = nil, postSanitizer: YapDatabasePostSanitizer? = nil,
        forCollections collections: [String]
    ) {
        change(.metadata, collections, serializer, deserializer, preSanitizer, postSanitizer)
    }
}

/// The same for collections of which nothing else was said.
extension YapDatabase {
    /// How objects become bytes.
    public func registerDefaultObjectSerializer(_ serializer: @escaping YapDatabaseSerializer) {
        changeDefault(.object) { $0.setSerializer(serializer) }
    }

    /// How bytes become objects.
    public func registerDefaultObjectDeserializer(_ deserializer: @escaping YapDatabaseDeserializer) {
        changeDefault(.object) { $0.setDeserializer(deserializer) }
    }

    /// What is done with objects before storing; nil for nothing.
    public func registerDefaultObjectPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?) {
        changeDefault(.object) { $0.setPreSanitizer(sanitizer) }
    }

    /// What is done with objects after storing; nil for nothing.
    public func registerDefaultObjectPostSanitizer(_ sanitizer: YapDatabasePostSanitizer?) {
        changeDefault(.object) { $0.setPostSanitizer(sanitizer) }
    }

    /// How metadata becomes bytes.
    public func registerDefaultMetadataSerializer(_ serializer: @escaping YapDatabaseSerializer) {
        changeDefault(.metadata) { $0.setSerializer(serializer) }
    }

    /// How bytes become metadata.
    public func registerDefaultMetadataDeserializer(_ deserializer: @escaping YapDatabaseDeserializer) {
        changeDefault(.metadata) { $0.setDeserializer(deserializer) }
    }

    /// What is done with metadata before storing; nil for nothing.
    public func registerDefaultMetadataPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?) {
        changeDefault(.metadata) { $0.setPreSanitizer(sanitizer) }
    }

    /// What is done with metadata after storing; nil for nothing.
    public func registerDefaultMetadataPostSanitizer(_ sanitizer: YapDatabasePostSanitizer?) {
        changeDefault(.metadata) { $0.setPostSanitizer(sanitizer) }
    }
}
