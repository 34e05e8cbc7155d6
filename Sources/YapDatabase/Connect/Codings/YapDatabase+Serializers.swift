import Foundation

/// Serializers and deserializers to register for collections.
extension YapDatabase {
    /// Returns the serializer used where no other is registered: keyed archives of property-list values and of classes
    /// with NSCoding.
    ///
    /// Example: ``registerDefaultSerializer(_:)``.
    public static func defaultSerializer() -> YapDatabaseSerializer {
        { try ValueCoding.keyedArchive.encode(RowKey(collection: $0, key: $1), $2) }
    }

    /// Returns a deserializer for the output of ``defaultSerializer()`` and for keyed archives of other runtimes.
    ///
    /// Example: ``registerDefaultSerializer(_:)``.
    public static func defaultDeserializer() -> YapDatabaseDeserializer {
        { _, _, data in try KeyedArchive.decode(data) }
    }

    /// Returns a serializer for binary property lists: strings, numbers, dates, data, and arrays and dictionaries of
    /// them. Faster than keyed archives, and the bytes are fewer.
    ///
    /// Example: ``registerDefaultSerializer(_:)``.
    public static func propertyListSerializer() -> YapDatabaseSerializer {
        { _, _, value in try BinaryPropertyList(plain: value).bytes() }
    }

    /// Returns a deserializer for the output of ``propertyListSerializer()``.
    ///
    /// Example: ``registerDefaultSerializer(_:)``.
    public static func propertyListDeserializer() -> YapDatabaseDeserializer {
        { _, _, data in try BinaryPropertyList.read(data).plain() }
    }

    /// Returns a serializer that stores a date as eight bytes (seconds since 2001 as a Double, in the machine's byte
    /// order) and any other value as a keyed archive.
    ///
    /// ```swift
    /// database.registerMetadataSerializer(YapDatabase.timestampSerializer(), forCollection: "messages")
    /// database.registerMetadataDeserializer(YapDatabase.timestampDeserializer(), forCollection: "messages")
    /// ```
    public static func timestampSerializer() -> YapDatabaseSerializer {
        { collection, key, value in
            guard let date = value as? Date else { return try defaultSerializer()(collection, key, value) }
            return withUnsafeBytes(of: date.timeIntervalSinceReferenceDate) { Data($0) }
        }
    }

    /// Returns a deserializer for the output of ``timestampSerializer()``.
    ///
    /// Example: ``timestampSerializer()``.
    public static func timestampDeserializer() -> YapDatabaseDeserializer {
        { collection, key, data in
            guard data.count == MemoryLayout<Double>.size else {
                return try defaultDeserializer()(collection, key, data)
            }
            return Date(timeIntervalSinceReferenceDate: data.withUnsafeBytes { $0.loadUnaligned(as: Double.self) })
        }
    }

    /// Returns a serializer that stores `Data` unchanged.
    ///
    /// Example: ``registerSerializer(_:forCollection:)``.
    public static func rawSerializer() -> YapDatabaseSerializer {
        { _, _, value in
            guard let data = value as? Data else { throw NotOfType(expected: Data.self, found: type(of: value)) }
            return data
        }
    }

    /// Returns a deserializer that returns the stored bytes as `Data`.
    ///
    /// Example: ``registerSerializer(_:forCollection:)``.
    public static func rawDeserializer() -> YapDatabaseDeserializer {
        { _, _, data in data }
    }

    /// Returns a serializer for one `Codable` type, as binary property lists or in the given format.
    ///
    /// ```swift
    /// database.registerObjectSerializer(YapDatabase.codableSerializer(Int.self), forCollection: "counters")
    /// database.registerObjectDeserializer(YapDatabase.codableDeserializer(Int.self), forCollection: "counters")
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the values. Another type throws `encodingFailed`.
    ///   - format: how values are stored.
    public static func codableSerializer<Value: Codable & SendableMetatype>(
        _ type: Value.Type, as format: YapDatabaseCodableFormat = .propertyList
    ) -> YapDatabaseSerializer {
        { _, _, value in
            guard let value = value as? Value else {
                throw NotOfType(expected: Value.self, found: Swift.type(of: value))
            }
            return try format.encode(value)
        }
    }

    /// Returns a deserializer for the output of ``codableSerializer(_:as:)`` in the same format.
    ///
    /// Example: ``codableSerializer(_:as:)``.
    ///
    /// - Parameters:
    ///   - type: the type of the values.
    ///   - format: how values are stored.
    public static func codableDeserializer<Value: Codable & SendableMetatype>(
        _ type: Value.Type, as format: YapDatabaseCodableFormat = .propertyList
    ) -> YapDatabaseDeserializer {
        { _, _, data in try data.withUnsafeBytes { try format.decode(Value.self, $0) } }
    }
}

extension YapDatabase {
    /// Lets the default coding read and write objects of a class under the name that it has in archives. Classes need
    /// `NSCoding`; the names of the original's archives are those of Objective-C, without a module.
    ///
    /// Call it when the program begins: an object of a class that is neither registered nor ``YapDatabaseArchivable`` cannot be stored
    /// (`encodingFailed`), because it could not be read again. It applies to all databases of the process.
    ///
    /// ```swift
    /// final class Note: NSObject, NSCoding {
    ///     override init() {}
    ///     required init?(coder: NSCoder) {}
    ///     func encode(with coder: NSCoder) {}
    /// }
    /// YapDatabase.registerArchivedClass(Note.self, as: "Note")
    /// ```
    ///
    /// - Parameters:
    ///   - type: a class with `NSCoding`.
    ///   - name: the name of the class in archives.
    public static func registerArchivedClass(_ type: (NSObject & NSCoding).Type, as name: String) {
        KeyedArchive.register(type, as: name)
    }
}
