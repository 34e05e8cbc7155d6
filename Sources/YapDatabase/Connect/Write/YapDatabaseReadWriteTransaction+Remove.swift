import ListChanges

extension YapDatabaseReadWriteTransaction {
    /// Removes a row. Does nothing if there is no such row.
    ///
    /// ```swift
    /// try transaction.removeObject(forKey: "dune", inCollection: "books")
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the row.
    ///   - collection: the collection of the row; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    public func removeObject(forKey key: String, inCollection collection: String? = nil) throws {
        try remove(RowKey(collection: collection ?? "", key: key))
    }

    /// Removes rows of one collection and notifies extensions once. Ignores keys without a row.
    ///
    /// ```swift
    /// try transaction.removeObjects(forKeys: ["dune", "solaris"], inCollection: "books")
    /// ```
    ///
    /// - Parameters:
    ///   - keys: the keys of the rows.
    ///   - collection: the collection of the rows; nil is the collection `""`.
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    public func removeObjects(forKeys keys: [String], inCollection collection: String? = nil) throws {
        try remove(keys.map { RowKey(collection: collection ?? "", key: $0) })
    }

    /// Removes every row of a collection. Decodes nothing. O(rows of the collection).
    ///
    /// ```swift
    /// try transaction.removeAllObjects(inCollection: "books")
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    public func removeAllObjects(inCollection collection: String?) throws {
        let collection = collection ?? ""
        try rowStep(in: collection) {
            if isObserved(collection) {
                try willRemove(allKeys(inCollection: collection).map { RowKey(collection: collection, key: $0) })
            }
            try willReplaceAll(inCollection: collection)
            let removed = try store.removeRows(inCollection: collection)
            guard !removed.isEmpty else { return }
            try noteRowsChange(in: collection)
            noteRemoved(removed)
            connection.caches.removeCollection(collection)
            shared = shared.filter { !$0.key.collection.hasSameBytes(as: collection) }
            changes.clear(collection)
            if leftOutRows.hasRows { for row in removed { leftOutRows.remove(row.rowid) } }
            try forEachDormantContent { try $0.removeRows(removed.map(\.rowid), store) }
            try notifyExtensions(ofRowsIn: collection) { try $0.didRemove(removed) }
        }
    }

    /// Removes every row of the database, and empties every extension. Decodes nothing.
    ///
    /// ```swift
    /// try transaction.removeAllObjectsInAllCollections()
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `badExtension`, `diskFull`, `inputOutput` or `corrupt`, after which the transaction is
    ///   lost; `transactionFailed` if it was lost before. Also what a block of an extension throws.
    public func removeAllObjectsInAllCollections() throws {
        try rowStep(in: nil) {
            guard try store.hasRows() else { return }
            try willReplaceAll(inCollection: nil)
            try notifyExtensions(ofRowsIn: nil) { try $0.willRemoveAll() }
            try noteRowsChange(in: nil)
            try store.removeAllRows()
            connection.caches.removeAll()
            shared = [:]
            changes.clearAll()
            if leftOutRows.hasRows {
                leftOutRows.removeAll()
                for (name, one) in extensions where one.isPersistent {
                    try store.setOtherLeftOutRows(0, extension: name)
                }
            }
            try forEachDormantContent { try $0.removeAllRows(store) }
            try notifyExtensions(ofRowsIn: nil) { try $0.didRemoveAll() }
        }
    }

    func remove(_ key: RowKey) throws { try remove([key]) }

    /// Removes rows of any collections and notifies extensions once. Ignores keys without a row.
    package func remove(_ keys: [RowKey]) throws {
        guard !keys.isEmpty else { return }
        try rowStep(in: keys[0].collection) {
            if isObserved(keys[0].collection) { try willRemove(keys.filter { try rowid(forKey: $0) != nil }) }
            for key in keys { try willReplace(key) }
            try didRemove(store.removeRows(keys))
        }
    }

    /// Removes rows by their rowids, for extensions. Ignores rowids without a row.
    func removeRows(_ rowids: [Int64]) throws {
        try rowStep(in: nil) {
            if isObserved("") { try willRemove(rowids.compactMap { try key(forRowid: $0) }) }
            if recording != nil {
                for rowid in rowids { if let key = try key(forRowid: rowid) { try willReplace(key) } }
            }
            try didRemove(store.removeRows(rowids))
        }
    }

    private func willRemove(_ keys: [RowKey]) throws {
        if !keys.isEmpty { try notifyObservers { try $0.willRemove(keys) } }
    }

    private func didRemove(_ removed: [RemovedRow]) throws {
        guard !removed.isEmpty else { return }
        for row in removed {
            connection.caches.removeRow(row.key)
            shared[row.key] = nil
            changes.change(.removed, for: row.key)
        }
        if leftOutRows.hasRows { for row in removed { leftOutRows.remove(row.rowid) } }
        for row in removed { try noteRowsChange(in: row.key.collection) }
        noteRemoved(removed)
        try forEachDormantContent { try $0.removeRows(removed.map(\.rowid), store) }
        // Derived rows are removed by themselves.
        try notifyExtensions(ofRowsIn: removed[0].key.collection) { try $0.didRemove(removed) }
    }
}
