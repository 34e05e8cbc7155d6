import ListChanges

/// Enumerations of one collection's rows, in the order of their keys' bytes.
///
/// All of them end when the closure sets `stop`, and rethrow its errors. `keyRange` limits the keys. The filter receives the
/// keys first, and rows that it rejects are not decoded. If the closure takes a type, a value of another type throws
/// ``YapDatabaseError/Code-swift.enum/decodingFailed``.
extension YapDatabaseReadTransaction {
    /// Keys of a collection. Reads the index only.
    ///
    /// O(rows), or rows of the range.
    ///
    /// ```swift
    /// try transaction.iterateKeys(inCollection: "books", keyRange: "a"..<"b") { key, stop in print(key) }
    /// ```
    ///
    /// - Parameters:
    ///   - collection: the collection to read; nil is the collection `""`.
    ///   - keyRange: limits the keys, by their bytes; nil for all.
    ///   - body: called on the thread of the transaction for each row; sets `stop` to end.
    /// - Throws: what the closure throws; ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be
    ///   read.
    public func iterateKeys(
        inCollection collection: String?, keyRange: Range<String>? = nil,
        using body: (_ key: String, _ stop: inout Bool) throws -> Void
    ) throws {
        try scan(.collection(collection ?? "", keyRange), .keys) { try body($0.key.key, &$1) }
    }

    /// Keys and objects of a collection.
    ///
    /// O(rows), with one of them in memory at a time.
    ///
    /// ```swift
    /// try transaction.iterateKeysAndObjects(inCollection: "titles") { (key, title: String, stop) in
    ///     print(key, title)
    ///     stop = title == "Dune"
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - collection: the collection to read; nil is the collection `""`.
    ///   - keyRange: limits the keys, by their bytes; nil for all.
    ///   - body: called on the thread of the transaction for each row; sets `stop` to end.
    ///   - filter: receives the key first, on the same thread. Rows for which it returns false are not decoded.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if a value cannot be decoded or is of another
    ///   type; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
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
    ///
    /// O(rows), with one of them in memory at a time.
    ///
    /// ```swift
    /// try transaction.iterateKeysAndMetadata(inCollection: "titles") { (key, date: Date?, stop) in print(key, date ?? .now) }
    /// ```
    ///
    /// - Parameters:
    ///   - collection: the collection to read; nil is the collection `""`.
    ///   - keyRange: limits the keys, by their bytes; nil for all.
    ///   - body: called on the thread of the transaction for each row; sets `stop` to end.
    ///   - filter: receives the key first, on the same thread. Rows for which it returns false are not decoded.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if a value cannot be decoded or is of another
    ///   type; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
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
    ///
    /// O(rows), with one of them in memory at a time.
    ///
    /// ```swift
    /// try transaction.iterateRows(inCollection: "titles") { (key, title: String, date: Date?, stop) in
    ///     print(key, title)
    /// } filter: { key in
    ///     key.hasPrefix("d")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - collection: the collection to read; nil is the collection `""`.
    ///   - keyRange: limits the keys, by their bytes; nil for all.
    ///   - body: called on the thread of the transaction for each row; sets `stop` to end.
    ///   - filter: receives the key first, on the same thread. Rows for which it returns false are not decoded.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if a value cannot be decoded or is of another
    ///   type; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
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
    ///
    /// O(rows).
    ///
    /// ```swift
    /// try transaction.iterateKeysInAllCollections { collection, key, stop in print(collection, key) }
    /// ```
    ///
    /// - Parameter body: called on the thread of the transaction for each row; sets `stop` to end.
    /// - Throws: what the closure throws; ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be
    ///   read.
    public func iterateKeysInAllCollections(
        _ body: (_ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
    ) throws {
        try scan(.all, .keys) { try body($0.key.collection, $0.key.key, &$1) }
    }

    /// Collections, keys and objects of all rows.
    ///
    /// O(rows). `iterateKeysAndObjects` reads one collection.
    ///
    /// ```swift
    /// try transaction.iterateKeysAndObjectsInAllCollections { (collection, key, title: String, stop) in
    ///     print(key, title)
    /// } filter: { collection, key in
    ///     collection == "titles"
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - body: called on the thread of the transaction for each row; sets `stop` to end.
    ///   - filter: receives the key first, on the same thread. Rows for which it returns false are not decoded.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if a value cannot be decoded or is of another
    ///   type; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateKeysAndObjectsInAllCollections<Object>(
        _ body: (_ collection: String, _ key: String, _ object: Object, _ stop: inout Bool) throws -> Void,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true }
    ) throws {
        try scan(.all, .values, where: { try filter($0.collection, $0.key) }) {
            try body($0.key.collection, $0.key.key, $0.object(as: Object.self), &$1)
        }
    }

    /// Collections, keys and metadata of all rows; nil for a row without metadata.
    ///
    /// O(rows).
    ///
    /// Example: `iterateKeysAndObjectsInAllCollections`.
    ///
    /// - Parameters:
    ///   - body: called on the thread of the transaction for each row; sets `stop` to end.
    ///   - filter: receives the key first, on the same thread. Rows for which it returns false are not decoded.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if a value cannot be decoded or is of another
    ///   type; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func iterateKeysAndMetadataInAllCollections<Metadata>(
        _ body: (_ collection: String, _ key: String, _ metadata: Metadata?, _ stop: inout Bool) throws -> Void,
        filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true }
    ) throws {
        try scan(.all, .values, where: { try filter($0.collection, $0.key) }) {
            try body($0.key.collection, $0.key.key, $0.metadata(as: Metadata.self), &$1)
        }
    }

    /// Collections, keys, objects and metadata of all rows.
    ///
    /// O(rows).
    ///
    /// Example: `iterateKeysAndObjectsInAllCollections`.
    ///
    /// - Parameters:
    ///   - body: called on the thread of the transaction for each row; sets `stop` to end.
    ///   - filter: receives the key first, on the same thread. Rows for which it returns false are not decoded.
    /// - Throws: what the closures throw; ``YapDatabaseError`` with code `decodingFailed` if a value cannot be decoded or is of another
    ///   type; `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
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
