import Foundation
import ListChanges

extension YapDatabaseReadTransaction {
    /// Returns the object of a row; nil if there is no such row. Cast it to the stored type.
    ///
    /// A cached object costs a dictionary lookup, others an indexed query and decoding.
    ///
    /// ```swift
    /// let title = try transaction.object(forKey: "dune", inCollection: "books") as? String
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func object(forKey key: String, inCollection collection: String? = nil) throws -> Any? {
        try object(RowKey(collection: collection ?? "", key: key))
    }

    /// Returns the metadata of a row; nil if it has none or there is no such row.
    ///
    /// ```swift
    /// let date = try transaction.metadata(forKey: "dune", inCollection: "books") as? Date
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func metadata(forKey key: String, inCollection collection: String? = nil) throws -> Any? {
        try metadata(RowKey(collection: collection ?? "", key: key))
    }

    /// Returns the object and metadata of a row; nil if there is no such row.
    ///
    /// ```swift
    /// if let row = try transaction.row(forKey: "dune", inCollection: "books") { print(row.object, row.metadata ?? "none") }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func row(
        forKey key: String, inCollection collection: String? = nil
    ) throws -> (object: Any, metadata: Any?)? {
        try row(RowKey(collection: collection ?? "", key: key))
    }

    /// Whether the row exists. Decodes nothing.
    ///
    /// A key of the cache costs a dictionary lookup, others an indexed query.
    ///
    /// ```swift
    /// guard try transaction.hasObject(forKey: "dune", inCollection: "books") else { return }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func hasObject(forKey key: String, inCollection collection: String? = nil) throws -> Bool {
        try rowid(forKey: RowKey(collection: collection ?? "", key: key)) != nil
    }

    /// Returns the stored bytes of the object; nil if there is no such row.
    ///
    /// Costs an indexed query. Does not use the caches.
    ///
    /// ```swift
    /// let bytes = try transaction.serializedObject(forKey: "dune", inCollection: "books")?.count
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func serializedObject(forKey key: String, inCollection collection: String? = nil) throws -> Data? {
        try serializedRow(forKey: key, inCollection: collection)?.object
    }

    /// Returns the stored bytes of the metadata; nil if there are none.
    ///
    /// Costs an indexed query. Does not use the caches.
    ///
    /// Example: ``serializedObject(forKey:inCollection:)``.
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func serializedMetadata(forKey key: String, inCollection collection: String? = nil) throws -> Data? {
        try serializedRow(forKey: key, inCollection: collection)?.metadata
    }

    /// Returns the stored bytes of object and metadata; nil if there is no such row.
    ///
    /// Costs an indexed query. Does not use the caches.
    ///
    /// Example: ``serializedObject(forKey:inCollection:)``.
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func serializedRow(
        forKey key: String, inCollection collection: String? = nil
    ) throws -> (object: Data, metadata: Data?)? {
        try store.row(.key(RowKey(collection: collection ?? "", key: key)), .both) { row in
            (row.withObject { $0.map { Data($0) } ?? Data() }, row.withMetadata { $0.map { Data($0) } })
        }
    }
}

// MARK: Through the caches

extension YapDatabaseReadTransaction {
    func object(_ key: RowKey) throws -> Any? {
        if let cached = try caches.object(key) { return cached }
        let object = try store.row(.key(key), .object) { try decodeObject($0, key) }
        if let object { connection.caches.setObject(object, key) }
        return object
    }

    func metadata(_ key: RowKey) throws -> Any? {
        if let cached = try caches.metadata(key) { return cached }
        let metadata = try store.row(.key(key), .metadata) { try decodeMetadata($0, key) }
        guard let metadata else { return nil }
        connection.caches.setMetadata(metadata, key)
        return metadata
    }

    func row(_ key: RowKey) throws -> (object: Any, metadata: Any?)? {
        let caches = try caches
        let object = caches.object(key)
        let metadata = caches.metadata(key)
        switch (object, metadata) {
        case (let object?, let metadata?): return (object, metadata)
        case (let object?, nil): return (object, try self.metadata(key))
        case (nil, let metadata?): return try self.object(key).map { ($0, metadata) }
        case (nil, nil): return try readRow(key)
        }
    }

    private func readRow(_ key: RowKey) throws -> (object: Any, metadata: Any?)? {
        let row = try store.row(.key(key), .both) { row in
            (
                object: try decodeObject(row, key), metadata: try decodeMetadata(row, key)
            )
        }
        guard let row else { return nil }
        connection.caches.setObject(row.object, key)
        connection.caches.setMetadata(row.metadata, key)
        return row
    }
}

// MARK: Decoding

extension YapDatabaseReadTransaction {
    /// Returns a row's codings. Keeps those of the last collection, because rows are mostly accessed by collection.
    func coding(_ key: RowKey) -> RowCoding {
        if let lastCoding, lastCoding.collection.hasSameBytes(as: key.collection) { return lastCoding }
        let coding = codings.row(key.collection)
        lastCoding = coding
        connection.lastCoding = (coding, codings.version)
        return coding
    }

    func decodeObject(_ row: StoredRow, _ key: RowKey) throws -> Any {
        try row.withObject { try coding(key).object.decoded($0, key) }
    }

    /// Returns the object of a row as a value of the type that its collection is declared with, without a box around it.
    /// - Parameter keeps: whether the value goes into the cache.
    func value<Value: Decodable>(
        of type: Value.Type, _ address: RowAddress, _ key: RowKey, keeps: Bool = true
    ) throws -> Value? {
        let caches = try caches
        if let cached = caches.object(key) { return try cast(cached, "object", key) }
        let value: Value? = try store.row(address, .object) { try decodeObject($0, key, as: type) }
        if keeps, caches.keepsObjects, let value { caches.setObject(value, key) }
        return value
    }

    func decodeObject<Value: Decodable>(_ row: StoredRow, _ key: RowKey, as type: Value.Type) throws -> Value {
        guard let format = declaredFormat(of: type, key.collection) else {
            return try cast(decodeObject(row, key), "object", key)
        }
        return try row.withObject { try format.decode(type, $0, ofRow: { key }) }
    }

    /// The format of a collection, if it is declared with the type.
    func declaredFormat<Value>(of type: Value.Type, _ collection: String) -> YapDatabaseCodableFormat? {
        if let last = lastDeclaredCoding, last.collection.hasSameBytes(as: collection) {
            return last.type == ObjectIdentifier(type) ? last.format : nil
        }
        return codings.format(of: type, in: collection)
    }

    /// Returns nil if the row has no metadata.
    func decodeMetadata(_ row: StoredRow, _ key: RowKey) throws -> Any? {
        try row.withMetadata { bytes in
            guard let bytes else { return nil }
            return try coding(key).metadata.decoded(bytes, key)
        }
    }
}
