import Foundation
import ListChanges

/// Registers blocks for objects alone or for metadata alone.
extension YapDatabase {
    // MARK: Objects

    /// Registers a serializer for objects of `collection`.
    ///
    /// Example: ``registerSerializer(_:forCollection:)``.
    ///
    /// - Parameters:
    ///   - serializer: encodes a value on the thread of the transaction that writes it.
    ///   - collection: nil is the collection `""`.
    public func registerObjectSerializer(
        _ serializer: @escaping YapDatabaseSerializer, forCollection collection: String?
    ) {
        change(.object, collection) { $0.setSerializer(serializer) }
    }

    /// Registers a deserializer for objects of `collection`.
    ///
    /// Example: ``registerSerializer(_:forCollection:)``.
    ///
    /// - Parameters:
    ///   - deserializer: decodes bytes on the thread of the transaction that reads them.
    ///   - collection: nil is the collection `""`.
    public func registerObjectDeserializer(
        _ deserializer: @escaping YapDatabaseDeserializer, forCollection collection: String?
    ) {
        change(.object, collection) { $0.setDeserializer(deserializer) }
    }

    /// Registers a sanitizer that runs before objects of `collection` are stored; nil restores the default.
    ///
    /// Example: ``registerPreSanitizer(_:forCollection:)``.
    ///
    /// - Parameters:
    ///   - sanitizer: returns the value to store and cache; runs on the thread of the transaction that writes it.
    ///   - collection: nil is the collection `""`.
    public func registerObjectPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?, forCollection collection: String?) {
        change(.object, collection) { $0.setPreSanitizer(sanitizer) }
    }

    /// Registers a sanitizer that runs after objects of `collection` were stored; nil restores the default.
    ///
    /// Example: ``registerPreSanitizer(_:forCollection:)``.
    ///
    /// - Parameters:
    ///   - sanitizer: runs after a value was written, on the thread of the transaction.
    ///   - collection: nil is the collection `""`.
    public func registerObjectPostSanitizer(_ sanitizer: YapDatabasePostSanitizer?, forCollection collection: String?) {
        change(.object, collection) { $0.setPostSanitizer(sanitizer) }
    }

    /// Registers a serializer for objects of each of `collections`.
    ///
    /// Example: ``registerSerializer(_:forCollection:)``.
    ///
    /// - Parameters:
    ///   - serializer: encodes a value on the thread of the transaction that writes it.
    ///   - deserializer: decodes bytes on the thread of the transaction that reads them.
    ///   - preSanitizer: returns the value to store and cache; runs on the thread of the transaction that writes it. Nil for none.
    ///   - postSanitizer: runs after a value was written, on the thread of the transaction. Nil for none.
    ///   - collections: the collections, each with these blocks.
    public func registerObjectSerializer(
        _ serializer: @escaping YapDatabaseSerializer, deserializer: @escaping YapDatabaseDeserializer,
        preSanitizer: YapDatabasePreSanitizer? = nil, postSanitizer: YapDatabasePostSanitizer? = nil,
        forCollections collections: [String]
    ) {
        change(.object, collections, serializer, deserializer, preSanitizer, postSanitizer)
    }

    // MARK: Metadata

    /// Registers a serializer for metadata of `collection`.
    ///
    /// Example: ``registerSerializer(_:forCollection:)``.
    ///
    /// - Parameters:
    ///   - serializer: encodes a value on the thread of the transaction that writes it.
    ///   - collection: nil is the collection `""`.
    public func registerMetadataSerializer(
        _ serializer: @escaping YapDatabaseSerializer, forCollection collection: String?
    ) {
        change(.metadata, collection) { $0.setSerializer(serializer) }
    }

    /// Registers a deserializer for metadata of `collection`.
    ///
    /// Example: ``registerSerializer(_:forCollection:)``.
    ///
    /// - Parameters:
    ///   - deserializer: decodes bytes on the thread of the transaction that reads them.
    ///   - collection: nil is the collection `""`.
    public func registerMetadataDeserializer(
        _ deserializer: @escaping YapDatabaseDeserializer, forCollection collection: String?
    ) {
        change(.metadata, collection) { $0.setDeserializer(deserializer) }
    }

    /// Registers a sanitizer that runs before metadata of `collection` is stored; nil restores the default.
    ///
    /// Example: ``registerPreSanitizer(_:forCollection:)``.
    ///
    /// - Parameters:
    ///   - sanitizer: returns the value to store and cache; runs on the thread of the transaction that writes it.
    ///   - collection: nil is the collection `""`.
    public func registerMetadataPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?, forCollection collection: String?) {
        change(.metadata, collection) { $0.setPreSanitizer(sanitizer) }
    }

    /// Registers a sanitizer that runs after metadata of `collection` was stored; nil restores the default.
    ///
    /// Example: ``registerPreSanitizer(_:forCollection:)``.
    ///
    /// - Parameters:
    ///   - sanitizer: runs after a value was written, on the thread of the transaction.
    ///   - collection: nil is the collection `""`.
    public func registerMetadataPostSanitizer(
        _ sanitizer: YapDatabasePostSanitizer?, forCollection collection: String?
    ) {
        change(.metadata, collection) { $0.setPostSanitizer(sanitizer) }
    }

    /// Registers a serializer for metadata of each of `collections`.
    ///
    /// Example: ``registerSerializer(_:forCollection:)``.
    ///
    /// - Parameters:
    ///   - serializer: encodes a value on the thread of the transaction that writes it.
    ///   - deserializer: decodes bytes on the thread of the transaction that reads them.
    ///   - preSanitizer: returns the value to store and cache; runs on the thread of the transaction that writes it. Nil for none.
    ///   - postSanitizer: runs after a value was written, on the thread of the transaction. Nil for none.
    ///   - collections: the collections, each with these blocks.
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
    ///
    /// It runs on the thread of the transaction.
    ///
    /// Example: ``registerDefaultSerializer(_:)``.
    public func registerDefaultObjectSerializer(_ serializer: @escaping YapDatabaseSerializer) {
        changeDefault(.object) { $0.setSerializer(serializer) }
    }

    /// Registers the default deserializer of objects.
    ///
    /// It runs on the thread of the transaction.
    ///
    /// Example: ``registerDefaultSerializer(_:)``.
    public func registerDefaultObjectDeserializer(_ deserializer: @escaping YapDatabaseDeserializer) {
        changeDefault(.object) { $0.setDeserializer(deserializer) }
    }

    /// Registers the default sanitizer that runs before objects are stored; nil removes it.
    ///
    /// It runs on the thread of the transaction that writes the value.
    ///
    /// Example: ``registerPreSanitizer(_:forCollection:)``.
    public func registerDefaultObjectPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?) {
        changeDefault(.object) { $0.setPreSanitizer(sanitizer) }
    }

    /// Registers the default sanitizer that runs after objects were stored; nil removes it.
    ///
    /// It runs on the thread of the transaction that writes the value.
    ///
    /// Example: ``registerPreSanitizer(_:forCollection:)``.
    public func registerDefaultObjectPostSanitizer(_ sanitizer: YapDatabasePostSanitizer?) {
        changeDefault(.object) { $0.setPostSanitizer(sanitizer) }
    }

    /// Registers the default serializer of metadata.
    ///
    /// It runs on the thread of the transaction.
    ///
    /// Example: ``registerDefaultSerializer(_:)``.
    public func registerDefaultMetadataSerializer(_ serializer: @escaping YapDatabaseSerializer) {
        changeDefault(.metadata) { $0.setSerializer(serializer) }
    }

    /// Registers the default deserializer of metadata.
    ///
    /// It runs on the thread of the transaction.
    ///
    /// Example: ``registerDefaultSerializer(_:)``.
    public func registerDefaultMetadataDeserializer(_ deserializer: @escaping YapDatabaseDeserializer) {
        changeDefault(.metadata) { $0.setDeserializer(deserializer) }
    }

    /// Registers the default sanitizer that runs before metadata is stored; nil removes it.
    ///
    /// It runs on the thread of the transaction that writes the value.
    ///
    /// Example: ``registerPreSanitizer(_:forCollection:)``.
    public func registerDefaultMetadataPreSanitizer(_ sanitizer: YapDatabasePreSanitizer?) {
        changeDefault(.metadata) { $0.setPreSanitizer(sanitizer) }
    }

    /// Registers the default sanitizer that runs after metadata was stored; nil removes it.
    ///
    /// It runs on the thread of the transaction that writes the value.
    ///
    /// Example: ``registerPreSanitizer(_:forCollection:)``.
    public func registerDefaultMetadataPostSanitizer(_ sanitizer: YapDatabasePostSanitizer?) {
        changeDefault(.metadata) { $0.setPostSanitizer(sanitizer) }
    }
}
