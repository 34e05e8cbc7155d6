import ListChanges

/// Counting and listing. Nothing is decoded.
extension YapDatabaseReadTransaction {
    /// Costs one search for each collection.
    public func numberOfCollections() throws -> Int { try store.collections().count }

    /// The names of all collections that hold a row, in the order of their bytes. Costs one search for each.
    ///
    /// - Throws: also ``YapDatabaseError`` with code `corrupt` when the name of one is no text of UTF-8, as damage leaves it:
    ///   its rows could not be asked for by any name.
    public func allCollections() throws -> [String] { try store.collections() }

    /// Walks the collection's part of the index.
    public func numberOfKeys(inCollection collection: String?) throws -> Int {
        try store.count(inCollection: collection ?? "")
    }

    /// Walks the index.
    public func numberOfKeysInAllCollections() throws -> Int { try store.countOfAllRows() }

    /// The keys of a collection, in the order of their bytes.
    public func allKeys(inCollection collection: String?) throws -> [String] {
        var keys: [String] = []
        try iterateKeys(inCollection: collection) { key, _ in keys.append(key) }
        return keys
    }

    /// Calls the closure for each collection that holds a row, in the order of the names' bytes.
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

/// Rows of a list of keys, in the order of the list; the index is the key's place in it. A key without a row has nil.
extension YapDatabaseReadTransaction {
    /// Objects, nil for keys without a row.
    public func enumerateObjects(
        forKeys keys: [String], inCollection collection: String?,
        unorderedUsing body: (_ index: Int, _ object: Any?, _ stop: inout Bool) throws -> Void
    ) throws {
        try each(Array(keys.enumerated())) { item, stop in
            try body(item.offset, object(forKey: item.element, inCollection: collection), &stop)
        }
    }

    /// Metadata, nil for rows without and for keys without a row.
    public func enumerateMetadata(
        forKeys keys: [String], inCollection collection: String?,
        unorderedUsing body: (_ index: Int, _ metadata: Any?, _ stop: inout Bool) throws -> Void
    ) throws {
        try each(Array(keys.enumerated())) { item, stop in
            try body(item.offset, metadata(forKey: item.element, inCollection: collection), &stop)
        }
    }

    /// Objects and metadata, nil for keys without a row.
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
