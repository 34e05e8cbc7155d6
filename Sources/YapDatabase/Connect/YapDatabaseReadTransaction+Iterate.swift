import ListChanges

/// Enumerations of one collection's rows, in the order of their keys' bytes.
///
/// All of them end when the closure sets `stop`, and rethrow its errors. `keyRange` limits the keys. The filter receives the
/// keys first, and rows that it rejects are not decoded. If the closure takes a type, a value of another type throws
/// ``YapDatabaseError/Code-swift.enum/decodingFailed``.
extension YapDatabaseReadTransaction {
    /// Keys of a collection. Reads the index only.
    public func iterateKeys(
        inCollection collection: String?, keyRange: Range<String>? = nil,
        using body: (_ key: String, _ stop: inout Bool) throws -> Void
    ) throws {
        try scan(.collection(collection ?? "", keyRange), .keys) { try body($0.key.key, &$1) }
    }

    /// Keys and objects of a collection.
    public func iterateKeysAndObjects<Object>(
        inCollection collection: String?, keyRange: Range<String>? = nil,
        using body: (_ key: String, _ object: Object, _ stop: inout Bool) throws -> Void,
        filter: (String) throws -> Bool = { _ in true }
    ) throws {
        try scan(.collection(collection ?? "", keyRange), .values, where: { try filter($0.key) }) {
            try body($0.key.key, $0.object(as: Object.self), &$1)
        }
    }

    /// Keys and metadata of a collection; nil for a row without metadata.
    public func iterateKeysAndMetadata<Metadata>(
        inCollection collection: String?, keyRange: Range<String>? = nil,
        using body: (_ key: String, _ metadata: Metadata?, _ stop: inout Bool) throws -> Void,
        filter: (String) throws -> Bool = { _ in true }
    ) throws {
        try scan(.collection(collection ?? "", keyRange), .values, where: { try filter($0.key) }) {
            try body($0.key.key, $0.metadata(as: Metadata.self), &$1)
        }
    }

    /// Keys, objects and metadata of a collection.
    public func iterateRows<Object, Metadata>(
        inCollection collection: String?, keyRange: Range<String>? = nil,
        using body: (_ key: String, _ object: Object, _ metadata: Metadata?, _ stop: inout Bool) throws -> Void,
        filter: (String) throws -> Bool = { _ in true }
    ) throws {
        try scan(.collection(collection ?? "", keyRange), .values, where: { try filter($0.key) }) {
            try body($0.key.key, $0.object(as: Object.self), $0.metadata(as: Metadata.self), &$1)
        }
    }
}

extension ScannedRow {
    func object<Object>(as type: Object.Type) throws -> Object { try cast(object(), "object", key) }

    func metadata<Metadata>(as type: Metadata.Type) throws -> Metadata? {
        try metadata().map { try cast($0, "metadata", key) }
    }
}

/// Casts a value to the type that the caller requested.
func cast<Value>(_ value: Any, _ role: String, _ key: @autoclosure () -> RowKey) throws -> Value {
    // The usual case takes a fifth of the time of a cast, which also looks for conversions.
    func same<Stored>(_ value: Stored) -> Value? {
        Stored.self == Value.self ? unsafeBitCast(value, to: Value.self) : nil
    }
    if let value = _openExistential(value, do: same) { return value }
    if let value = value as? Value { return value }
    throw YapDatabaseError(
        .decodingFailed,
        "The \(role) of \(key()) is of type \(type(of: value)), not \(Value.self). Request that type, or Any.")
}

/// Enumerations of every row, in unspecified order. Filters, types and errors are as for one collection.
extension YapDatabaseReadTransaction {
    /// Collections and keys of all rows. Reads the index only.
    public func iterateKeysInAllCollections(
        _ body: (_ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
    ) throws {
        try scan(.all, .keys) { try body($0.key.collection, $0.key.key, &$1) }
    }

    /// Collections, keys and objects of all rows.
    public func iterateKeysAndObjectsInAllCollections<Object>(
        _ body: (_ collection: String, _ key: String, _ object: Object, _ stop: inout Bool) throws -> Void,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true }
    ) throws {
        try scan(.all, .values, where: { try filter($0.collection, $0.key) }) {
            try body($0.key.collection, $0.key.key, $0.object(as: Object.self), &$1)
        }
    }

    /// Collections, keys and metadata of all rows; nil for a row without metadata.
    public func iterateKeysAndMetadataInAllCollections<Metadata>(
        _ body: (_ collection: String, _ key: String, _ metadata: Metadata?, _ stop: inout Bool) throws -> Void,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true }
    ) throws {
        try scan(.all, .values, where: { try filter($0.collection, $0.key) }) {
            try body($0.key.collection, $0.key.key, $0.metadata(as: Metadata.self), &$1)
        }
    }

    /// Collections, keys, objects and metadata of all rows.
    public func iterateRowsInAllCollections<Object, Metadata>(
        _ body: (
            _ collection: String, _ key: String, _ object: Object, _ metadata: Metadata?, _ stop: inout Bool
        ) throws -> Void,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true }
    ) throws {
        try scan(.all, .values, where: { try filter($0.collection, $0.key) }) {
            try body(
                $0.key.collection, $0.key.key, $0.object(as: Object.self), $0.metadata(as: Metadata.self), &$1)
        }
    }
}

/// Enumerations whose closures receive `Any`.
extension YapDatabaseReadTransaction {
    /// Keys and objects of a collection. Ordered, filtered and stopped like the typed form.
    public func iterateKeysAndObjects(
        inCollection collection: String?, keyRange: Range<String>? = nil,
        using body: (_ key: String, _ object: Any, _ stop: inout Bool) throws -> Void,
        filter: (String) throws -> Bool = { _ in true }
    ) throws {
        try scan(.collection(collection ?? "", keyRange), .values, where: { try filter($0.key) }) {
            try body($0.key.key, $0.object(), &$1)
        }
    }

    /// Keys and metadata of a collection; nil for a row without metadata. Ordered, filtered and stopped like the typed form.
    public func iterateKeysAndMetadata(
        inCollection collection: String?, keyRange: Range<String>? = nil,
        using body: (_ key: String, _ metadata: Any?, _ stop: inout Bool) throws -> Void,
        filter: (String) throws -> Bool = { _ in true }
    ) throws {
        try scan(.collection(collection ?? "", keyRange), .values, where: { try filter($0.key) }) {
            try body($0.key.key, $0.metadata(), &$1)
        }
    }

    /// Keys, objects and metadata of a collection. Ordered, filtered and stopped like the typed form.
    public func iterateRows(
        inCollection collection: String?, keyRange: Range<String>? = nil,
        using body: (_ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool) throws -> Void,
        filter: (String) throws -> Bool = { _ in true }
    ) throws {
        try scan(.collection(collection ?? "", keyRange), .values, where: { try filter($0.key) }) {
            try body($0.key.key, $0.object(), $0.metadata(), &$1)
        }
    }

    /// Collections, keys and objects of all rows. Ordered, filtered and stopped like the typed form.
    public func iterateKeysAndObjectsInAllCollections(
        _ body: (_ collection: String, _ key: String, _ object: Any, _ stop: inout Bool) throws -> Void,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true }
    ) throws {
        try scan(.all, .values, where: { try filter($0.collection, $0.key) }) {
            try body($0.key.collection, $0.key.key, $0.object(), &$1)
        }
    }

    /// Collections, keys and metadata of all rows; nil for a row without metadata. Ordered, filtered and stopped like the
    /// typed form.
    public func iterateKeysAndMetadataInAllCollections(
        _ body: (_ collection: String, _ key: String, _ metadata: Any?, _ stop: inout Bool) throws -> Void,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true }
    ) throws {
        try scan(.all, .values, where: { try filter($0.collection, $0.key) }) {
            try body($0.key.collection, $0.key.key, $0.metadata(), &$1)
        }
    }

    /// Collections, keys, objects and metadata of all rows. Ordered, filtered and stopped like the typed form.
    public func iterateRowsInAllCollections(
        _ body: (
            _ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool
        ) throws -> Void,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true }
    ) throws {
        try scan(.all, .values, where: { try filter($0.collection, $0.key) }) {
            try body($0.key.collection, $0.key.key, $0.object(), $0.metadata(), &$1)
        }
    }
}
