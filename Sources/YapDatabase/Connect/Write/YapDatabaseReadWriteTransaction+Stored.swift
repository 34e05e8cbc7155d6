import Foundation
import ListChanges

/// Writing rows that arrive as bytes. Nothing is decoded unless an extension looks at it.
extension YapDatabaseReadWriteTransaction {
    /// Stores both values of a row: a new row, or new values of an existing one.
    package func setStored(_ key: RowKey, object: Data, metadata: Data?) throws {
        if let rowid = try rowid(forKey: key) {
            return try changeStored(rowid, key, [.object, .metadata], size: object.count + (metadata?.count ?? 0)) {
                try store.updateRow(rowid, object: object, metadata: metadata)
            }
        }
        try insertStored(key, object: object, metadata: metadata)
    }

    /// Stores a new row. There must not be one of its key.
    package func insertStored(_ key: RowKey, object: Data, metadata: Data?) throws {
        try rowStep(in: key.collection) {
            if isObserved(key.collection) {
                let row = PendingWrite(
                    key: key, isNew: true, flags: [.object, .metadata], isTouch: false, given: (nil, nil))
                try notifyObservers { try $0.willChange(row) }
            }
            try noteRowsChange(in: key.collection)
            try willReplace(key)
            guard let rowid = try store.insertRow(key, object: object, metadata: metadata) else {
                _ = try existingRowid(key)
                throw YapDatabaseError(
                    .transactionFailed, "An observer inserted \(key), which is about to be inserted.")
            }
            connection.caches.setRowid(rowid, key)
            changes.insert(key)
            written.note(key, nil)
            guard !extensions.isEmpty else { return }
            let row = ChangedRow(
                rowid: rowid, key: key, flags: [.object, .metadata], isTouch: false, given: (nil, nil),
                size: object.count + (metadata?.count ?? 0), transaction: self)
            try notifyExtensions(ofRowsIn: key.collection) { try $0.didInsert(row) }
        }
    }

    /// Replaces the object of an existing row.
    package func setStoredObject(_ key: RowKey, _ object: Data) throws {
        guard let rowid = try rowid(forKey: key) else { return }
        try changeStored(rowid, key, .object, size: object.count) { try store.updateObject(rowid, object) }
    }

    /// Replaces the metadata of an existing row; nil removes it.
    package func setStoredMetadata(_ key: RowKey, _ metadata: Data?) throws {
        guard let rowid = try rowid(forKey: key) else { return }
        try changeStored(rowid, key, .metadata, size: metadata?.count ?? 0) {
            try store.updateMetadata(rowid, metadata)
        }
    }

    private func changeStored(
        _ rowid: Int64, _ key: RowKey, _ flags: ChangeFlags, size: Int, _ write: () throws -> Void
    ) throws {
        try changeRow(rowid, key, flags, given: (nil, nil), size: size) {
            try write()
            connection.caches.removeValues(key)
            shared[key] = nil
            written.note(key, nil)
        }
    }
}

/// What a transaction has changed, as bytes.
package enum StoredChange {
    /// All rows of a collection were removed. What was written afterwards follows.
    case cleared(collection: String)
    /// All rows were removed. What was written afterwards follows.
    case clearedAll
    /// The row is gone.
    case removed(RowKey)
    /// The row is there and was changed; `isNew` if there was none before, or another one that was removed.
    case written(RowKey, isNew: Bool, object: Bool, metadata: Bool, bytes: StoredBytes)
}

/// The stored bytes of a row.
package struct StoredBytes {
    package var object: Data
    /// Nil if the row has no metadata.
    package var metadata: Data?

    package init(object: Data, metadata: Data?) { (self.object, self.metadata) = (object, metadata) }
}

extension YapDatabaseReadWriteTransaction {
    /// Whether rows of this state were changed so far.
    package var hasChangedRows: Bool { !changes.isEmpty }

    /// The number that the commit will have.
    package var numberOfCommit: Int { snapshot.number + 1 }

    /// The number of the state on which the transaction builds.
    package var numberBefore: Int { snapshot.number }

    /// Visits what was changed so far, each row once, as it is stored now: first removals of whole collections, then
    /// rows in no particular order. O(changed rows).
    package func forEachChange(
        inCollections isWanted: (String) -> Bool, _ body: (StoredChange) throws -> Void
    ) throws {
        let changes = changes.changes
        if changes.isAllCleared { try body(.clearedAll) }
        for collection in changes.clearedCollections where isWanted(collection.text) {
            try body(.cleared(collection: collection.text))
        }
        for (collection, kinds) in changes.rows where isWanted(collection.text) {
            for (name, kind) in kinds {
                let key = RowKey(collection: collection.text, key: name.text)
                guard let bytes = try storedBytes(key) else {
                    try body(.removed(key))
                    continue
                }
                try body(
                    .written(
                        key, isNew: kind.contains(.inserted), object: kind.contains(.object),
                        metadata: kind.contains(.metadata), bytes: bytes))
            }
        }
    }
}

extension YapDatabaseReadTransaction {
    /// The stored bytes of a row; nil if there is none.
    package func storedBytes(_ key: RowKey) throws -> StoredBytes? {
        try store.row(.key(key), .both) { row in
            StoredBytes(
                object: row.withObject { $0.map { Data($0) } ?? Data() },
                metadata: row.withMetadata { $0.map { Data($0) } })
        }
    }

    /// Visits the keys of all rows, by collection and key in the order of their bytes.
    package func forEachStoredKey(_ body: (RowKey) throws -> Void) throws {
        let cursor = try RowCursor(store, .all, .keys)
        while try cursor.next() { try body(cursor.key) }
    }

    /// A small value that belongs to the whole file, under a name of the library; nil if there is none.
    package func fileValue(_ name: String) throws -> String? { try store.yapText(extension: "", key: name) }
}

extension YapDatabaseReadWriteTransaction {
    /// Stores a small value that belongs to the whole file, under a name of the library.
    package func setFileValue(_ value: String, _ name: String) throws {
        try store.setYapValue(.text(value), extension: "", key: name)
    }

    /// Removes a small value that belongs to the whole file.
    func removeFileValue(_ name: String) throws { try store.removeYapValue(extension: "", key: name) }
}
