import ListChanges

/// Counts and lists rows and collections. Decodes nothing.
extension YapDatabaseReadTransaction {
    /// The number of collections that hold a row. Costs one search for each.
    public func numberOfCollections() throws -> Int { try store.collections().count }

    /// The names of all collections that hold a row, in byte order. Costs one search for each.
    ///
    /// - Throws: also ``YapDatabaseError`` with code `corrupt` if a damaged name is not UTF-8 text, because no name could
    ///   address its rows.
    public func allCollections() throws -> [String] { try store.collections() }

    /// The number of rows of the collection. O(rows of the collection), in the index.
    public func numberOfKeys(inCollection collection: String?) throws -> Int {
        try store.count(inCollection: collection ?? "")
    }

    /// The number of all rows. O(rows), in the index.
    public func numberOfKeysInAllCollections() throws -> Int { try store.countOfAllRows() }

    /// The keys of a collection, in byte order.
    public func allKeys(inCollection collection: String?) throws -> [String] {
        var keys: [String] = []
        try iterateKeys(inCollection: collection) { key, _ in keys.append(key) }
        return keys
    }

    /// Calls the closure for each collection that holds a row, in byte order of the names.
    public func iterateCollections(_ body: (_ collection: String, _ stop: inout Bool) throws -> Void) throws {
        try each(store.collections(), body)
    }

    /// Calls the closure for each collection that holds a row with this key.
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
    public func enumerateObjects(
        forKeys keys: [String], inCollection collection: String?,
        unorderedUsing body: (_ index: Int, _ object: Any?, _ stop: inout Bool) throws -> Void
    ) throws {
        try each(Array(keys.enumerated())) { item, stop in
            try body(item.offset, object(forKey: item.element, inCollection: collection), &stop)
        }
    }

    /// Calls the closure with each row's metadata; nil for rows without metadata and keys without a row.
    public func enumerateMetadata(
        forKeys keys: [String], inCollection collection: String?,
        unorderedUsing body: (_ index: Int, _ metadata: Any?, _ stop: inout Bool) throws -> Void
    ) throws {
        try each(Array(keys.enumerated())) { item, stop in
            try body(item.offset, metadata(forKey: item.element, inCollection: collection), &stop)
        }
    }

    /// Calls the closure with each row's object and metadata; nil for keys without a row.
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
