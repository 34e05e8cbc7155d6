import ListChanges

/// Access to rows by rowid, for extensions.
extension YapDatabaseReadTransaction {
    /// Returns nil if there is no such row.
    func rowid(forKey key: RowKey) throws -> Int64? {
        if let cached = try caches.rowid(forKey: key) { return cached }
        guard let rowid = try store.rowid(forKey: key) else { return nil }
        connection.caches.setRowid(rowid, key)
        return rowid
    }

    /// Returns nil if there is no such row.
    func key(forRowid rowid: Int64) throws -> RowKey? {
        if let cached = try caches.key(forRowid: rowid) { return cached }
        guard let key = try store.key(forRowid: rowid) else { return nil }
        connection.caches.setRowid(rowid, key)
        return key
    }

    /// The object of a row that must exist.
    func object(forRowid rowid: Int64, key: RowKey) throws -> Any {
        if let cached = try caches.object(key) { return cached }
        let object = try store.row(.rowid(rowid), .object) { try decodeObject($0, key) }
        guard let object else { throw missing(rowid, key) }
        connection.caches.setObject(object, key)
        return object
    }

    /// The object of a row that must exist, as a value of the type that its collection is declared with.
    /// - Parameter keeps: whether the value goes into the cache.
    func value<Value: Decodable>(
        of type: Value.Type, forRowid rowid: Int64, key: RowKey, keeps: Bool
    ) throws -> Value {
        guard let value = try value(of: type, .rowid(rowid), key, keeps: keeps) else { throw missing(rowid, key) }
        return value
    }

    /// The metadata of a row that must exist; nil if it has none.
    func metadata(forRowid rowid: Int64, key: RowKey) throws -> Any? {
        if let cached = try caches.metadata(key) { return cached }
        let metadata = try store.row(.rowid(rowid), .metadata) { try decodeMetadata($0, key) }
        guard let metadata else { throw missing(rowid, key) }
        connection.caches.setMetadata(metadata, key)
        return metadata
    }

    private func missing(_ rowid: Int64, _ key: RowKey) -> YapDatabaseError {
        YapDatabaseError(
            .corrupt,
            "\(key) should be row \(rowid), which does not exist. Run `yap check`; a view with another tag is rebuilt.")
    }
}
