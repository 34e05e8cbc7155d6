import ListChanges

extension YapDatabaseReadWriteTransaction {
    /// Removes a row. Does nothing if there is no such row.
    public func removeObject(forKey key: String, inCollection collection: String? = nil) throws {
        try remove(RowKey(collection: collection ?? "", key: key))
    }

    /// Removes rows of one collection and notifies extensions once. Ignores keys without a row.
    public func removeObjects(forKeys keys: [String], inCollection collection: String? = nil) throws {
        try remove(keys.map { RowKey(collection: collection ?? "", key: $0) })
    }

    /// Removes every row of a collection.
    public func removeAllObjects(inCollection collection: String?) throws {
        let collection = collection ?? ""
        try rowStep {
            let removed = try store.removeRows(inCollection: collection)
            guard !removed.isEmpty else { return }
            try noteRowsChange()
            connection.caches.removeCollection(collection)
            shared = shared.filter { !$0.key.collection.hasSameBytes(as: collection) }
            changes.clear(collection)
            try notifyExtensions { try $0.didRemove(removed) }
        }
    }

    /// Removes every row of the database.
    public func removeAllObjectsInAllCollections() throws {
        try rowStep {
            guard try store.hasRows() else { return }
            try noteRowsChange()
            try store.removeAllRows()
            connection.caches.removeAll()
            shared = [:]
            changes.clearAll()
            try notifyExtensions { try $0.didRemoveAll() }
        }
    }

    func remove(_ key: RowKey) throws { try remove([key]) }

    private func remove(_ keys: [RowKey]) throws {
        guard !keys.isEmpty else { return }
        try rowStep {
            var removed: [RemovedRow] = []
            for key in keys {
                guard let rowid = try store.removeRow(key) else { continue }
                removed.append(RemovedRow(rowid: rowid, key: key))
                connection.caches.removeRow(key)
                shared[key] = nil
                changes.change(.removed, for: key)
            }
            guard !removed.isEmpty else { return }
            try noteRowsChange()
            try notifyExtensions { try $0.didRemove(removed) }
        }
    }
}
