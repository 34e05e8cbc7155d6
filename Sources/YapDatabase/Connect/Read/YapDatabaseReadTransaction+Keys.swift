import ListChanges

/// Counts and lists rows and collections. Decodes nothing.
extension YapDatabaseReadTransaction {
    /// The number of collections that hold a row. Costs one search for each.
    ///
    /// ```swift
    /// print(try transaction.numberOfCollections(), try transaction.allCollections())   // 2 ["books", "people"]
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func numberOfCollections() throws -> Int { try store.collections().count }

    /// The names of all collections that hold a row, in byte order. Costs one search for each.
    ///
    /// Example: ``numberOfCollections()``.
    ///
    /// - Throws: also ``YapDatabaseError`` with code `corrupt` if a damaged name is not UTF-8 text, because no name could
    ///   address its rows.
    public func allCollections() throws -> [String] { try store.collections() }

    /// The number of rows of the collection. O(rows of the collection), in the index.
    ///
    /// ```swift
    /// let count = try transaction.numberOfKeys(inCollection: "books")
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func numberOfKeys(inCollection collection: String?) throws -> Int {
        try store.count(inCollection: collection ?? "")
    }

    /// The number of all rows. O(rows), in the index.
    ///
    /// Example: ``numberOfKeys(inCollection:)``.
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func numberOfKeysInAllCollections() throws -> Int { try store.countOfAllRows() }

    /// The keys of a collection, in byte order.
    ///
    /// O(rows of the collection), in the index.
    ///
    /// ```swift
    /// let keys = try transaction.allKeys(inCollection: "books")
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func allKeys(inCollection collection: String?) throws -> [String] {
        var keys: [String] = []
        try iterateKeys(inCollection: collection) { key, _ in keys.append(key) }
        return keys
    }

    /// Calls the closure for each collection that holds a row, in byte order of the names.
    ///
    /// Costs one search for each.
    ///
    /// ```swift
    /// try transaction.iterateCollections { collection, stop in
    ///     print(collection, try transaction.numberOfKeys(inCollection: collection))
    /// }
    /// ```
    ///
    /// - Parameter body: called on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the closure throws; ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be
    ///   read.
    public func iterateCollections(_ body: (_ collection: String, _ stop: inout Bool) throws -> Void) throws {
        try each(store.collections(), body)
    }

    /// Calls the closure for each collection that holds a row with this key.
    ///
    /// Costs one search for each collection of the database.
    ///
    /// ```swift
    /// try transaction.enumerateCollections(forKey: "dune") { collection, stop in print(collection) }
    /// ```
    ///
    /// - Parameter body: called on the thread of the transaction; sets `stop` to end.
    /// - Throws: what the closure throws; ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be
    ///   read.
    public func enumerateCollections(
        forKey key: String, using body: (_ collection: String, _ stop: inout Bool) throws -> Void
    ) throws {
        try each(store.collections(forKey: key), body)
    }

    private func each<Item>(_ items: [Item], _ body: (Item, inout Bool) throws -> Void) throws {
        var stop = false
        for item in items where !stop { try body(item, &stop) }
    }
}

/// Enumerations of the rows of a list of keys, in its order, with the key's index in the list. A key without a row has nil.
extension YapDatabaseReadTransaction {
    /// Calls the closure with each object; nil for keys without a row.
    ///
    /// Costs as much as ``object(forKey:inCollection:)`` for each key.
    ///
    /// ```swift
    /// try transaction.enumerateObjects(forKeys: ["dune", "solaris"], inCollection: "books") { index, object, stop in
    ///     print(index, object ?? "no such row")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - keys: the keys of the rows.
    ///   - collection: the collection of the rows; nil is the collection `""`.
    ///   - body: called on the thread of the transaction, in the order of `keys`; sets `stop` to end.
    /// - Throws: what the block throws, and ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`,
    ///   `inputOutput` or `interrupted` if the file cannot be read.
    public func enumerateObjects(
        forKeys keys: [String], inCollection collection: String?,
        unorderedUsing body: (_ index: Int, _ object: Any?, _ stop: inout Bool) throws -> Void
    ) throws {
        try each(Array(keys.enumerated())) { item, stop in
            try body(item.offset, object(forKey: item.element, inCollection: collection), &stop)
        }
    }

    /// Calls the closure with each row's metadata; nil for rows without metadata and keys without a row.
    ///
    /// Example: ``enumerateObjects(forKeys:inCollection:unorderedUsing:)``.
    ///
    /// - Parameters:
    ///   - keys: the keys of the rows.
    ///   - collection: the collection of the rows; nil is the collection `""`.
    ///   - body: called on the thread of the transaction, in the order of `keys`; sets `stop` to end.
    /// - Throws: what the block throws, and ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`,
    ///   `inputOutput` or `interrupted` if the file cannot be read.
    public func enumerateMetadata(
        forKeys keys: [String], inCollection collection: String?,
        unorderedUsing body: (_ index: Int, _ metadata: Any?, _ stop: inout Bool) throws -> Void
    ) throws {
        try each(Array(keys.enumerated())) { item, stop in
            try body(item.offset, metadata(forKey: item.element, inCollection: collection), &stop)
        }
    }

    /// Calls the closure with each row's object and metadata; nil for keys without a row.
    ///
    /// Example: ``enumerateObjects(forKeys:inCollection:unorderedUsing:)``.
    ///
    /// - Parameters:
    ///   - keys: the keys of the rows.
    ///   - collection: the collection of the rows; nil is the collection `""`.
    ///   - body: called on the thread of the transaction, in the order of `keys`; sets `stop` to end.
    /// - Throws: what the block throws, and ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`,
    ///   `inputOutput` or `interrupted` if the file cannot be read.
    public func enumerateRows(
        forKeys keys: [String], inCollection collection: String?,
        unorderedUsing body: (_ index: Int, _ object: Any?, _ metadata: Any?, _ stop: inout Bool) throws -> Void
    ) throws {
        try each(Array(keys.enumerated())) { item, stop in
            let row = try row(forKey: item.element, inCollection: collection)
            try body(item.offset, row?.object, row?.metadata, &stop)
        }
    }
}

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
