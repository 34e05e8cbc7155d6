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
        try rowStep {
            if isObserved {
                let row = ComingRow(
                    key: key, isNew: true, flags: [.object, .metadata], isTouch: false, given: (nil, nil))
                try notifyObservers { try $0.willChange(row) }
            }
            try noteRowsChange(in: key.collection)
            guard let rowid = try store.insertRow(key, object: object, metadata: metadata) else {
                _ = try existingRowid(key)
                throw YapDatabaseError(
                    .transactionFailed, "An observer inserted \(key), which is about to be inserted.")
            }
            connection.caches.setRowid(rowid, key)
            changes.insert(key)
            guard !extensions.isEmpty else { return }
            let row = ChangedRow(
                rowid: rowid, key: key, flags: [.object, .metadata], isTouch: false, given: (nil, nil),
                size: object.count + (metadata?.count ?? 0), transaction: self)
            try notifyExtensions { try $0.didInsert(row) }
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
        }
    }
}
